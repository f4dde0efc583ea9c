package import Milepost

/// All that the configuration says. Lengths in metres, times in milliseconds, speeds in m/s.
package struct Settings: Equatable, Sendable {
  package struct Source: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
      case gpsd
      case fifo
    }

    package var kind = Kind.gpsd
    package var address = SourceAddress(host: "127.0.0.1", port: 2947)
    /// The only receiver to use; nil for the first that gives a usable fix.
    package var device: String?
    package var path = "/run/milepostd/fixes"
    /// Of NMEA sentences.
    package var requireChecksum = true

    package init() {}
  }

  package struct Filter: Equatable, Sendable {
    package var jitterThreshold: Double = 15
    package var maxHorizontalError: Double = 100
    package var maxSpeedMPS: Double = 500 / 3.6
    package var maxGapMS: Int64 = 10_000
    package var maxGapDistance: Double = 500
    package var deadReckoning = false
    package var simulated = false

    package init() {}
  }

  package struct Fences: Equatable, Sendable {
    /// Paths and patterns of marker files.
    package var markers = ["/etc/milepostd/markers.d/*.csv"]
    package var radius: Double = 40
    package var exitMargin: Double = 0
    /// All where empty.
    package var roads: [String] = []
    package var splitCarriageways = false
    /// All where empty.
    package var categories: [String] = []
    /// Mileposts at whole multiples of so many micrometres alone; 0 for all.
    package var everyMicrometres: Int64 = 0

    /// How marker files are read.
    package var markerOptions: MarkerOptions {
      MarkerOptions(
        defaultRadius: radius, roads: Set(roads), splitCarriageways: splitCarriageways,
        filter: MarkerFilter(categories: Set(categories), every: everyMicrometres))
    }

    package init() {}
  }

  package struct Hooks: Equatable, Sendable {
    package var directory = "/etc/milepostd/hooks.d"
    package var timeoutMS: Int64 = 30_000
    package var attempts = 5
    package var maxAgeMS: Int64 = 600_000
    package var maxRunning = 4
    package var runOnInitial = false

    package init() {}
  }

  package struct Events: Equatable, Sendable {
    package var database = "/var/lib/milepostd/events.db"
    package var keepMS: Int64 = 90 * 86_400_000
    /// Of the database, in bytes.
    package var maxBytes: Int64 = 256 << 20

    package init() {}
  }

  package var source = Source()
  package var filter = Filter()
  package var fences = Fences()
  package var hooks = Hooks()
  package var events = Events()

  /// The defaults.
  package init() {}

  /// What the middle needs; its device is numbered by the decoder and set there.
  package var engine: Engine.Settings {
    var engine = Engine.Settings()
    engine.gate.maxHorizontalError = filter.maxHorizontalError
    engine.gate.maxSpeed = filter.maxSpeedMPS
    engine.gate.maxGap = filter.maxGapMS
    engine.gate.maxGapDistance = filter.maxGapDistance
    engine.gate.deadReckoning = filter.deadReckoning
    engine.gate.simulated = filter.simulated
    engine.jitterThreshold = filter.jitterThreshold
    engine.exitMargin = fences.exitMargin
    return engine
  }
}
