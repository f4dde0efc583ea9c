/// One record of a file: the fields that are wanted, in slots.
package struct Record {
  /// The first line of the record, from 1.
  package var line = 0
  /// Why the record cannot be used.
  package var fault: String?
  private var bytes: [UInt8] = []
  private var slots: [Range<Int>?]

  init(slots: Int) { self.slots = Array(repeating: nil, count: slots) }

  mutating func clear(line: Int) {
    self.line = line
    fault = nil
    bytes.removeAll(keepingCapacity: true)
    for slot in slots.indices { slots[slot] = nil }
  }

  mutating func set(_ slot: Int, _ text: some Sequence<UInt8>) {
    let start = bytes.count
    bytes.append(contentsOf: text)
    slots[slot] = start..<bytes.count
  }

  /// The text of a slot without blanks and line breaks at its ends; nil where the record has none.
  subscript(slot: Int) -> ArraySlice<UInt8>? {
    guard let range = slots[slot] else { return nil }
    return bytes[range].trimmed
  }
}

extension ArraySlice<UInt8> {
  /// Without blanks and line breaks at the ends, the ideographic and the no-break space too.
  var trimmed: ArraySlice<UInt8> {
    var slice = self
    while let first = slice.first {
      if first == 0x20 || (9...13).contains(first) {
        slice = slice.dropFirst()
      } else if slice.starts(with: [0xE3, 0x80, 0x80]) {
        slice = slice.dropFirst(3)
      } else if slice.starts(with: [0xC2, 0xA0]) {
        slice = slice.dropFirst(2)
      } else {
        break
      }
    }
    while let last = slice.last {
      if last == 0x20 || (9...13).contains(last) {
        slice = slice.dropLast()
      } else if slice.suffix(3).elementsEqual([0xE3, 0x80, 0x80]) {
        slice = slice.dropLast(3)
      } else if slice.suffix(2).elementsEqual([0xC2, 0xA0]) {
        slice = slice.dropLast(2)
      } else {
        break
      }
    }
    return slice
  }

  var text: String { String(decoding: self, as: UTF8.self) }
}

/// The fields that a mapping wants, by name, each with its slot.
package struct WantedFields: Sendable {
  private(set) var names: [String] = []
  private var slots: [String: Int] = [:]

  mutating func slot(_ name: String) -> Int {
    if let slot = slots[name] { return slot }
    slots[name] = names.count
    names.append(name)
    return names.count - 1
  }

  /// Nil where the field is not wanted.
  func slot(of name: String) -> Int? { slots[name] }

  /// What the formats with a geometry of their own call the place.
  static let latitude = "@lat"
  static let longitude = "@lon"
}

/// Reads a file record by record.
package protocol RecordReader: AnyObject {
  /// Puts the next record into `record`; false at the end.
  func next(_ record: inout Record) throws(ImportFault) -> Bool

  /// Slots that no record of the file can have, and the columns that the file has.
  var missing: Set<Int> { get }
  var header: [String] { get }

  /// Which column of the file each slot is, where columns have an order.
  var cellOfSlot: [Int: Int] { get }

  /// The line of a last record that may be cut off, though it can be used.
  var unendedLine: Int? { get }
}

/// Formats whose records name their fields.
extension RecordReader {
  package var missing: Set<Int> { [] }
  package var header: [String] { [] }
  package var cellOfSlot: [Int: Int] { [:] }
  package var unendedLine: Int? { nil }
}

/// A record that is longer was never meant to be one.
let recordLimit = 1 << 20
