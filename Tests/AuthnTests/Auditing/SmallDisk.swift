import Foundation

/// A small file system of its own, mounted for a test; needs root.
struct SmallDisk {
  let path: String

  /// Whether this process may mount one.
  static let canMount: Bool = {
    guard let disk = SmallDisk(kilobytes: 64) else { return false }
    disk.remove()
    return true
  }()

  /// Mounts a tmpfs of so many kilobytes; nil if mounting is refused.
  init?(kilobytes: Int, options: String = "") {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("flowrecorder-disk-\(UUID().uuidString)").path
    try? FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let size = "size=\(kilobytes)k" + (options.isEmpty ? "" : ",\(options)")
    guard SmallDisk.run("mount", "-t", "tmpfs", "-o", size, "tmpfs", path) else {
      try? FileManager.default.removeItem(atPath: path)
      return nil
    }
  }

  /// Makes the file system read-only, or writable again.
  func remount(_ option: String) -> Bool { SmallDisk.run("mount", "-o", "remount,\(option)", path) }

  /// Fills what is left.
  func fill() {
    let handle =
      FileHandle(forWritingAtPath: path + "/filler")
      ?? {
        _ = FileManager.default.createFile(atPath: path + "/filler", contents: nil)
        return FileHandle(forWritingAtPath: path + "/filler") ?? FileHandle.nullDevice
      }()
    for size in [4096, 256, 1] {
      let piece = Data(repeating: 0x78, count: size)
      while (try? handle.write(contentsOf: piece)) != nil {}
    }
    try? handle.close()
  }

  /// Gives the space back.
  func free() { try? FileManager.default.removeItem(atPath: path + "/filler") }

  /// Unmounts it.
  func remove() {
    _ = SmallDisk.run("umount", "-l", path)
    try? FileManager.default.removeItem(atPath: path)
  }

  private static func run(_ arguments: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}

/// A folder that is gone with the test.
func withTemporaryFolder<Result>(
  isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> Result
) async throws -> Result {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("flowrecorder-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(
    atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  defer { try? FileManager.default.removeItem(atPath: path) }
  return try await body(path)
}
