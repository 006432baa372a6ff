// How a played application handles challenges, and the steps that it receives.

import EventStore
package import FlowRecording

extension DeviceApplication {
  /// Makes a call on a challenge. A call on a challenge that was never delivered has no public form.
  func callOfChallenge(_ table: DeviceFormTable, _ arguments: JSON) -> PlayedCall {
    let revision = table.revision
    if table.call == .receive { return receive(arguments, at: revision) }
    guard let challenge else { return .noForm }
    let answer = arguments["answer"]?.string
    let by = arguments["by"]?.string
    let steps = steps
    switch table.call {
    case .respond:
      let responses: [String?: PushChallengeUserResponse] = [
        "approved": .userApproved, "denied": .userDenied, "none": .userNotResponded,
      ]
      guard by == "application", let response = responses[answer] else { return .noForm }
      guard response != .userNotResponded || isHeard else { return .noForm }
      silent.insert(revision)
      challenge.userResponse = response
      return .played
    case .resolve:
      // This must record no call, because there is no answer to withdraw.
      if !isHeard { challenge.userResponse = .userNotResponded }
      steps.begin(revision)
      return table.end {
        challenge.resolve(onRemediation: { steps.take($0) }, onCompletion: $0)
      } awaited: {
        () throws(DeviceAuthenticatorError) in
        try await challenge.resolve(onRemediation: { steps.take($0) })
      }
    case .provideConsent:
      guard let answer = answer.flatMap(UserConsentResponse.init), by == "step" || by == "default" && answer == .none
      else { return .noForm }
      guard let step = steps.consent else { return .refused("no step asked for consent") }
      silent.insert(revision)
      if by == "step" { step.provide(answer) } else { step.defaultProcess() }
      return .played
    case .provideVerification:
      guard let step = steps.verification else { return .refused("no step asked for verification") }
      silent.insert(revision)
      let words = UserVerificationParameters(
        localizedFallbackTitle: arguments["fallbackTitle"]?.string,
        localizedCancelTitle: arguments["cancelTitle"]?.string,
        localizedReason: arguments["reason"]?.string)
      if words == UserVerificationParameters() { step.defaultProcess() } else { step.provide(words) }
      return .played
    case .retrySubmission:
      return table.end {
        challenge.retrySubmission(onCompletion: $0)
      } awaited: {
        () throws(DeviceAuthenticatorError) in
        try await challenge.retrySubmission()
      }
    case .receive, .downloadPolicy, .enroll, .updateDeviceToken, .setUserVerification, .enableCIBATransactions, .delete,
      .deleteFromDevice, .retrieveMaintenanceToken, .retrievePushChallenges:
      return .noForm
    }
  }

  /// Whether there is an answer that the person can withdraw: a handle withdraws nothing if none was given.
  private var isHeard: Bool { flow.core.challenge?.phase == .parsed && flow.core.challenge?.answer != nil }

  /// Passes a notification on unchanged. One that contradicts another flow's challenge would need that flow.
  private func receive(_ arguments: JSON, at revision: Int) -> PlayedCall {
    guard arguments["conflict"] == nil else { return .noForm }
    let skew = arguments["skew"]?.int ?? 300
    let keys = (arguments["keys"]?.array ?? []).compactMap(\.string)
    let values = ["payloadVersion", "challenge"].flatMap { name in
      [(name, arguments[name]), ("okta." + name, arguments[name])]
    }
    let payload = JSON.members(keys.map { key in (key, values.first { $0.0 == key }?.1 ?? "") })
    if arguments["source"]?.string == "pull" {
      guard let enrollment = arguments["pulledFor"]?.string else { return .noForm }
      let pulled = context.pulled(payload, for: enrollment, skew: skew)
      challenge = pulled ?? challenge
      got.keep(.challenge(pulled), of: revision)
      return .played
    }
    let members = (payload.object?.members ?? []).map { ($0.key, $0.value as any Sendable) }
    let notification = PushNotification(userInfo: Dictionary(members) { first, _ in first })
    guard notification.version == arguments["payloadVersion"], notification.challenge == arguments["challenge"],
      notification.keys == keys
    else { return .refused("the notification is read otherwise than it came") }
    do {
      let received =
        if let action = arguments["action"]?.string {
          try DeviceAuthenticator(context).parsePushNotificationResponse(
            PushNotificationResponse(notification: notification, actionIdentifier: action),
            allowedClockSkewInSeconds: skew)
        } else {
          try DeviceAuthenticator(context).parsePushNotification(notification, allowedClockSkewInSeconds: skew)
        }
      challenge = received
      got.keep(.challenge(received), of: revision)
    } catch {
      got.keep(.error(error as? DeviceAuthenticatorError ?? .internalError("\(error)")), of: revision)
    }
    return .played
  }

  package func complaint(aboutNews events: [(revision: Int, event: DomainEvent)], in core: DeviceCore) -> (Int, String)?
  {
    var came = steps.takeNew()[...]
    for (revision, event) in events {
      guard let kind = DeviceEvent(event), DevicePlayedSteps.kinds.contains(kind),
        event.data["call"]?.int.map(steps.isOf) == true
      else { continue }
      guard let step = came.popFirst() else { return (revision, "no step was handed over") }
      if let complaint = DeviceStepCheck(step).complaint(kind, event.data, in: core) { return (revision, complaint) }
    }
    return came.isEmpty ? nil : (events.last?.revision ?? -1, "a step was handed over that nothing asked for")
  }
}

/// The steps that an application receives. Callbacks run on a queue of the replay.
final class DevicePlayedSteps: Sendable {
  /// The events that an application receives as steps.
  static let kinds: Set<DeviceEvent> = [.consentRequested, .verificationRequested, .keyFallback]

  private struct State {
    var calls: Set<Int> = []
    var new: [RemediationStep] = []
    var consent: RemediationStepUserConsent?
    var verification: RemediationStepUserVerification?
  }
  private let state = Locked(State())

  /// The most recent step that asks for the person's consent.
  var consent: RemediationStepUserConsent? { state.withLock { $0.consent } }
  /// The most recent step that asks for user verification.
  var verification: RemediationStepUserVerification? { state.withLock { $0.verification } }

  /// Registers a call whose steps are delivered here.
  func begin(_ call: Int) { state.withLock { _ = $0.calls.insert(call) } }

  /// Whether the steps of a call are delivered here.
  func isOf(_ call: Int) -> Bool { state.withLock { $0.calls.contains(call) } }

  /// Takes a delivered step.
  func take(_ step: RemediationStep) {
    state.withLock { state in
      state.new.append(step)
      if let step = step as? RemediationStepUserConsent { state.consent = step }
      if let step = step as? RemediationStepUserVerification { state.verification = step }
    }
  }

  /// Returns the steps since the previous call.
  func takeNew() -> [RemediationStep] {
    state.withLock { state in
      defer { state.new = [] }
      return state.new
    }
  }
}
