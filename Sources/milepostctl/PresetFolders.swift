import Glibc

/// Where presets lie: `MILEPOST_PRESETS`, the installation's share, and the source tree of a build.
enum PresetFolders {
  static var all: [String] {
    var folders: [String] = []
    if let own = getenv("MILEPOST_PRESETS") { folders.append(String(cString: own)) }
    let program = programFolder
    if let program { folders.append(program + "/../share/milepostd/presets") }
    folders.append("/usr/share/milepostd/presets")
    // .build/TRIPLE/CONFIGURATION/milepostctl
    if let program { folders.append(program + "/../../../Config/presets") }
    return folders
  }

  /// Of the program that runs.
  private static var programFolder: String? {
    guard let real = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(real) }
    let path = String(cString: real)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }
}
