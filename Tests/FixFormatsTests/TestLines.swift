import Milepost

extension String {
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    Array(utf8).withUnsafeBytes(body)
  }
}

/// `body` with the address and the checksum that it asks for: `$…*hh`.
func sentence(_ body: String) -> String {
  let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
  return "$\(body)*\(sum.count == 1 ? "0" : "")\(sum)"
}

extension Timestamp {
  init(_ milliseconds: Int64) { self.init(milliseconds: milliseconds) }
}
