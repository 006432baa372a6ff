// The entry points of the SDK by their full documented names, as references to methods.

import EventStore
import FlowRecording
import Foundation

extension SignInTrials {
  static var referenced: [String] {
    let calls: [(String, @Sendable (TrialEar) async -> Void)] = [
      (
        "authenticate",
        { ear in
          let begin = OktaAuthSdk.authenticate(with:username:password:onStatusChange:onError:)
          begin(TrialAnswers.url, "ann", "Correct-Horse-7", ear.changed, ear.failed)
        }
      ),
      (
        "unlock",
        { ear in
          let begin = OktaAuthSdk.unlockAccount(with:username:factorType:onStatusChange:onError:)
          begin(TrialAnswers.url, "ann", .sms, ear.changed, ear.failed)
        }
      ),
      (
        "recover",
        { ear in
          let begin = OktaAuthSdk.recoverPassword(with:username:factorType:onStatusChange:onError:)
          begin(TrialAnswers.url, "ann", .call, ear.changed, ear.failed)
        }
      ),
      (
        "redeem",
        { ear in
          let begin = OktaAuthSdk.recover(with:using:onStatusChange:onError:)
          begin("00token", TrialAnswers.url, ear.changed, ear.failed)
        }
      ),
      (
        "resume",
        { ear in
          let begin = OktaAuthSdk.fetchStatus(with:using:onStatusChange:onError:)
          begin("00state", TrialAnswers.url, ear.changed, ear.failed)
        }
      ),
    ]
    return calls.map { name, call in
      let stage = FlowStage(answers(TrialAnswers.required))
      let heard = stage.run { await stage.environment.run { await call(TrialEar(stage: stage)) } }
      return "reference \(name) | \(stage.beginnings) \(heard)"
    }
  }
}
