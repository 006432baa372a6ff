// Makes the golden recordings (`make recordings`): all of them, or those that are named after the folder. Each scenario
// plays on an org of its own, is recorded into a log, and its flow is exported from there, as `auditctl export` would.
// `--digests FOLDER` puts digests into those that are there.

import EventStore
import FlowRecording
import Foundation
import Replay
import Scenarios

@main
struct MakeRecordings {
  static func main() async {
    if CommandLine.arguments.dropFirst().first == "--vary" { return await VariedSelection.run() }
    let isDigesting = CommandLine.arguments.dropFirst().first == "--digests"
    let folder = CommandLine.arguments.dropFirst(isDigesting ? 2 : 1).first ?? "Recordings"
    let names = Set(CommandLine.arguments.dropFirst(2))
    func isWanted(_ name: String) -> Bool { names.isEmpty || names.contains(name) }
    do {
      if isDigesting { return try DigestRecordings.run(in: folder) }
      for scenario in Scenario.flows + Scenario.rare where isWanted(scenario.name) {
        let path = "\(folder)/\(scenario.name).ndjson.lz4"
        let count = try await make(path, kind: "authn/") { _ = try await scenario.run(recorder: $0) }
        print("\(path): \(count) records")
      }
      for scenario in IDXScenario.golden + IDXScenario.rare where isWanted(scenario.name) {
        let path = "\(folder)/\(scenario.name).ndjson.lz4"
        let count = try await make(path, kind: "idx/") { _ = try await scenario.run(recorder: $0) }
        print("\(path): \(count) records")
      }
      for scenario in DeviceScenario.golden + DeviceScenario.rare where isWanted(scenario.name) {
        let path = "\(folder)/\(scenario.name).ndjson.lz4"
        let count = try await make(path, kind: "device/") { _ = try await scenario.run(recorder: $0) }
        print("\(path): \(count) records")
      }
      for scenario in PushScenario.golden where isWanted(scenario.name) { try await make(scenario, in: folder) }
      for scenario in OIDCScenario.golden + OIDCScenario.rare where isWanted(scenario.name) {
        let path = "\(folder)/\(scenario.name).ndjson.lz4"
        let count = try await make(path, kind: "oidc/") { _ = try await scenario.run(recorder: $0) }
        print("\(path): \(count) records")
      }
      for recording in try FormRecording.golden() where isWanted(recording.name) {
        let path = "\(folder)/\(recording.name).ndjson.lz4"
        let count = try await make(path, kind: recording.kind + "/") { try await recording.run(recorder: $0) }
        print("\(path): \(count) records")
      }
    } catch {
      FileHandle.standardError.write(Data("recordings cannot be made: \(error)\n".utf8))
      exit(74)
    }
  }

  private static func make(
    _ path: String, kind: String, _ play: (any Recorder) async throws -> Void
  ) async throws -> Int {
    let log = Log()
    defer { log.remove() }
    try await play(log.recorder)
    return try await log.write(kind, to: path)
  }

  /// Two recordings of one push, each from a log of its own.
  private static func make(_ scenario: PushScenario, in folder: String) async throws {
    let (signIn, device) = (Log(), Log())
    defer {
      signIn.remove()
      device.remove()
    }
    try await scenario.run(signIn: signIn.recorder, device: device.recorder)
    for (log, kind, side) in [(signIn, scenario.kind, "sign-in"), (device, "device/", "device")] {
      let path = "\(folder)/\(scenario.name)-\(side).ndjson.lz4"
      print("\(path): \(try await log.write(kind, to: path)) records")
    }
  }

  /// A log that a recording is cut from.
  private struct Log {
    private let store = FileManager.default.temporaryDirectory.appendingPathComponent(
      "flowrecorder-\(UUID().uuidString)"
    ).path
    private let log: LogRecorder
    /// The end of a flow that is let go belongs to the recording.
    let recorder: WatchedRecorder

    init() {
      log = LogRecorder(directory: store, clock: VirtualTime(start: Stage.start))
      recorder = WatchedRecorder(log)
    }

    func remove() { try? FileManager.default.removeItem(atPath: store) }

    /// Writes the flows of a kind into a recording.
    func write(_ kind: String, to path: String) async throws -> Int {
      try await recorder.flowsAreGone()
      try log.close()
      let reader = try LogReader(directory: store)
      var records: [StoredRecord] = []
      var cursor = try reader.cursor()
      while let record = try cursor.next() {
        if record.stream.hasPrefix(kind) { records.append(record) }
      }
      let digests = RecordedDigests(
        of: try Recording(name: path, records: records).flows, declarations: true)?.json
      try KeptMode.of(path) {
        try? FileManager.default.removeItem(atPath: path)
        try SliceFile.write(records: records, source: source, digests: digests, to: path)
      }
      return records.count
    }
  }

  /// What recordings say they were cut from. The real log was made for one of them and is gone; its id is random, and a
  /// recording that is made again is to differ only where the sign-in does.
  private static let source = StoreIdentity(id: String(repeating: "0", count: 32), origin: "flowrecorder-recordings")
}
