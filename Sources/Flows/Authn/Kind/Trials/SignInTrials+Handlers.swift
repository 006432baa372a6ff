// What a response handler of the application is asked, the effect of its answers, and what ends polling.

import EventStore
import FlowRecording
import Foundation

extension SignInTrials {
  /// A status class of the application.
  private final class OwnStatus: OktaAuthStatus, @unchecked Sendable {}

  /// How a handler reacts to an answer.
  private enum Manner: CaseIterable {
    case usual, ownStatus, ownError, throwsOwn, throwsOther, twice, silent
  }

  private final class OwnHandler: OktaAuthStatusResponseHandler, @unchecked Sendable {
    struct Other: Error {}

    let stage: FlowStage
    let manner: Manner

    init(_ stage: FlowStage, _ manner: Manner) {
      (self.stage, self.manner) = (stage, manner)
      super.init(pollInterval: 2)
    }

    override func handleServerResponse(
      _ response: OktaAPIRequest.Result, currentStatus: OktaAuthStatus,
      onStatusChanged: @escaping (_ newStatus: OktaAuthStatus) -> Void,
      onError: @escaping (_ error: OktaError) -> Void,
      onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
    ) {
      switch response {
      case .success(let success):
        stage.say("handler \(success.status?.rawValue ?? "-") in \(currentStatus.statusType.rawValue)")
        if let status = success.basicStatus { stage.say(TrialTexts.text(status)) }
      case .error(let error): stage.say("handler \(TrialTexts.text(error))")
      }
      switch (manner, currentStatus.statusType) {
      case (.ownError, .MFAChallenge): return onError(.invalidParameters("own"))
      case (.silent, .MFAChallenge): onFactorStatusUpdate?(.rejected)
      case (.twice, .MFAChallenge):
        onError(.wrongStatus("first"))
        onError(.wrongStatus("second"))
        onStatusChanged(currentStatus)
      default:
        super.handleServerResponse(
          response, currentStatus: currentStatus, onStatusChanged: onStatusChanged, onError: onError,
          onFactorStatusUpdate: onFactorStatusUpdate)
      }
    }

    override func createAuthStatus(
      basedOn response: OktaAPISuccessResponse, and currentStatus: OktaAuthStatus
    ) throws -> OktaAuthStatus {
      switch (manner, currentStatus.statusType) {
      case (.ownStatus, .MFAChallenge): return try OwnStatus(currentState: currentStatus, model: response)
      case (.throwsOwn, .MFAChallenge): throw OktaError.invalidParameters("thrown")
      case (.throwsOther, .MFAChallenge): throw Other()
      default: return try super.createAuthStatus(basedOn: response, and: currentStatus)
      }
    }
  }

  /// The challenge of a push after the first two answers.
  private static func challenge(
    _ stage: FlowStage, _ handler: OktaAuthStatusResponseHandler
  ) async -> OktaAuthStatusFactorChallenge? {
    guard let required = await first(stage, handler), required.factors.count > 3 else { return nil }
    return try? await required.factors[3].select() as? OktaAuthStatusFactorChallenge
  }

  private static func poll(_ challenge: OktaAuthStatusFactorChallenge, _ ear: TrialEar) {
    challenge.verifyFactor(
      passCode: nil, answerToSecurityQuestion: nil, onStatusChange: ear.changed, onError: ear.failed,
      onFactorStatusUpdate: ear.updated)
  }

  static var handled: [String] {
    let good = answers(TrialAnswers.required, TrialAnswers.pushed, TrialAnswers.pushed, TrialAnswers.success)
    let faulty = Array(good[0...1]) + Array(faults.prefix(3).map(\.1))
    return Manner.allCases.flatMap { manner in
      [("good", good), ("refused", faulty)].map { name, answers in
        let stage = FlowStage(answers)
        return "handler, \(manner), \(name) | "
          + stage.run {
            guard let challenge = await challenge(stage, OwnHandler(stage, manner)) else { return }
            poll(challenge, TrialEar(stage: stage))
          }
      }
    }
  }

  /// What the application's handler receives about a failed request.
  static var told: [String] {
    faults.map { name, fault in
      let stage = FlowStage(answers(TrialAnswers.required) + [fault])
      return "told, \(name) | "
        + stage.run {
          guard await challenge(stage, OwnHandler(stage, .usual)) != nil else { return }
          stage.say("a challenge")
        }
    }
  }

  /// Sign-ins that share one handler: its settings, and that it stops all of them.
  static var shared: [String] {
    let given = answers(TrialAnswers.required, TrialAnswers.pushed)
    let waiting = answers(TrialAnswers.pushed)[0]
    let stopped = FlowStage(given + given + Array(repeating: waiting, count: 6))
    let both = stopped.run {
      let handler = OktaAuthStatusResponseHandler(pollInterval: 3)
      guard let one = await challenge(stopped, handler), let two = await challenge(stopped, handler) else { return }
      poll(one, TrialEar(stage: stopped))
      poll(two, TrialEar(stage: stopped))
      handler.cancel()
      stopped.say("stopped")
    }
    let slower = FlowStage(given + Array(repeating: waiting, count: 3))
    let changed = slower.run {
      let handler = OktaAuthStatusResponseHandler()
      guard let one = await challenge(slower, handler) else { return }
      handler.pollInterval = 7.25
      poll(one, TrialEar(stage: slower))
      withExtendedLifetime(one) {}
    }
    return ["stopped | \(both)", "changed | \(changed)"]
  }

  /// Pollings for which the application keeps nothing, or keeps something for a while.
  static var letGo: [String] {
    let given = answers(TrialAnswers.required, TrialAnswers.pushed)
    let waiting = answers(TrialAnswers.pushed)[0]
    return [0, 1, 2, 9].map { kept in
      let stage = FlowStage(given + Array(repeating: waiting, count: 30))
      let holder = Locked<(status: OktaAuthStatus?, left: Int)>((nil, kept))
      let heard = stage.run {
        guard let challenge = await challenge(stage, OktaAuthStatusResponseHandler()) else { return }
        if kept > 0 { holder.withLock { $0.status = challenge } }
        let ear = TrialEar(stage: stage)
        challenge.verifyFactor(
          passCode: nil, answerToSecurityQuestion: nil, onStatusChange: ear.changed, onError: ear.failed,
          onFactorStatusUpdate: { _ in
            let freed = holder.withLock { holder -> OktaAuthStatus? in
              holder.left -= 1
              guard holder.left == 0 else { return nil }
              defer { holder.status = nil }
              return holder.status
            }
            stage.say("update")
            withExtendedLifetime(freed) {}
          })
      }
      return "kept for \(kept) | \(heard)"
    }
  }
}
