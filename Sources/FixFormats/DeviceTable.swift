import Glibc
package import Milepost

/// Receivers' names and their numbers, at most 64; the last one looked up is found at once.
package struct DeviceTable {
  package static let capacity = 64
  /// The number of every device beyond ``capacity``.
  package static let overflow = DeviceID(65_535)

  private var names: [[UInt8]] = []
  private var last = 0

  package init() {}

  /// The number of `name`, new where it is new; ``DeviceID/unnamed`` for an empty one.
  package mutating func id(of name: UnsafeRawBufferPointer) -> DeviceID {
    if name.isEmpty { return .unnamed }
    if last < names.count, Self.equal(names[last], name) { return Self.id(at: last) }
    for index in names.indices where Self.equal(names[index], name) {
      last = index
      return Self.id(at: index)
    }
    guard names.count < Self.capacity else { return Self.overflow }
    last = names.count
    names.append([UInt8](name))
    return Self.id(at: last)
  }

  package mutating func id(of name: String) -> DeviceID {
    var name = name
    return name.withUTF8 { id(of: UnsafeRawBufferPointer($0)) }
  }

  /// Nil for the unnamed device and for those beyond ``capacity``.
  package func name(of id: DeviceID) -> String? {
    let index = Int(id.rawValue) - 1
    return names.indices.contains(index) ? String(decoding: names[index], as: UTF8.self) : nil
  }

  private static func id(at index: Int) -> DeviceID { DeviceID(UInt16(index + 1)) }

  private static func equal(_ known: [UInt8], _ name: UnsafeRawBufferPointer) -> Bool {
    guard known.count == name.count, let name = name.baseAddress else { return false }
    return known.withUnsafeBytes { known in
      known.baseAddress.map { memcmp($0, name, known.count) == 0 } ?? false
    }
  }
}
