// Reduces a recording that shows a behavior to the smallest one that still shows it.

import EventStore
public import FlowKinds
public import FlowRecording

/// Removes everything from a recording that is not needed to show a behavior.
///
/// It removes flows, calls, polls and other inputs, everything after the last needed input, and members and headers of
/// responses. The outputs are what this SDK makes from the remaining inputs, so the result folds and replays; a
/// recording that is kept because it diverges diverges in the same way, and ends there. If this SDK does not make from
/// the inputs of a flow what is to be kept, the remaining events are the recorded ones, with whole responses.
public struct Minimiser: Sendable {
  /// A recording that was minimized.
  public struct Result: Sendable {
    /// The recording.
    public var recording: Recording
    /// How many recordings were tried.
    public var trials: Int
  }

  private let condition: MinimiseCondition
  private let trimsResponses: Bool
  private let kinds: KindRegistry
  private let progress: @Sendable (Int) -> Void

  /// Makes a minimiser.
  ///
  /// - Parameters:
  ///   - condition: the behavior that must still show.
  ///   - trimsResponses: whether members and headers of responses are left out too.
  ///   - kinds: the kinds of flow that it knows.
  ///   - progress: called with the number of recordings tried so far.
  public init(
    keeping condition: MinimiseCondition, trimsResponses: Bool = true, kinds: KindRegistry = .standard,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    (self.condition, self.trimsResponses, self.kinds, self.progress) = (condition, trimsResponses, kinds, progress)
  }

  /// Minimizes a recording. Cost: some hundred replays for a sign-in of fifty events.
  ///
  /// - Throws: `MinimiseError` if the recording does not show the behavior to keep, or cannot be replayed.
  public func minimise(_ recording: Recording) throws(MinimiseError) -> Result {
    // A smaller recording has no digests, so it cannot show what only digests contain.
    let original = Recording(name: recording.name, flows: recording.flows)
    let check: (@Sendable (Recording) -> Bool)?
    do throws(ReplayError) {
      guard !recording.flows.isEmpty else { throw .empty(name: recording.name) }
      for flow in recording.flows where kinds.kind(of: flow.records) == nil {
        throw .noKind(of: flow)
      }
      check = try condition.check(of: original, kinds: kinds)
    } catch {
      throw .unreadable(error)
    }
    guard let check else {
      let isOfDigests = condition.isDivergence && (try? Replay.replay(recording, kinds: kinds))?.isEmpty == false
      throw .notShown(
        recording: recording.name,
        what: isOfDigests ? "diverges by its digests alone, which no smaller one has" : condition.absence)
    }
    var trials = 0
    func shows(_ flows: [RecordedFlow]) -> Bool {
      trials += 1
      progress(trials)
      return !flows.isEmpty && check(Recording(name: recording.name, flows: flows))
    }
    var flows = DeltaDebugging.reduce(recording.flows, shows)
    for index in flows.indices {
      flows[index] = minimise(flows[index]) { candidate in
        var others = flows
        others[index] = candidate
        return shows(others)
      }
    }
    return Result(recording: Recording(name: recording.name, flows: flows), trials: trials)
  }

  /// Whether a recording still shows what this minimiser keeps, after persons were replaced in it. The values of a kept
  /// divergence may then be other texts.
  ///
  /// - Parameters:
  ///   - recording: the recording before.
  ///   - anonymised: the recording after.
  public func keeps(_ recording: Recording, in anonymised: Recording) -> Bool {
    if case .test(let test) = condition { return test(anonymised) }
    guard let check = try? condition.check(of: recording, kinds: kinds, ignoringTexts: true) else { return false }
    return check(anonymised)
  }

  private func minimise(_ flow: RecordedFlow, _ shows: (RecordedFlow) -> Bool) -> RecordedFlow {
    guard let kind = kinds.kind(of: flow.records) else { return flow }
    if let reduction = kind.reduction(of: flow, keepsDivergence: condition.isDivergence),
      let best = reduced(by: reduction, shows)
    {
      return kind.renamed(best).flatMap { shows($0) ? $0 : nil } ?? best
    }
    guard !condition.isDivergence, let reduction = FlowReduction(recorded: flow) else { return flow }
    return reduced(by: reduction, shows) ?? flow
  }

  /// The smallest flow that still shows the sought behavior; `nil` if not even that of all inputs shows it.
  private func reduced(by reduction: FlowReduction, _ shows: (RecordedFlow) -> Bool) -> RecordedFlow? {
    let last = reduction.divergent ?? reduction.steps.count - 1
    var plan = FlowPlan(steps: Array(0...last))
    guard let first = reduction.make(plan), shows(first.flow) else { return nil }
    var best = first.flow
    func takes(_ plan: FlowPlan) -> PlannedFlow? {
      guard let made = reduction.make(plan), shows(made.flow) else { return nil }
      best = made.flow
      return made
    }
    plan.steps = first.steps
    var size = -1
    while size != EventSize.of(best) {
      size = EventSize.of(best)
      reduceSteps(of: &plan, takes)
      if trimsResponses, reduction.isRemade { reduceResponses(of: &plan, reduction, takes) }
    }
    _ = takes(plan)
    return best
  }

  /// Leaves inputs out. The first is `flow.started`, without which there is no flow.
  private func reduceSteps(of plan: inout FlowPlan, _ takes: (FlowPlan) -> PlannedFlow?) {
    guard let start = plan.steps.first else { return }
    let responses = plan.responses
    // Whole trailing parts first: half of what is left, as long as that is not needed.
    var rest = Array(plan.steps.dropFirst())
    var cut = rest.count / 2
    while cut > 0 {
      if takes(FlowPlan(steps: [start] + rest.dropLast(cut), responses: responses)) != nil {
        rest.removeLast(cut)
        cut = min(cut, rest.count)
      } else {
        cut /= 2
      }
    }
    rest = DeltaDebugging.reduce(rest) { takes(FlowPlan(steps: [start] + $0, responses: responses)) != nil }
    plan.steps = takes(FlowPlan(steps: [start] + rest, responses: responses))?.steps ?? [start] + rest
  }

  /// Leaves headers and members of responses out.
  private func reduceResponses(
    of plan: inout FlowPlan, _ reduction: FlowReduction, _ takes: (FlowPlan) -> PlannedFlow?
  ) {
    for index in plan.steps {
      guard case .responseReceived(let recorded) = reduction.steps[index].input.event else { continue }
      var response = plan.responses[index] ?? recorded
      func takesChanged(_ change: (inout ResponseReceived) -> Void) -> Bool {
        var changed = response
        change(&changed)
        var other = plan
        other.responses[index] = changed
        return takes(other) != nil
      }
      response.headers = DeltaDebugging.reduce(response.headers) { headers in takesChanged { $0.headers = headers } }
      if case .json(let body) = response.body {
        response.body = .json(BodyTrimming.trim(body) { json in takesChanged { $0.body = .json(json) } })
      }
      plan.responses[index] = response
    }
  }
}

/// The size of a flow, to check whether it became smaller.
private enum EventSize {
  static func of(_ flow: RecordedFlow) -> Int {
    flow.records.reduce(0) { $0 + 64 + EventCoding.encode($1.event).data.count }
  }
}

extension FlowKind {
  /// The reduction for a flow of this kind.
  fileprivate static func reduction(of flow: RecordedFlow, keepsDivergence: Bool) -> FlowReduction? {
    FlowReduction(flow, of: self, keepsDivergence: keepsDivergence)
  }
}
