import EventStore
import Foundation

/// The sample exchanges beside the package, if they are there.
enum Corpus {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../../shared/corpus").standardizedFileURL
  static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path) }

  /// The bytes of a file.
  static func bytes(of path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appendingPathComponent(path)))
  }

  /// The bodies that orgs really sent, by the names of their files.
  static func bodies() throws -> [(name: String, json: JSON)] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("authn").path).sorted()
      .map { ($0, try JSON(parsing: bytes(of: "authn/\($0)"))) }
  }
}
