import Authn
import EventStore
import FlowRecording
import Foundation
import Replay
import ReplayTraits
import Testing

/// What a failed test leaves behind.
@Suite struct RecordingTraitTests {
  private struct Failure: Error {}

  private func play(_ folder: String, fails: Bool) async throws {
    let test = try #require(Test.current)
    try await FlowEnvironment(transport: InertTransport()).run {
      try await RecordingTrait(folder: folder).provideScope(for: test, testCase: nil) {
        let flow = Flow<AuthnCore>(environment: .current, settings: ["org": "https://acme.example"])
        flow.note("a remark")
        if fails { throw Failure() }
      }
    }
  }

  @Test("a test that fails leaves a recording of its flows, one that passes leaves nothing")
  func recording() async throws {
    let folder = try GoldenRecordings.temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await play(folder, fails: false)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    await #expect(throws: Failure.self) { try await play(folder, fails: true) }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    let file = try #require(files.first)
    #expect(files.count == 1 && file.hasSuffix(".ndjson.lz4"))
    let recording = try Recording(contentsOf: "\(folder)/\(file)")
    #expect(recording.flows.count == 1 && recording.flows[0].records.contains { $0.event.type == "note.added" })
    #expect(try Replay.replay(recording) == [])
  }
}
