// The state of a device flow, and the decisions for each input. No I/O, no clock, no random numbers.

import EventStore
package import FlowRecording

/// A flow of the push authenticator: one operation on an enrollment, or one challenge from arrival to end.
package struct DeviceCore: FlowCore {
  /// The kind's name.
  package static var kind: String { "device" }
  /// The masking policy for its messages.
  package static var policy: MaskingPolicy { DevicePolicy.policy }
  /// The draws that it can make.
  package static let draws: DrawDeclarations = .standard(and: DeviceDraws.declarations)

  /// The subject of a flow.
  package enum Work: Sendable, Equatable {
    /// Nothing yet.
    case none
    /// An operation on an enrollment, or one that prepares an enrollment.
    case operation(DeviceOperation)
    /// A challenge.
    case challenge(ChallengeWork)
  }

  /// The settings of a flow.
  package struct Settings: Sendable, Equatable {
    /// The `aud` values that a challenge may have in addition to the product's own.
    var audiences: [String] = []
    /// Origins that are treated as the org's own.
    var origins: [String] = []
    /// The `User-Agent` header of requests.
    var userAgent = ""
    /// Whether a challenge is checked as early as parsing, as far as this needs no network.
    var isStrict = false
    /// Whether deleting an enrollment also removes it here if the org reports it as suspended.
    var deletesSuspended = true
    /// The names of the application's signal plug-ins.
    var plugins: [String] = []
    /// Whether rows 4, 5, 6, 9, and 10 of §21 behave as in the reference.
    var isReference = false
    /// How long to wait for the org's keys, in milliseconds; `nil` to wait as long as the transport does.
    var keyDiscoveryMilliseconds: Int?
  }

  /// Calls, requests and the outcome.
  package internal(set) var ledger = Ledger<DeviceCall, DeviceStep>()
  /// The settings of the flow.
  package internal(set) var settings = Settings()
  /// The subject of the flow.
  package internal(set) var work = Work.none
  /// Awaited draws in progress, keyed by the revision of their `draw.asked`.
  package internal(set) var asked: [Int: DeviceStep] = [:]
  /// The step that was answered most recently.
  package internal(set) var lastStep: DeviceStep?

  /// The state before the first event.
  package init() {}

  /// Always `nil`: no object of this kind holds a state.
  package var snapshotRevision: Int? { nil }
  /// The revisions of the calls that have not returned.
  package var openCalls: Set<Int> { Set(ledger.calls.keys) }
  /// The timers of a challenge: for its expiry, and for the org's keys.
  package var awaitedTimers: Set<Int> {
    guard case .challenge(let challenge) = work else { return [] }
    return Set([challenge.timer, challenge.discoveryTimer].compactMap(\.self))
  }
  /// Whether the answer to a draw is still awaited. For a question to the person, and for signals from plug-ins, this
  /// is so until the flow ends. Changes to keys and storage always run to completion.
  package func awaits(draw revision: Int) -> Bool {
    guard let step = asked[revision], step == .verifyPerson || step == .collect else { return true }
    return ledger.outcome == nil
  }
  /// Whether the flow has begun something that has not ended.
  package var isOpen: Bool {
    switch work {
    case .none, .operation: ledger.isOpen
    case .challenge(let challenge): ledger.outcome == nil && challenge.phase != .ended
    }
  }

  /// The operation; `nil` if the flow is about something else.
  package var operation: DeviceOperation? { if case .operation(let operation) = work { operation } else { nil } }
  /// The challenge; `nil` if the flow is about something else.
  package var challenge: ChallengeWork? { if case .challenge(let challenge) = work { challenge } else { nil } }

  /// A request with the headers that all requests of the flow share.
  func request(_ plan: RequestPlan, token: JSON?) -> FlowEvent {
    var plan = plan
    if let token = token?.string { plan.headers.append(HTTPField("Authorization", "Bearer " + token)) }
    let home = operation?.orgURL ?? challenge?.orgURL ?? plan.url
    return plan.sent(
      client: HTTPField("User-Agent", settings.userAgent), cookie: nil, by: LinkRule(home: home))
  }

  /// Asks for an awaited draw on behalf of a call.
  static func ask(_ kind: DrawKind, _ step: DeviceStep, for call: Int, _ members: [(String, JSON?)]) -> FlowEvent {
    .drawAsked(
      DrawAsked(
        kind: kind, input: .members([("call", .int(call)), ("step", .string(step.rawValue))] + members)))
  }
}
