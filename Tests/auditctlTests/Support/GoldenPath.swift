import Foundation

/// The golden recordings of this checkout.
enum GoldenPath {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Recordings").standardizedFileURL.path

  /// The file of one of them.
  static func file(_ name: String) -> String { "\(folder)/\(name).ndjson.lz4" }
}
