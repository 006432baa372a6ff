// «Enrolling a Security Question authenticator» of the seed document.

import Foundation
import IDX

enum OwnQuestion {
  enum Failure: Error { case notOffered }

  static func enroll(_ response: Response, question: String, answer: String) async throws -> Response {
    guard let remediation = response.remediations[.enrollAuthenticator],
      let credentials = remediation["credentials"],
      let createQuestionOption = credentials.options?.first(where: { option in
        option.label == "Create my own security question"
      }),
      let questionField = createQuestionOption["question"],
      let answerField = createQuestionOption["answer"]
    else { throw Failure.notOffered }

    credentials.selectedOption = createQuestionOption
    questionField.value = question
    answerField.value = answer
    return try await remediation.proceed()
  }
}
