// The transaction object of each status, and the factors that a status hands out, as the org sent them.

import EventStore
import FlowRecording

extension SignInTrials {
  static var models: [String] {
    TrialAnswers.all.map { name, document in
      let stage = FlowStage(answers(document))
      return "model, \(name) | "
        + stage.run {
          guard let status = await first(stage) else { return }
          stage.say("\(status.model.json == document) \(status.model.json.text) \(Printed.text(status.model))")
          for (factor, again) in zip(status.factors, status.factors) {
            stage.say("\(factor === again) \(factor.json.text) \(factor.profile?.json.text ?? "-")")
            guard let push = factor as? OktaFactorPush else { continue }
            let ways = "\(push.canSendPushCodeViaSms()) \(push.canSendPushCodeViaEmail())"
            stage.say("\(ways) \(push.challenge?.json.text ?? "-") \(push.challenge?.correctAnswer ?? -1)")
          }
        }
    }
  }
}
