import Glibc
import MarkerFiles
import Milepost
import TestSupport
import Testing

private let header = "road,mileage,latitude,longitude\n"

@Suite struct MarkerFileTests {
  @Test("the files of a pattern are read by name, each once, and hidden ones not")
  func patterns() throws {
    let scratch = try ScratchFolder()
    try scratch.write("b.csv", header + "B,1,2,3\n")
    try scratch.write("a.csv", header + "A,1,2,3\n")
    try scratch.write(".c.csv", header + "C,1,2,3\n")
    try scratch.write("d.txt", header + "D,1,2,3\n")
    let set = MarkerFile.load(["\(scratch.path)/*.csv", "\(scratch.path)/b.csv"])
    #expect(set.fences.map(\.id) == ["A/1K+000", "B/1K+000"])
    #expect(set.filesRead == 2 && set.reports.isEmpty)
  }

  @Test("a pattern may match nothing")
  func noMatch() throws {
    let scratch = try ScratchFolder()
    let set = MarkerFile.load(["\(scratch.path)/*.csv"])
    #expect(set.fences.isEmpty && set.reports.isEmpty)
  }

  @Test("a path that cannot be read is a failure, and the other files count")
  func unreadable() throws {
    let scratch = try ScratchFolder()
    try scratch.write("a.csv", header + "A,1,2,3\n")
    try #require(mkfifo("\(scratch.path)/fifo", 0o600) == 0)
    let names = ["gone.csv", "", "fifo", "a.csv"]
    let set = MarkerFile.load(names.map { "\(scratch.path)/\($0)" })
    #expect(
      set.failures.map(\.description) == [
        "\(scratch.path)/gone.csv: does not exist",
        "\(scratch.path)/: is a directory (name its files: \(scratch.path)/*.csv)",
        "\(scratch.path)/fifo: is not a regular file",
      ])
    #expect(set.fences.map(\.id) == ["A/1K+000"])
  }

  @Test("a file whose name looks like a pattern is itself")
  func literalName() throws {
    let scratch = try ScratchFolder()
    try scratch.write("a[1].csv", header + "A,1,2,3\n")
    #expect(MarkerFile.load(["\(scratch.path)/a[1].csv"]).fences.count == 1)
  }
}
