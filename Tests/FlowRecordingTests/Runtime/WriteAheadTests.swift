import Authn
import Dispatch
import Foundation
import IDX
import OIDC
import Scenarios
import SimulatedOrg
import Testing

@testable import EventStore
@testable import FlowRecording

/// A request's event is in the log before the request leaves, a transition's before the application sees it: what a
/// reader from outside finds at those moments (DESIGN §2 rule 5).
@Suite struct WriteAheadTests {
  /// Where the log is kept and how it is looked at.
  struct Look: Sendable, CustomTestStringConvertible {
    var durability: Durability
    /// Whether the power goes at the moment of the look: only what was synced is there.
    var cutsPower = false

    var testDescription: String { "\(durability)\(cutsPower ? ", power cut" : "")" }

    static let all = [
      Look(durability: .os), Look(durability: .group(milliseconds: 20)), Look(durability: .each),
      Look(durability: .each, cutsPower: true),
    ]
  }

  @Test("the classic API: at each send the log has the request and all that came before", arguments: Look.all)
  func authnRequests(look: Look) async throws {
    for scenario in Scenario.golden {
      let witness = try Witness(look)
      defer { witness.remove() }
      var stage = try await Stage(scenario.configuration, recorder: witness)
      stage.environment.transport = WitnessedTransport(over: stage.environment.transport, witness)
      _ = try await scenario.play(stage)
      #expect(witness.requests > 0 && witness.problems == [], "\(scenario.name)")
      await stage.org.stop()
    }
  }

  @Test("the Identity Engine: at each send the log has the request and all that came before", arguments: Look.all)
  func idxRequests(look: Look) async throws {
    for scenario in IDXScenario.walkthroughs {
      let witness = try Witness(look)
      defer { witness.remove() }
      var stage = try await IDXStage(scenario.configuration, recorder: witness)
      stage.environment.transport = WitnessedTransport(over: stage.environment.transport, witness)
      try await scenario.play(stage)
      #expect(witness.requests > 0 && witness.problems == [], "\(scenario.name)")
      await stage.org.stop()
    }
  }

  @Test(
    "the classic API: each status, factor result and error is in the log when the application receives it",
    arguments: Look.all)
  func authnCallbacks(look: Look) async throws {
    let witness = try Witness(look)
    defer { witness.remove() }
    let stage = try await Stage(Scenario.pushApproved.configuration, recorder: witness)
    let start = stage.begin()
    let refused = await heard { done in
      start.authenticate(
        username: Scenario.login, password: "wrong", onStatusChange: { _ in },
        onError: { _ in
          witness.hears("call.returned")
          done(nil)
        })
    }
    #expect(refused == nil)
    let first = await heard { done in
      start.authenticate(
        username: Scenario.login, password: Scenario.password,
        onStatusChange: { status in
          witness.hears("call.returned", "status.changed")
          done(status)
        }, onError: { _ in done(nil) })
    }
    let required = try #require(first as? OktaAuthStatusFactorRequired)
    let push = try #require(required.availableFactors.first { $0 is OktaFactorPush })
    let selected = await heard { done in
      required.selectFactor(
        push,
        onStatusChange: { status in
          witness.hears("call.returned", "status.changed")
          done(status)
        }, onError: { _ in done(nil) })
    }
    let challenge = try #require(selected as? OktaAuthStatusFactorChallenge)
    stage.org.answerPush(for: Scenario.login, .approve, afterPolls: 4)
    let last = try await stage.firingTimers {
      await heard { done in
        challenge.verifyFactor(
          passCode: nil, answerToSecurityQuestion: nil,
          onStatusChange: { status in
            witness.hears("call.returned", "status.changed", "flow.ended")
            done(status)
          }, onError: { _ in done(nil) }, onFactorStatusUpdate: { _ in witness.hears("factor.updated") })
      }
    }
    #expect(last is OktaAuthStatusSuccess)
    #expect(witness.heard["factor.updated"] ?? 0 >= 3)
    #expect(witness.problems == [])
    await stage.org.stop()
  }

  /// Waits for the one closure that a call answers with.
  private func heard(_ call: (@escaping @Sendable (OktaAuthStatus?) -> Void) -> Void) async -> OktaAuthStatus? {
    await withCheckedContinuation { continuation in call { continuation.resume(returning: $0) } }
  }

  @Test(
    "the Identity Engine: each response and the tokens are in the log before the application has them",
    arguments: Look.all)
  func idxCallbacks(look: Look) async throws {
    let witness = try Witness(look)
    defer { witness.remove() }
    let scenario = try #require(IDXScenario.walkthroughs.first { $0.name == "idx-magic-link" })
    let stage = try await IDXStage(scenario.configuration, recorder: witness)
    let listener = Listener(witness)
    let flow = stage.begin()
    flow.add(delegate: listener)
    var response = try await flow.start()
    for _ in 0..<3 {
      response = try await IDXScenario.step(try #require(response.remediations.first), of: response, on: stage)
    }
    let pollable = try #require(response.authenticators.current?.pollable)
    #expect(stage.org.openMagicLink(for: Scenario.login))
    response = try await stage.firingTimers { try await pollable.startPolling() }
    #expect(try await IDXScenario.lead(from: response, on: stage) != nil)
    #expect(witness.heard["remediation.changed"] ?? 0 >= 5 && witness.heard["token.issued"] == 1)
    #expect(witness.problems == [])
    withExtendedLifetime(listener) {}
    await stage.org.stop()
  }
}

/// A delegate that looks into the log.
private final class Listener: InteractionCodeFlowDelegate {
  private let witness: Witness

