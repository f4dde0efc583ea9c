/// Why a command ends, with the code it returns.
struct Failure: Error {
  var code: Int32
  var message: String

  init(_ code: Int32, _ message: String) {
    self.code = code
    self.message = message
  }
}
