// Every fault at every request, and every order of concurrent inputs.

public import EventStore
public import FlowKinds
public import FlowRecording

/// How a flow with one fault ended.
public struct SweptFault: Sendable {
  /// The recording, as its caller named it.
  public var recording: String
  /// The flow's stream.
  public var flow: String
  /// The revision of the request, or of the input that comes later.
  public var revision: Int
  /// The method and the path, or the inputs that were reordered.
  public var request: String
  /// What went wrong: `lost`, `429`, `cancelled`.
  public var fault: String
  /// How the flow ended.
  public var ending: FlowEnding

  /// The members of `auditctl replay --sweep --json`.
  public var json: JSON {
    [
      "recording": .string(recording), "flow": .string(flow), "revision": .int(revision), "request": .string(request),
      "fault": .string(fault), "ending": .string(ending.description), "finding": .bool(ending.isFinding),
    ]
  }
}

/// Tries faults on recordings.
public enum FaultSweep {
  /// Tries every fault at every request of a recording, and every order of inputs that do not depend on each other.
  ///
  /// - Parameters:
  ///   - recording: the recording.
  ///   - kinds: the kinds of flow to run.
  ///   - each: tries one of this many faults, for a faster sweep; the selection depends on the names of recording and
  ///     flow.
  ///   - tried: called before each run with a description of it, so that the last call identifies a run that crashes.
  /// - Throws: `ReplayError` if a flow is of an unknown kind.
  public static func run(
    _ recording: Recording, kinds: KindRegistry = .standard, each: Int = 1,
    tried: (_ revision: Int, _ fault: String) -> Void = { _, _ in }
  ) throws -> [SweptFault] {
    var found: [SweptFault] = []
    for flow in recording.flows {
      guard let kind = kinds.kind(of: flow.records), let steps = flow.steps else {
        throw ReplayError.noKind(of: flow)
      }
      let each = max(1, each)
      // Every flow begins with another fault, so that all kinds of them are tried somewhere.
      let start = Int(StableHash.value("\(recording.name) \(flow.stream)") % UInt64(each))
      let faults = faults(of: flow, steps).enumerated().compactMap { number, fault in
        (number + start).isMultiple(of: each) ? fault : nil
      }
      let endings = try kind.endings(of: flow, steps, faults.map(\.edits)) { number in
        tried(faults[number].revision, faults[number].name)
      }
      found += zip(faults, endings).map { fault, ending in
        SweptFault(
          recording: recording.name, flow: flow.stream, revision: fault.revision, request: fault.request,
          fault: fault.name, ending: ending)
      }
    }
    return found
  }

  /// A fault.
  struct Fault {
    var revision: Int
    var request: String
    var name: String
    var edits: [FlowEdit]
  }

  /// All faults that can occur in a flow.
  static func faults(of flow: RecordedFlow, _ steps: [FlowStep]) -> [Fault] {
    let records = Dictionary(flow.records.map { ($0.revision, $0) }) { first, _ in first }
    var faults: [Fault] = []
    for (index, step) in steps.enumerated() {
      if step.isAnswer, let cause = step.input.cause, case .requestSent(let request)? = records[cause]?.event {
        for (name, changes) in changes(for: request) {
          faults.append(
            Fault(
              revision: cause, request: request.path, name: name, edits: changes.map { FlowEdit(at: cause, $0) }))
        }
      }
      guard index + 1 < steps.count, isConcurrent(step, steps[index + 1]) else { continue }
      let names = [step, steps[index + 1]].map(\.input.event.type).joined(separator: " after ")
      faults.append(
        Fault(
          revision: step.input.revision, request: names, name: "order",
          edits: [FlowEdit(at: step.input.revision, .after(steps[index + 1].input.revision))]))
    }
    return faults
  }

  /// True if the second of two inputs could have come first: it answers nothing that the first one led to.
  private static func isConcurrent(_ one: FlowStep, _ other: FlowStep) -> Bool {
    if case .flowStarted = one.input.event { return false }
    let made = Set([one.input.revision] + one.outputs.map(\.revision))
    if let cause = other.input.cause { return !made.contains(cause) }
    guard case .callMade(let call) = other.input.event else { return false }
    if let on = call.on { return !made.contains(on) }
    return call.arguments["call"]?.int.map { !made.contains($0) } ?? false
  }

  private static func changes(for request: RequestSent) -> [(String, [FlowEdit.Change])] {
    func answer(
      _ status: Int, _ body: JSON? = nil, headers: [(name: String, value: String)] = []
    ) -> FlowEdit.Change {
      .answer(status: status, headers: headers, body: body, isMalformed: false)
    }
    let expired: JSON =
      request.url.contains("/idp/idx")
      ? [
        "version": "1.0.0",
        "messages": [
          "type": "array",
          "value": [
            ["message": "The session has expired.", "i18n": ["key": "idx.session.expired"], "class": "ERROR"]
          ],
        ],
      ]
      : [
        "error": "invalid_grant", "error_description": "expired", "errorCode": "E0000011",
        "errorSummary": "Invalid token provided",
      ]
    let limited: JSON = ["errorCode": "E0000047", "errorSummary": "API call exceeded rate limit"]
    return [
      ("lost", [.lost(TransportError.Code.connectionLost.rawValue)]),
      ("timedOut", [.lost(TransportError.Code.timedOut.rawValue)]), ("missing", [.missing]),
      ("429", [answer(429, limited)]),
      ("429 Retry-After", [answer(429, limited, headers: [("Retry-After", "2")])]),
      ("500", [answer(500, ["errorCode": "E0000009", "errorSummary": "Internal Server Error"])]),
      ("503 empty", [answer(503)]),
      ("malformed", [.answer(status: 200, headers: [], body: nil, isMalformed: true)]),
      ("empty object", [answer(200, [:])]), ("empty list", [answer(200, [])]),
      ("expired", [answer(401, expired)]), ("cancelled", [.cancelled]),
      (
        "cancelled, lost",
        [.cancelled, .lost(TransportError.Code.connectionLost.rawValue)]
      ),
    ]
  }
}
