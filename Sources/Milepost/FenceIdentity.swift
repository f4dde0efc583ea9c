/// How a fence's id is made: `road[/section]/mileage[/carriageway][#2]`, or `pin/NAME[#2]`.
///
/// `/` and `%` within a part are written `%2F` and `%25`, so that a part cannot be taken for two.
/// The carriageway is a part only where carriageways are kept apart.
package enum FenceIdentity {
  /// `ordinal` is 1 for the first fence of this name, 2 for the next.
  package static func milepost(_ milepost: Milepost, splitCarriageways: Bool, ordinal: Int = 1)
    -> String
  {
    var id = encoded(milepost.road)
    if let section = milepost.section { id += "/" + encoded(section) }
    id += "/" + milepost.mileage.description
    if splitCarriageways, let carriageway = milepost.carriageway {
      id += "/" + encoded(carriageway)
    }
    return id + suffix(ordinal)
  }

  package static func pin(_ name: String, ordinal: Int = 1) -> String {
    "pin/" + encoded(name) + suffix(ordinal)
  }

  private static func suffix(_ ordinal: Int) -> String { ordinal > 1 ? "#\(ordinal)" : "" }

  static func encoded(_ part: String) -> String {
    guard part.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "%") }) else {
      return part
    }
    var result = ""
    for scalar in part.unicodeScalars {
      switch scalar {
      case "/": result += "%2F"
      case "%": result += "%25"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
