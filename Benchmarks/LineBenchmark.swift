import FixFormats
import Milepost

/// Decoding of lines in memory: a TPV of gpsd 3.22 with all its keys, and the two sentences of an
/// NMEA epoch.
enum LineBenchmark {
  private static let lineCount = 200_000

  /// 387 bytes, as gpsd 3.22 writes it; time and place differ from line to line.
  private static func report(_ number: Int) -> String {
    let second = padded(number % 60, 2)
    let place = padded(117_400_000 + number % 1_000_000, 9)
    return #"{"class":"TPV","device":"/dev/ttyUSB0","status":2,"mode":3,"#
      + #""time":"2026-11-30T12:00:\#(second).000Z","ept":0.005,"lat":48.\#(place),"#
      + #""lon":11.516600000,"altHAE":592.3000,"altMSL":545.4000,"alt":545.4000,"epx":9.120,"#
      + #""epy":12.310,"epv":48.300,"track":84.4000,"magtrack":87.7264,"magvar":3.3,"#
      + #""speed":11.524,"climb":0.000,"epd":1.2,"eps":24.61,"epc":96.60,"geoidSep":46.900,"eph":17.100,"#
      + #""sep":47.500}"#
  }

  /// The sentence of an epoch, GGA for even numbers and RMC for odd ones.
  private static func sentence(_ number: Int) -> String {
    let epoch = number / 2
    let time = "12\(padded(epoch / 60 % 60, 2))\(padded(epoch % 60, 2)).00"
    let place = "4807.\(padded(38_000 + epoch % 50_000, 5)),N,01131.32400,E"
    let body =
      number % 2 == 0
      ? "GPGGA,\(time),\(place),1,08,0.9,545.4,M,46.9,M,,"
      : "GPRMC,\(time),A,\(place),022.4,084.4,301126,003.1,W,A"
    let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return "$\(body)*\(sum.utf8.count == 1 ? "0" : "")\(sum)"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  static func run() {
    let length = report(0).utf8.count
    measure("TPV line of \(length) bytes", report)
    measure("NMEA sentence, two an epoch", sentence)
  }

  private static func measure(_ name: String, _ line: (Int) -> String) {
    let bytes = (0..<lineCount).flatMap { Array("\(line($0))\n".utf8) }
    var counters = FixDecoder.Counters()
    let times = Stopwatch.runs(5) {
      var framer = LineFramer()
      var decoder = FixDecoder()
      bytes.withUnsafeBytes { chunk in
        framer.append(chunk) { _ = decoder.decode($0) { _ in } }
      }
      counters = decoder.counters
    }
    milepost_bench.report(name, times, each: lineCount, unit: "line")
    precondition(counters.malformed == 0 && counters.fixes >= lineCount / 2 - 1, "bad lines")
  }
}
