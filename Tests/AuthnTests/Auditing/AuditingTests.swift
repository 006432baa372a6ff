import EventStore
import FlowRecording
import Foundation
import Replay
import Scenarios
import SimulatedOrg
import Testing

@testable import Authn

/// DESIGN §2 rule 6: what happens where the log cannot be written.
@Suite(.serialized) struct AuditingTests {
  @Test("a sign-in stands in the log, folds to the live state and replays", arguments: Scenario.flows.map(\.name))
  func recorded(name: String) async throws {
    let scenario = try #require(Scenario.flows.first { $0.name == name })
    try await withTemporaryFolder { folder in
      let recorder = LogRecorder(directory: folder + "/audit")
      let live = Locked<(stream: String, core: AuthnCore)?>(nil)
      try await scenario.run(recorder: recorder) { _, last in
        let session = try #require(last?.object.session)
        live.withLock { $0 = (session.flow.stream, session.flow.core) }
        try await expectFolds(session.flow, in: recorder, folder + "/audit")
      }
      try recorder.close()
      let log = try LogReader(directory: folder + "/audit")
      let stream = try #require(live.withLock { $0?.stream })
      #expect(try Replay.replay(Recording(flow: stream, of: log)) == [])
      #expect(try Verifier(directory: folder + "/audit").run().verdict == .unanchored)
    }
  }

  @Test("a store locked by another writer: nothing is sent, and the error says what to do")
  func locked() async throws {
    try await withTemporaryFolder { folder in
      let holder = try EventLog.open(at: folder + "/audit")
      try await expectRefusal(at: folder + "/audit", saying: "another writer")
      try holder.close()
    }
  }

  @Test("a store whose place is a file: nothing is sent")
  func notADirectory() async throws {
    try await withTemporaryFolder { folder in
      try Data("text".utf8).write(to: URL(fileURLWithPath: folder + "/audit"))
      try await expectRefusal(at: folder + "/audit", saying: "audit")
    }
  }

  @Test(
    "a read-only file system: nothing is sent",
    .enabled(if: SmallDisk.canMount, "a tmpfs cannot be mounted here (root is needed)"))
  func readOnly() async throws {
    let disk = try #require(SmallDisk(kilobytes: 256))
    defer { disk.remove() }
    #expect(disk.remount("ro"))
    try await expectRefusal(at: disk.path + "/audit", saying: "audit")
  }

