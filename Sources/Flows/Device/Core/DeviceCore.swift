// The state of a device flow, and what follows from an input. No I/O, no clock, no random numbers.

import EventStore
package import FlowRecording

/// A flow of the push authenticator: one operation on an enrollment, or one challenge from its arrival to its end.
package struct DeviceCore: FlowCore {
  /// The kind's name.
  package static var kind: String { "device" }
  /// What may be written of its messages.
  package static var policy: MaskingPolicy { DevicePolicy.policy }
  /// What it draws.
  package static let draws: DrawDeclarations = .standard(and: DeviceDraws.declarations)

  /// What the flow is about.
  package enum Work: Sendable, Equatable {
    /// Nothing yet.
    case none
    /// An operation on an enrollment, or on what leads to one.
    case operation(DeviceOperation)
    /// A challenge.
    case challenge(ChallengeWork)
  }

  /// What the flow is configured with.
  package struct Settings: Sendable, Equatable {
    /// What counts as `aud` of a challenge beside the product's own.
    var audiences: [String] = []
    /// Origins that count as the org's own.
    var origins: [String] = []
    /// What requests say of the client.
    var userAgent = ""
    /// Whether a challenge is checked when it is parsed, as far as no network is needed.
    var isStrict = false
    /// Whether an enrollment that the org calls suspended is deleted here when it is deleted there.
    var deletesSuspended = true
    /// The names that plug-ins of the application answer for.
    var plugins: [String] = []
    /// Whether §21's rows 4, 5, 6, 9 and 10 are as in the reference.
    var isReference = false
    /// How long the org's keys are waited for; nil for as long as the transport waits.
    var keyDiscoveryMilliseconds: Int?
  }

  /// Calls, requests and the outcome.
  package internal(set) var ledger = Ledger<DeviceCall, DeviceStep>()
  /// What the flow is configured with.
  package internal(set) var settings = Settings()
  /// What the flow is about.
  package internal(set) var work = Work.none
  /// The awaited draws under way, by the revision of their `draw.asked`.
  package internal(set) var asked: [Int: DeviceStep] = [:]
  /// The step that was answered last.
  package internal(set) var lastStep: DeviceStep?

  /// The state before the first event.
  package init() {}

  /// No object of this kind holds a state.
  package var snapshotRevision: Int? { nil }
  /// The calls that wait.
  package var openCalls: Set<Int> { Set(ledger.calls.keys) }
  /// The timers of a challenge: of its end, and of the org's keys.
  package var awaitedTimers: Set<Int> {
    guard case .challenge(let challenge) = work else { return [] }
    return Set([challenge.timer, challenge.discoveryTimer].compactMap(\.self))
  }
  /// Whether a draw still counts: a question to the person, and what plug-ins collect, does until the flow has ended. What is
  /// done to keys and storage is done to its end.
  package func awaits(draw revision: Int) -> Bool {
    guard let step = asked[revision], step == .verifyPerson || step == .collect else { return true }
    return ledger.outcome == nil
  }
  /// Whether something was begun that has not ended.
  package var isOpen: Bool {
    switch work {
    case .none, .operation: ledger.isOpen
    case .challenge(let challenge): ledger.outcome == nil && challenge.phase != .ended
    }
  }

  /// The operation; nil in a flow about something else.
  package var operation: DeviceOperation? { if case .operation(let operation) = work { operation } else { nil } }
  /// The challenge; nil in a flow about something else.
  package var challenge: ChallengeWork? { if case .challenge(let challenge) = work { challenge } else { nil } }

  /// A request with what all requests of the flow have.
  func request(_ plan: RequestPlan, token: JSON?) -> FlowEvent {
    var plan = plan
    if let token = token?.string { plan.headers.append(HTTPField("Authorization", "Bearer " + token)) }
    let home = operation?.orgURL ?? challenge?.orgURL ?? plan.url
    return plan.sent(
      client: HTTPField("User-Agent", settings.userAgent), cookie: nil, by: LinkRule(home: home))
  }

  /// Asks for a draw that is awaited, for a call.
  static func ask(_ kind: DrawKind, _ step: DeviceStep, for call: Int, _ members: [(String, JSON?)]) -> FlowEvent {
    .drawAsked(
      DrawAsked(
        kind: kind, input: .members([("call", .int(call)), ("step", .string(step.rawValue))] + members)))
  }
}
