// What every kind of flow has to stand, whatever it is about. One line in a test:
//
//     #expect(await FlowBattery(MagicLinkKind.self, [scenario]).findings() == [])

public import EventStore
public import FlowRecording
import Replay

/// Plays the scenarios of a kind whole, spoiled, and state by state.
///
/// A finding is a sentence that names scenario and place. The battery needs no test framework.
public struct FlowBattery<Kind: FlowKind>: Sendable {
  let scenarios: [FlowScenario]
  let kinds: KindRegistry
  /// The time at which each play begins.
  let start: Timestamp
  let density: Int

  /// A battery over some scenarios of a kind.
  ///
  /// - Parameters:
  ///   - kind: the kind.
  ///   - scenarios: sign-ins that end well.
  ///   - start: when each begins, so that logs do not depend on the day.
  ///   - density: of every so many faults one is tried at each request, another one at the next; 1 tries all.
  public init(
    _ kind: Kind.Type, _ scenarios: [FlowScenario] = [],
    start: Timestamp = Timestamp(microseconds: 1_767_225_600_000_000), density: Int = 1
  ) {
    self.scenarios = scenarios
    self.density = max(density, 1)
    self.start = start
    kinds = KindRegistry([kind])
  }

  /// Runs all of it.
  ///
  /// - Returns: what was found; nothing if the kind stands it all. Cost: a play for each request of each scenario and each
  ///   fault, and a decision for each input at each state.
  public func findings() async -> [String] {
    var findings: [String] = []
    var flows: [RecordedFlow] = []
    for scenario in scenarios {
      let whole = await play(scenario)
      if let error = whole.error { findings.append("\(scenario.name) does not end well: \(error)") }
      findings += check(whole, of: scenario, scenario.name)
      flows += whole.flows
      findings += await sweep(scenario, requests: whole.sent.count)
    }
    return findings + states(of: flows)
  }

  /// A play and what is left of it.
  struct Play {
    var flows: [RecordedFlow] = []
    var sent: [HTTPRequest] = []
    /// The bodies of the answers.
    var bodies: [[UInt8]] = []
    var error: (any Error)?
    var findings: [String] = []
  }

  func play(
    _ scenario: FlowScenario, _ fault: Fault? = nil, at index: Int = 0, limit: Int = 1_000, password: String? = nil
  ) async -> Play {
    let recorder = MemoryRecorder()
    do {
      let stand = try await scenario.begin(password ?? scenario.password ?? "")
      let time = stand.time ?? HurriedTime(start: start)
      let transport = FaultyTransport(stand.transport, fault, at: index, limit: limit)
      let environment = FlowEnvironment(
        recorder: recorder, transport: transport, clock: time, entropy: SeededEntropy(seed: 1), timers: time,
        device: nil, userAgent: "FlowTestKit/1")
      var play = Play()
      do { try await stand.play(environment) } catch { play.error = error }
      play.findings = await stand.inspect(recorder)
      await stand.end()
      play.flows = Self.flows(recorder)
      (play.sent, play.bodies) = transport.exchanged
      return play
    } catch {
      return Play(error: error, findings: ["\(scenario.name) cannot begin: \(error)"])
    }
  }

  private static func flows(_ recorder: MemoryRecorder) -> [RecordedFlow] {
    recorder.streams.map { RecordedFlow(stream: $0, records: recorder.records(of: $0)) }
  }

  /// Each request of a scenario, spoiled in each way: the play ends, sends no storm, and leaves a log that is whole.
  private func sweep(_ scenario: FlowScenario, requests: Int) async -> [String] {
    var findings: [String] = []
    for index in Self.chosen(of: requests) {
      for (number, fault) in Fault.allCases.enumerated() where (number + index) % density == 0 {
        let name = "\(scenario.name), request \(index), \(fault.rawValue)"
        let limit = 2 * requests + 70
        let spoiled = await play(scenario, fault, at: index, limit: limit)
        if spoiled.sent.count >= limit { findings.append("\(name) sends \(spoiled.sent.count) requests") }
        findings += check(spoiled, of: scenario, name)
      }
    }
    return findings
  }

  /// Which requests are spoiled: of a long poll the first and the last ones stand for the rest.
  private static func chosen(of count: Int) -> [Int] {
    count <= 10 ? Array(0..<count) : Array(0..<5) + Array((count - 3)..<count)
  }

  /// What holds of every play: it reads, folds and replays, closes its calls, and shows no secret.
  func check(_ play: Play, of scenario: FlowScenario, _ name: String) -> [String] {
    var findings = play.findings.map { "\(name): \($0)" }
    if play.flows.isEmpty { findings.append("\(name) records no flow") }
    for flow in play.flows {
      findings += readsBack(flow, name) + unanswered(flow, name)
      do throws(ReplayError) {
        // What an org spoiled is for the decisions: made-up secrets need not stand where spoiled values stood.
        let divergences = try Replay.replay(Recording(name: name, flows: [flow]), kinds: kinds, depth: .core)
        findings += divergences.map { "\(name) does not replay: \($0.message)" }
      } catch {
        findings.append("\(name) does not replay: \(error)")
      }
      let log = flow.records.map { String(decoding: EventCoding.encode($0.event).data, as: UTF8.self) }
      for secret in scenario.secrets where log.contains(where: { $0.contains(secret) }) {
        findings.append("\(name) shows the secret '\(secret)'")
      }
    }
    return findings
  }

  private func readsBack(_ flow: RecordedFlow, _ name: String) -> [String] {
    flow.records.compactMap { record in
      do throws(EventError) {
        let event = record.event
        let read = try FlowEvent(type: event.type, version: event.version, data: event.data)
        if case .domain(let domain) = read, !Kind.declarations.contains(where: { $0.type == domain.type }) {
          return "\(name): the kind does not list '\(domain.type)'"
        }
        return read == event ? nil : "\(name): \(event.type) at \(record.revision) does not read back"
      } catch {
        return "\(name): \(record.event.type) at \(record.revision) does not read back: \(error)"
      }
    }
  }

  /// Each call that was made has returned, once.
  private func unanswered(_ flow: RecordedFlow, _ name: String) -> [String] {
    var returns: [Int: Int] = [:]
    for case .callReturned(let returned) in flow.records.map(\.event) { returns[returned.call, default: 0] += 1 }
    return flow.records.compactMap { record in
      guard case .callMade(let made) = record.event, !made.isControl else { return nil }
      let count = returns[record.revision] ?? 0
      return count == 1 ? nil : "\(name): \(made.call) at \(record.revision) returns \(count) times"
    }
  }
}
