/// How a fence's id is made: `road[/section]/mileage[/carriageway][#2]`, or `pin/NAME[#2]`.
///
/// `/` and `%` within a part are written `%2F` and `%25`, so that a part cannot be taken for two.
/// The carriageway is a part only where carriageways are kept apart.
package enum FenceIdentity {
  /// `ordinal` is 1 for the first fence of this name, 2 for the next.
  package static func milepost(_ milepost: Milepost, splitCarriageways: Bool, ordinal: Int = 1)
    -> String
  {
    var id: [UInt8] = []
    writeMilepost(
      road: milepost.road, section: milepost.section, mileage: milepost.mileage,
      carriageway: splitCarriageways ? milepost.carriageway : nil, to: &id)
    write(ordinal: ordinal, to: &id)
    return String(decoding: id, as: UTF8.self)
  }

  /// Appends the id of a milepost's first fence.
  static func writeMilepost(
    road: String, section: String?, mileage: Mileage, carriageway: String?, to id: inout [UInt8]
  ) {
    write(road, to: &id)
    id.append(UInt8(ascii: "/"))
    if let section {
      write(section, to: &id)
      id.append(UInt8(ascii: "/"))
    }
    mileage.write(to: &id)
    if let carriageway {
      id.append(UInt8(ascii: "/"))
      write(carriageway, to: &id)
    }
  }

  package static func pin(_ name: String, ordinal: Int = 1) -> String {
    var id = Array("pin/".utf8)
    write(name, to: &id)
    write(ordinal: ordinal, to: &id)
    return String(decoding: id, as: UTF8.self)
  }

  private static func write(ordinal: Int, to id: inout [UInt8]) {
    if ordinal > 1 { id.append(contentsOf: "#\(ordinal)".utf8) }
  }

  private static func write(_ part: String, to id: inout [UInt8]) {
    for byte in part.utf8 {
      switch byte {
      case UInt8(ascii: "/"): id.append(contentsOf: [0x25, 0x32, 0x46])
      case UInt8(ascii: "%"): id.append(contentsOf: [0x25, 0x32, 0x35])
      default: id.append(byte)
      }
    }
  }
}
