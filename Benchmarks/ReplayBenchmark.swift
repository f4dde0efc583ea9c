import TestSupport

/// The whole of `milepostctl replay` over recorded TPVs and 100,000 mileposts, process and all.
enum ReplayBenchmark {
  private static let lineCount = 500_000

  static func run() throws {
    let scratch = try ScratchFolder()
    let markers = try scratch.write("markers.csv", GeneratedMarkers.csv())
    var text = ""
    for number in 0..<lineCount { text += line(number) }
    let drive = try scratch.write("drive.json", text)
    var times: [Int64] = []
    for _ in 0..<3 {
      let begin = Stopwatch.nanoseconds()
      let replay = try RunningProgram(
        "/bin/sh",
        [
          "-c", "exec \"$0\" replay --markers \"$1\" \"$2\" >\"$3\"",
          RunningProgram.product("milepostctl"), markers, drive, scratch("events"),
        ])
      let code = try replay.end()
      precondition(code == 0, "replay failed: \(replay.lines)")
      times.append(Stopwatch.nanoseconds() - begin)
    }
    report("milepostctl replay, whole", times.sorted(), each: lineCount, unit: "line")
  }

  /// To and fro along the first road, 25 m a second.
  private static func line(_ number: Int) -> String {
    let (run, step) = number.quotientAndRemainder(dividingBy: 3_900)
    let place = GeneratedMarkers.place(along: Double(run % 2 == 0 ? step : 3_900 - step) * 25)
    let parts = place.split(separator: ",")
    return
      #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"\#(time(number))","ept":0.005,"#
      + #""lat":\#(parts[0]),"lon":\#(parts[1]),"altHAE":592.3000,"altMSL":545.4000,"alt":545.4000,"#
      + #""epx":9.120,"epy":12.310,"epv":48.300,"track":90.0000,"magtrack":93.3264,"magvar":3.3,"#
      + #""speed":25.000,"climb":0.000,"eps":24.61,"epc":96.60,"geoidSep":46.900,"eph":17.100,"#
      + "\"sep\":47.500}\n"
  }

  /// A second a line from the first of November on.
  private static func time(_ number: Int) -> String {
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let (day, second) = number.quotientAndRemainder(dividingBy: 86_400)
    return "2026-11-\(two(day + 1))T\(two(second / 3_600)):\(two(second / 60 % 60)):"
      + "\(two(second % 60)).000Z"
  }
}
