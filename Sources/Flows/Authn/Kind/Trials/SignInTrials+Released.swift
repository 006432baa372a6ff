// Calls on factors whose status the application has released, and what a status says of its flow.

import EventStore
import FlowRecording
import Foundation

extension SignInTrials {
  static var released: [String] { factorsAlone + noted }

  /// The factor of a type of the first status, which nothing else holds.
  private static func factor(_ type: FactorType, _ stage: FlowStage) async -> OktaFactor? {
    await first(stage)?.factors.first { $0.type == type }
  }

  private static var factorsAlone: [String] {
    let pages: [(String, FactorType)] = [
      ("required", .push), ("required", .sms), ("challenge totp", .TOTP), ("challenge push", .push), ("enroll", .sms),
    ]
    return pages.flatMap { name, type in
      (0..<8).map { number in
        let stage = FlowStage(answers(page(name), TrialAnswers.pushed, TrialAnswers.success))
        let heard = stage.run {
          guard let factor = await factor(type, stage) else { return }
          stage.say(TrialTexts.text(factor))
          let calls = TrialCall.all(on: factor)
          guard calls.indices.contains(number) else { return }
          stage.say(calls[number].name)
          await calls[number].make(TrialEar(stage: stage))
        }
        return "alone, \(name), \(type.rawValue) \(number) | \(heard)"
      }
    }
  }

  /// Notes of the application, with secrets in them, and the texts of the org.
  private static var noted: [String] {
    ["required", "challenge push", "success"].map { name in
      let stage = FlowStage(answers(page(name)))
      return "noted, \(name) | "
        + stage.run {
          guard let status = await first(stage) else { return }
          stage.say(status.flowID)
          for text in ["", "a note", "ann typed Correct-Horse-7 for 00state", "00session"] {
            status.note(text)
            stage.say(status.masked(text))
          }
        }
    }
  }
}
