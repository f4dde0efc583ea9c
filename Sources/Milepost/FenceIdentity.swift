/// How a fence's id is made: `road[/section]/mileage[/carriageway][#2]`, or `pin/NAME[#2]`.
///
/// `/` and `%` within a part are written `%2F` and `%25`, so that a part cannot be taken for two.
/// The carriageway is a part only where carriageways are kept apart.
package enum FenceIdentity {
  /// `ordinal` is 1 for the first fence of this name, 2 for the next.
  package static func milepost(_ milepost: Milepost, splitCarriageways: Bool, ordinal: Int = 1)
    -> String
  {
    var id = line(road: milepost.road, section: milepost.section)
    return milepostID(
      line: &id, mileage: milepost.mileage,
      carriageway: splitCarriageways ? milepost.carriageway : nil, ordinal: ordinal)
  }

  /// The beginning that the ids of a road's section share: `road[/section]/`, in UTF-8.
  package static func line(road: String, section: String?) -> [UInt8] {
    var id: [UInt8] = []
    write(road, to: &id)
    id.append(UInt8(ascii: "/"))
    if let section {
      write(section, to: &id)
      id.append(UInt8(ascii: "/"))
    }
    return id
  }

  /// An id that begins with `line`, which is the same again afterwards.
  package static func milepostID(
    line: inout [UInt8], mileage: Mileage, carriageway: String?, ordinal: Int
  ) -> String {
    let length = line.count
    mileage.write(to: &line)
    if let carriageway {
      line.append(UInt8(ascii: "/"))
      write(carriageway, to: &line)
    }
    if ordinal > 1 { line.append(contentsOf: "#\(ordinal)".utf8) }
    let id = String(decoding: line, as: UTF8.self)
    line.removeLast(line.count - length)
    return id
  }

  package static func pin(_ name: String, ordinal: Int = 1) -> String {
    var id = Array("pin/".utf8)
    write(name, to: &id)
    if ordinal > 1 { id.append(contentsOf: "#\(ordinal)".utf8) }
    return String(decoding: id, as: UTF8.self)
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
