// The questions a user can choose from (authn §2, operation 26).

import EventStore

/// A security question.
public struct SecurityQuestion: Sendable, Hashable, Codable {
  /// The key of the question, to enroll with.
  public var question: String?
  /// The question itself.
  public var questionText: String?

  /// Makes a question.
  public init(question: String?, questionText: String?) {
    self.question = question
    self.questionText = questionText
  }

  /// The questions of a list; entries that are no question are left out.
  static func list(_ json: JSON) -> [SecurityQuestion] {
    (json.array ?? []).filter { $0.object != nil }.map {
      SecurityQuestion(question: $0["question"]?.string, questionText: $0["questionText"]?.string)
    }
  }
}
