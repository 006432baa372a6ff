// The security questions that a user can choose from (authn §2, operation 26).

import EventStore

/// A security question.
public struct SecurityQuestion: Sendable, Hashable, Codable {
  /// The key of the question, used for enrolling.
  public var question: String?
  /// The text of the question.
  public var questionText: String?

  /// Creates a question.
  public init(question: String?, questionText: String?) {
    self.question = question
    self.questionText = questionText
  }

  /// Reads a list of questions; entries that are not questions are left out.
  static func list(_ json: JSON) -> [SecurityQuestion] {
    (json.array ?? []).filter { $0.object != nil }.map {
      SecurityQuestion(question: $0["question"]?.string, questionText: $0["questionText"]?.string)
    }
  }
}
