import TestSupport
import Testing

@Suite("Units and examples")
struct UnitFileTests {
  private static func lines(_ path: String) throws -> [Substring] {
    try readText("\(TestData.package)/\(path)").split(separator: "\n")
      .filter { !$0.hasPrefix("#") && !$0.hasPrefix("//") }
  }

  @Test("milepostd.service has what was found necessary on systemd 252")
  func facts() throws {
    let lines = try Self.lines("systemd/milepostd.service")
    let necessary = [
      "Type=notify", "WatchdogSec=30s", "Restart=on-failure", "RestartSec=5s",
      "StartLimitIntervalSec=0", "RestartPreventExitStatus=64 78", "KillMode=mixed",
      "TimeoutStopSec=15s", "LogRateLimitIntervalSec=1s", "LogRateLimitBurst=1000000",
      "User=milepostd", "StateDirectory=milepostd", "After=gpsd.socket",
    ]
    for line in necessary { #expect(lines.contains { $0 == line }, "\(line)") }
    let reload = lines.filter { $0.hasPrefix("ExecReload=") }
    #expect(
      reload == ["ExecReload=/usr/sbin/milepostd --check", "ExecReload=/bin/kill -HUP $MAINPID"])
  }

  @Test("milepostd.service has nothing that harms hooks, a remote gpsd or the boot id")
  func harm() throws {
    let lines = try Self.lines("systemd/milepostd.service")
    let harmful = [
      "ProcSubset", "IPAddressDeny", "MemoryDenyWriteExecute", "ConfigurationDirectory",
      "PrivateNetwork", "Requires", "BindsTo", "Requisite", "DynamicUser",
    ]
    for key in harmful { #expect(!lines.contains { $0.hasPrefix("\(key)=") }, "\(key)") }
  }

  @Test(
    "milepost-hooks(7) shows each drop-in and rule of the examples as it is",
    arguments: [
      "milepostd.service.d/sound.conf", "milepostd.service.d/network.conf",
      "milepostd.service.d/can-bus.conf", "milepostd.service.d/write-files.conf",
      "polkit/50-milepostd.rules",
    ])
  func examples(name: String) throws {
    let example = try Self.lines("Packaging/examples/\(name)")
    let page = try ManualPage("milepost-hooks.7").section("THE SANDBOX").lines
    let starts = page.indices.filter { page[$0...].starts(with: example) }
    #expect(starts.count == 1)
  }
}
