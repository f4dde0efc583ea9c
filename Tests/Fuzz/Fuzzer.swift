import Glibc

/// The target that the environment names.
private let target: @Sendable (UnsafeRawBufferPointer) -> Void = {
  let name = getenv("MILEPOST_FUZZ").map { String(cString: $0) } ?? ""
  guard let target = FuzzTargets.all[name] else {
    print("MILEPOST_FUZZ is one of \(FuzzTargets.all.keys.sorted().joined(separator: " "))")
    exit(64)
  }
  return target
}()

/// libFuzzer's entry: one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}
