// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [])
  -> Target
{
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
  name: "milepostd",
  targets: [
    // C libraries, each behind a shim header.
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CProj", pkgConfig: "proj", providers: [.apt(["libproj-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CGetopt"),

    // The domain: pure, no clock, no I/O.
    library("Geodesy"),
    library("Milepost", ["Geodesy"]),
    library("FixFormats", ["Geodesy", "Milepost"]),
    library("MarkerFiles", ["Geodesy", "Milepost"]),
    library("MarkerImport", ["Geodesy", "Milepost", "MarkerFiles", "CProj", "CExpat"]),
    library("Configuration", ["Milepost"]),
    library("EventStore", ["Geodesy", "Milepost", "CSQLite"]),

    // The operating system.
    library("SystemdKit", ["CSystemd"]),
    library("Options", ["CGetopt"]),
    library(
      "MilepostDaemon",
      [
        "Geodesy", "Milepost", "FixFormats", "MarkerFiles", "Configuration", "EventStore",
        "SystemdKit",
      ]),

    // A few lines of main each.
    program("milepostd", ["EventStore", "MilepostDaemon", "Options", "SystemdKit"]),
    program(
      "milepostctl",
      [
        "Geodesy", "Milepost", "FixFormats", "MarkerFiles", "MarkerImport", "Configuration",
        "Options",
      ]),

    .target(
      name: "TestSupport", dependencies: ["Geodesy", "CProj", "SystemdKit"],
      path: "Tests/TestSupport",
      swiftSettings: settings),
    .executableTarget(
      name: "milepost-bench",
      dependencies: [
        "Geodesy", "Milepost", "FixFormats", "MarkerFiles", "EventStore", "SystemdKit",
        "MilepostDaemon", "TestSupport",
      ], path: "Benchmarks",
      swiftSettings: settings),

    tests("GeodesyTests", ["Geodesy", "CProj", "TestSupport"]),
    tests("MilepostTests", ["Geodesy", "Milepost", "CProj", "TestSupport"]),
    tests("FixFormatsTests", ["Geodesy", "Milepost", "FixFormats", "TestSupport"]),
    tests("MarkerFilesTests", ["Geodesy", "Milepost", "MarkerFiles", "TestSupport"]),
    tests("MarkerImportTests", ["Geodesy", "Milepost", "MarkerFiles", "MarkerImport", "CProj"]),
    tests("ConfigurationTests", ["Milepost", "Configuration", "TestSupport"]),
    // A disk in memory that fails, fills and loses power.
    .target(name: "CTestVFS", dependencies: ["CSQLite"], path: "Tests/CTestVFS"),
    tests(
      "EventStoreTests",
      ["Geodesy", "Milepost", "EventStore", "CSQLite", "CTestVFS", "TestSupport"]),
    tests("SystemdKitTests", ["SystemdKit", "TestSupport"]),
    tests("OptionsTests", ["Options"]),
    tests(
      "MilepostDaemonTests",
      [
        "Geodesy", "Milepost", "FixFormats", "MarkerFiles", "Configuration", "EventStore",
        "SystemdKit", "MilepostDaemon", "TestSupport",
      ]),
    tests(
      "ManualTests",
      [
        "milepostd", "milepostctl", "Milepost", "Configuration", "MilepostDaemon", "SystemdKit",
        "Options", "TestSupport",
      ],
      exclude: ["complete.py"]),
    tests(
      "EndToEndTests",
      ["milepostd", "milepostctl", "Milepost", "FixFormats", "SystemdKit", "TestSupport"],
      exclude: ["verdicts.py"]),
    tests("CrashTests", ["milepostd", "SystemdKit", "CSQLite", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)
