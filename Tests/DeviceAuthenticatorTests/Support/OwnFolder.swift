import Foundation

/// A folder of one test below the temporary one, mode 0700, removed with it.
final class OwnFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("device-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The bytes of a file in it.
  func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: file(name)))) }

  /// Puts bytes into a file in it, and the folders above.
  func write(_ bytes: [UInt8], to name: String, mode: Int = 0o600) throws {
    let url = URL(fileURLWithPath: file(name))
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    try setMode(mode, of: name)
  }

  func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

  func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file(name))
  }

  /// The mode of a file in it, in octal.
  func mode(of name: String) throws -> String {
    let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
    return String((attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1, radix: 8)
  }

  /// The names of what is in a folder of it.
  func names(in name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file(name)).sorted()
  }
}