  init(_ witness: Witness) { self.witness = witness }

  func authentication<Flow>(flow: Flow, received response: Response) where Flow: InteractionCodeFlow {
    witness.hears("remediation.changed", "call.returned")
  }

  func authentication<Flow>(flow: Flow, received token: Token) where Flow: InteractionCodeFlow {
    witness.hears("token.issued", "call.returned", "flow.ended")
  }
}

/// Looks into the log from outside whenever a request leaves.
private struct WitnessedTransport: Transport {
  private let transport: any Transport
  private let witness: Witness

  init(over transport: any Transport, _ witness: Witness) {
    self.transport = transport
    self.witness = witness
  }

  func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    witness.sees(request)
    return transport.send(request, completion: completion)
  }
}

/// A recorder over a log, which counts what flows append, and a reader of that log which knows nothing of the recorder.
private final class Witness: Recorder {
  private let look: WriteAheadTests.Look
  private let directory: String
  private let disk: MemoryDisk?
  private let recorder: LogRecorder
  private let state = Locked(State())

  private struct State {
    /// How many records each flow has appended.
    var appended: [String: Int] = [:]
    var requests = 0
    var heard: [String: Int] = [:]
    var problems: [String] = []
  }

  init(_ look: WriteAheadTests.Look) throws {
    self.look = look
    var options = LogOptions(durability: look.durability, origin: "witness")
    disk = look.cutsPower ? MemoryDisk(seed: 1) : nil
    if let disk { options.disk = disk }
    directory =
      look.cutsPower
      ? "/audit" : FileManager.default.temporaryDirectory.appending(path: "ahead-\(UUID().uuidString)").path
    recorder = LogRecorder(directory: directory, options: options)
  }

  func remove() {
    try? recorder.close()
    if disk == nil { try? FileManager.default.removeItem(atPath: directory) }
  }

  func journal(for stream: String) -> any FlowJournal {
    CountedJournal(journal: recorder.journal(for: stream)) { [self] count in
      state.withLock { $0.appended[stream, default: 0] += count }
    }
  }

  var requests: Int { state.withLock { $0.requests } }
  var heard: [String: Int] { state.withLock { $0.heard } }
  var problems: [String] { state.withLock { $0.problems } }

  /// A request leaves: its event must be the last one of its flow in the log, with all that the flow has appended.
  func sees(_ request: HTTPRequest) {
    let number = state.withLock { state in
      state.requests += 1
      return state.requests
    }
    expect("request \(number)") { records in
      let sent = records.filter { $0.type == "request.sent" }
      guard sent.count == number, let last = sent.last else { return "the log has \(sent.count) requests" }
      let data = try JSON(parsing: last.data)
      guard data["method"]?.string == request.method, data["headers"]?.array?.count == request.headers.count,
        URLParts(data["url"]?.string ?? "")?.origin == URLParts(request.url)?.origin
      else { return "the last request of the log is another one" }
      let flow = records.filter { $0.stream == last.stream }
      let appended = state.withLock { $0.appended[last.stream] ?? 0 }
      guard flow.count == appended else { return "the log has \(flow.count) of \(appended) events" }
      guard flow.map(\.revision) == Array(0..<flow.count) else { return "the flow has a hole" }
      return nil
    }
  }

  /// Called as the application receives something: the log must have at least as many events of these types.
  func hears(_ types: String...) {
    let counts = state.withLock { state in
      for type in types { state.heard[type, default: 0] += 1 }
      return state.heard
    }
    expect("\(types)") { records in
      for type in types {
        let count = records.count { $0.type == type }
        if count < counts[type] ?? 0 { return "the log has \(count) of \(counts[type] ?? 0) \(type)" }
      }
      return nil
    }
  }

  /// Reads the log as another process would find it now.
  private func expect(_ what: String, _ check: ([StoredRecord]) throws -> String?) {
    var problem: String?
    do {
      let reader =
        if let disk { try LogReader(directory: directory, disk: disk.leftByCut()) } else {
          try LogReader(directory: directory)
        }
      var cursor = try reader.cursor()
      var records: [StoredRecord] = []
      while let record = try cursor.next() { records.append(record) }
      problem = try check(records)
    } catch {
      problem = "\(error)"
    }
    guard let problem else { return }
    state.withLock { $0.problems.append("\(what): \(problem)") }
  }
}

/// Counts the records that were appended.
private struct CountedJournal: FlowJournal {
  let journal: any FlowJournal
  let count: @Sendable (Int) -> Void

  func append(_ entries: [JournalEntry]) throws(AuditError) {
    try journal.append(entries)
    count(entries.reduce(0) { $0 + 1 + $1.encoded.parts.count })
  }

  func barrier(resume: @escaping @Sendable (AuditError?) -> Void) -> JournalBarrier { journal.barrier(resume: resume) }
}
