// Status objects that an application makes: in its handler, of an answer, and of transaction objects of its own.

import EventStore
import FlowRecording
import Foundation

extension SignInTrials {
  /// A handler that makes statuses of several classes of each answer.
  private final class MakingHandler: OktaAuthStatusResponseHandler, @unchecked Sendable {
    let stage: FlowStage

    init(_ stage: FlowStage) {
      self.stage = stage
      super.init(pollInterval: 2)
    }

    override func createAuthStatus(
      basedOn response: OktaAPISuccessResponse, and currentStatus: OktaAuthStatus
    ) throws -> OktaAuthStatus {
      SignInTrials.make(response, currentStatus, stage)
      if let basic = response.basicStatus {
        stage.say("basic \(TrialTexts.text(basic))")
        SignInTrials.make(response, basic, stage)
      }
      return try super.createAuthStatus(basedOn: response, and: currentStatus)
    }
  }

  private static let makers: [@Sendable (OktaAuthStatus, OktaAPISuccessResponse) throws -> OktaAuthStatus] = [
    { try OktaAuthStatus(currentState: $0, model: $1) },
    { try OktaAuthStatusUnauthenticated(currentState: $0, model: $1) },
    { try OktaAuthStatusPasswordWarning(currentState: $0, model: $1) },
    { try OktaAuthStatusFactorEnrollActivate(currentState: $0, model: $1) },
    { try OktaAuthStatusFactorChallenge(currentState: $0, model: $1) },
  ]

  private static func make(_ model: OktaAPISuccessResponse, _ status: OktaAuthStatus, _ stage: FlowStage) {
    for (number, maker) in makers.enumerated() {
      do {
        let made = try maker(status, model)
        stage.say("\(number) \(TrialTexts.text(made))")
      } catch {
        stage.say("\(number) \(error)")
      }
    }
  }

  static var made: [String] {
    let bare = ["MFA_REQUIRED", "MFA_CHALLENGE", "PASSWORD_WARN", "RECOVERY", "SUCCESS"].map { status in
      (name: "bare \(status)", json: ["status": .string(status), "stateToken": "00state"] as JSON)
    }
    // The first twelve have all statuses but those of a factor alone.
    return (Array(TrialAnswers.all.prefix(12)) + bare).map { name, document in
      let stage = FlowStage(answers(document))
      return "made, \(name) | "
        + stage.run {
          let ear = TrialEar(stage: stage)
          guard let status = await first(stage, MakingHandler(stage)) else { return }
          let own: [JSON] = [
            [:], ["status": "AWAITING_MOON"], ["status": "MFA_CHALLENGE", "factorResult": "WAITING"], document,
          ]
          for json in own {
            status.responseHandler.handleServerResponse(
              .success(OktaAPISuccessResponse(json: json)), currentStatus: status, onStatusChanged: ear.changed,
              onError: ear.failed, onFactorStatusUpdate: ear.updated)
          }
          status.responseHandler.handleServerResponse(
            .error(.cancelled), currentStatus: status, onStatusChanged: ear.changed, onError: ear.failed)
        }
    }
  }
}