  @Test(
    "a full disk in the middle of a sign-in: no further request, and the store is whole",
    .enabled(if: SmallDisk.canMount, "a tmpfs cannot be mounted here (root is needed)"))
  func fullDisk() async throws {
    let disk = try #require(SmallDisk(kilobytes: 256))
    defer { disk.remove() }
    let recorder = LogRecorder(directory: disk.path + "/audit")
    try await Scenario.passwordOnly.run(recorder: recorder, seed: 1)
    let scenario = Scenario("full", Scenario.pushApproved.configuration) { stage in
      let start = stage.begin()
      disk.fill()
      // The last page of the file may still take a few records: go on until the log is full.
      for _ in 0..<100 {
        let before = stage.org.requests.count
        do throws(OktaError) {
          _ = try await start.authenticate(username: Scenario.login, password: Scenario.password)
        } catch {
          guard case .internalError(let text) = error else { throw error }
          #expect(text.contains("audit log"))
          #expect(text.contains("nothing more is sent"))
          // Refused before it was sent; or sent, and the answer could not be written.
          #expect(stage.org.requests.count - before <= 1)
          let after = stage.org.requests.count
          do throws(OktaError) {
            _ = try await start.authenticate(username: Scenario.login, password: Scenario.password)
            Issue.record("a flow whose log failed went on")
          } catch { #expect(stage.org.requests.count == after) }
          return nil
        }
      }
      Issue.record("the disk never was full")
      return nil
    }
    try await scenario.run(recorder: recorder, seed: 2)
    disk.free()
    // The same recorder goes on once there is room.
    try await Scenario.passwordOnly.run(recorder: recorder, seed: 3)
    try recorder.close()
    #expect(try Verifier(directory: disk.path + "/audit").run().verdict == .unanchored)
    let log = try LogReader(directory: disk.path + "/audit")
    var flows: Set<String> = []
    var cursor = try log.cursor()
    while let record = try cursor.next() { flows.insert(record.stream) }
    #expect(flows.filter { $0.hasPrefix("authn/") }.count == 3)
  }

  @Test("best effort: the sign-in completes, and the gap is recorded once the store is writable")
  func bestEffort() async throws {
    try await withTemporaryFolder { folder in
      let holder = try EventLog.open(at: folder + "/audit")
      let recorder = LogRecorder(directory: folder + "/audit", auditing: .bestEffort)
      try await Scenario.pushApproved.run(recorder: recorder) { _, last in #expect(last?.statusType == .success) }
      #expect(recorder.lost == 28)
      try holder.close()
      try await Scenario.passwordOnly.run(recorder: recorder)
      #expect(recorder.lost == 0)
      try recorder.close()
      let gaps = try LogReader(directory: folder + "/audit").records(of: "log").filter { $0.type == "log.gap" }
      #expect(gaps.count == 1)
      let data = try JSON(parsing: try #require(gaps.first).data)
      #expect(data["lost"]?.int == 28)
      #expect(data["flows"]?.array?.count == 1)
      #expect(data["reason"]?.string?.contains("another writer") == true)
    }
  }

  @Test(
    "best effort on a full disk: the sign-in completes, and the log says what was lost",
    .enabled(if: SmallDisk.canMount, "a tmpfs cannot be mounted here (root is needed)"))
  func bestEffortFullDisk() async throws {
    let disk = try #require(SmallDisk(kilobytes: 256))
    defer { disk.remove() }
    let recorder = LogRecorder(directory: disk.path + "/audit", auditing: .bestEffort)
    try await Scenario.passwordOnly.run(recorder: recorder, seed: 1)
    disk.fill()
    try await Scenario.pushApproved.run(recorder: recorder, seed: 2) { _, last in #expect(last?.statusType == .success)
    }
    #expect(recorder.lost > 0)
    disk.free()
    try await Scenario.passwordOnly.run(recorder: recorder, seed: 3)
    try recorder.close()
    let log = try LogReader(directory: disk.path + "/audit")
    #expect(try log.records(of: "log").contains { $0.type == "log.gap" })
    #expect(try Verifier(directory: disk.path + "/audit").run().verdict == .unanchored)
  }

  @Test("durability each: the callback comes after the sync")
  func durable() async throws {
    try await withTemporaryFolder { folder in
      var options = EventLog.Options()
      options.durability = .each
      let recorder = LogRecorder(directory: folder + "/audit", options: options)
      try await Scenario.pushApproved.run(recorder: recorder) { _, last in #expect(last?.statusType == .success) }
      try recorder.close()
      let log = try LogReader(directory: folder + "/audit")
      let stream = try #require(try firstFlow(of: log))
      #expect(try Replay.replay(Recording(flow: stream, of: log)) == [])
    }
  }

  @Test("a long body continues in parts, and comes back whole")
  func longBody() async throws {
    try await withTemporaryFolder { folder in
      var configuration = Scenario.passwordOnly.configuration
      configuration.decorate = { _, body in
        var body = body
        body["errorSummary"] = .string(String(repeating: "long \"text\" é ", count: 12_000))
        return body
      }
      let recorder = LogRecorder(directory: folder + "/audit")
      let scenario = Scenario("long", configuration, play: Scenario.passwordOnly.play)
      try await scenario.run(recorder: recorder) { _, last in
        let session = try #require(last?.object.session)
        try recorder.open().flush()
        let log = try LogReader(directory: folder + "/audit")
        let stored = try log.records(of: session.flow.stream)
        #expect(stored.filter { $0.type == "body.part" }.count > 3)
        try await expectFolds(session.flow, in: recorder, folder + "/audit")
        #expect(last?.model.json["errorSummary"]?.string?.utf8.count == 12_000 * 15)
      }
      try recorder.close()
      let log = try LogReader(directory: folder + "/audit")
      let stream = try #require(try firstFlow(of: log))
      #expect(try Replay.replay(Recording(flow: stream, of: log)) == [])
    }
  }

  @Test("flows that begin together after a loss record the gap once")
  func gapToldOnce() async throws {
    try await withTemporaryFolder { folder in
      let holder = try EventLog.open(at: folder + "/audit")
      let recorder = LogRecorder(directory: folder + "/audit", auditing: .bestEffort)
      try await Scenario.passwordOnly.run(recorder: recorder, seed: 1)
      let lost = recorder.lost
      #expect(lost > 0)
      try holder.close()
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<16 { group.addTask { _ = recorder.journal(for: "authn/\(index)") } }
      }
      #expect(recorder.lost == 0)
      try recorder.close()
      let gaps = try LogReader(directory: folder + "/audit").records(of: "log").filter { $0.type == "log.gap" }
      let told = try gaps.map { try JSON(parsing: $0.data)["lost"]?.int ?? 0 }
      #expect(told.reduce(0, +) == lost)
    }
  }

  @Test("a recorder that cannot sign at its close gives the lock back all the same")
  func closeGivesTheLockBack() async throws {
    try await withTemporaryFolder { folder in
      let recorder = LogRecorder(directory: folder + "/audit", signingKey: try SigningKey(name: "another-origin"))
      try await Scenario.passwordOnly.run(recorder: recorder)
      #expect(throws: StoreError.self) { try recorder.close() }
      try EventLog.open(at: folder + "/audit").close()
    }
  }

  // MARK: Helpers

  private func expectRefusal(
    at directory: String, saying word: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let recorder = LogRecorder(directory: directory)
    let scenario = Scenario("refused", Scenario.passwordOnly.configuration) { stage in
      let start = stage.begin()
      do throws(OktaError) {
        _ = try await start.authenticate(username: Scenario.login, password: Scenario.password)
        Issue.record("a request left although it could not be recorded", sourceLocation: sourceLocation)
      } catch {
        guard case .internalError(let text) = error else { throw error }
        #expect(text.contains("audit log"), sourceLocation: sourceLocation)
        #expect(text.contains(word), sourceLocation: sourceLocation)
      }
      return nil
    }
    let requests = try await scenario.run(recorder: recorder)
    #expect(requests.isEmpty, sourceLocation: sourceLocation)
  }

  /// Expects what a flow has written to fold to what is live.
  private func expectFolds(
    _ flow: Flow<AuthnCore>, in recorder: LogRecorder, _ store: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let log = try recorder.open()
    let folds = await holdsSoon {
      guard (try? log.flush()) != nil, let stored = try? LogReader(directory: store).records(of: flow.stream),
        let records = try? EventCoding.decode(stored)
      else { return false }
      return AuthnCore.folding(records) == flow.core
    }
    #expect(folds, "the log does not fold to what is live", sourceLocation: sourceLocation)
  }

  private func firstFlow(of log: LogReader) throws -> String? {
    var cursor = try log.cursor()
    while let record = try cursor.next() {
      if record.stream.hasPrefix("authn/") { return record.stream }
    }
    return nil
  }
}
