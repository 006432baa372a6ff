// Makes the golden recordings anew: `make recordings`. Each scenario plays on an org of its own, is recorded into a log,
// and its flow is exported from there, as `auditctl export` would.

import EventStore
import FlowRecording
import Foundation
import Scenarios

@main
struct MakeRecordings {
  static func main() async {
    let folder = CommandLine.arguments.dropFirst().first ?? "Recordings"
    do {
      for scenario in Scenario.flows {
        let path = "\(folder)/\(scenario.name).ndjson.lz4"
        let count = try await make(scenario, path: path)
        print("\(path): \(count) records")
      }
    } catch {
      FileHandle.standardError.write(Data("recordings cannot be made: \(error)\n".utf8))
      exit(74)
    }
  }

  private static func make(_ scenario: Scenario, path: String) async throws -> Int {
    let store = FileManager.default.temporaryDirectory.appendingPathComponent("flowrecorder-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: store) }
    let recorder = LogRecorder(directory: store, clock: VirtualTime(start: Stage.start))
    try await scenario.run(recorder: recorder)
    try recorder.close()
    let log = try LogReader(directory: store)
    var records: [StoredRecord] = []
    var cursor = try log.cursor()
    while let record = try cursor.next() {
      if record.stream.hasPrefix("authn/") { records.append(record) }
    }
    try? FileManager.default.removeItem(atPath: path)
    try SliceFile.write(records: records, source: log.identity, to: path)
    return records.count
  }
}
