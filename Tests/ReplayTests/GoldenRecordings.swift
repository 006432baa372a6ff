import EventStore
import FlowRecording
import Foundation
import Replay

/// The recordings under `Recordings/` by their names.
enum GoldenRecordings {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Recordings").standardizedFileURL.path

  static let names: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.hasSuffix(".ndjson.lz4") }.map { String($0.dropLast(".ndjson.lz4".count)) }.sorted()

  static func path(_ name: String) -> String { "\(folder)/\(name).ndjson.lz4" }

  static func read(_ name: String) throws -> Recording { try Recording(contentsOf: path(name)) }

  /// A new folder for files of a test; the caller removes it.
  static func temporaryFolder() throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("recordings-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }
}
