import Configuration
import SystemdKit

/// The source that the configuration asks for.
enum SourceFactory {
  static func source(_ settings: Settings, loop: EventLoop) throws -> any FixSource {
    switch settings.source.kind {
    case .gpsd:
      var timing = GpsdSession.Timing()
      timing.maxGap = settings.filter.maxGapMS
      let address = settings.source.address
      return GpsdSource(
        loop: loop, endpoint: GpsdEndpoint(host: address.host, port: address.port), timing: timing)
    case .fifo:
      let passed = try ListenDescriptors.take()
      if let fifo = FIFOSource.choose(from: passed) {
        return try FIFOSource(
          loop: loop, passed: fifo, requiresChecksum: settings.source.requireChecksum,
          maxGap: settings.filter.maxGapMS)
      }
      return FIFOSource(
        loop: loop, path: settings.source.path, requiresChecksum: settings.source.requireChecksum,
        maxGap: settings.filter.maxGapMS)
    }
  }
}
