import EventStore
import Foundation

/// The sample responses beside the package, if they are there.
enum Corpus {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../../shared/corpus").standardizedFileURL
  static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path) }
  static let missing = "../shared/corpus is not there"

  /// The bytes of a file.
  static func body(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appendingPathComponent(path)))
  }

  /// The sample responses of the Identity Engine, by path.
  static func responses() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("idx").path).sorted()
      .map { "idx/\($0)" }
  }
}
