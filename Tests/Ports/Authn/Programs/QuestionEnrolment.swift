// A security question: the list is downloaded, one is chosen and answered.

import Authn
import Foundation

final class QuestionEnrolment {
  private let status: OktaAuthStatusFactorEnroll
  private let finished: (String) -> Void

  init(status: OktaAuthStatusFactorEnroll, finished: @escaping (String) -> Void) {
    self.status = status
    self.finished = finished
  }

  func start(answer: String) {
    guard let factor = status.availableFactors.compactMap({ $0 as? OktaFactorQuestion }).first else {
      return finished("no question")
    }
    factor.downloadSecurityQuestions(onDownloadComplete: { questions in
      self.choose(from: questions, for: factor, answer: answer)
    }) { error in
      self.finished(error.description)
    }
  }

  private func choose(from questions: [SecurityQuestion], for factor: OktaFactorQuestion, answer: String) {
    guard let question = questions.first(where: { $0.questionText?.contains("food") == true }),
      let id = question.question
    else { return finished("no question about food") }
    factor.enroll(
      questionId: id, answer: answer,
      onStatusChange: { status in self.finished("\(id): \(status.statusType.rawValue)") },
      onError: { error in self.finished(error.description) })
  }
}
