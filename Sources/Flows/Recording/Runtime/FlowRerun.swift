// The seams of a flow that runs again as a live one, with a recording in the place of the world.

package import EventStore

/// Answers the draws that a flow asks for and awaits.
package protocol RecordedAnswers: Sendable {
  /// Keeps where the answer of a draw goes; it is called with the recorded answer when that is due.
  ///
  /// - Parameter revision: of the `draw.asked`.
  func ask(_ revision: Int, answer: @escaping @Sendable (Result<JSON, DrawFailure>) -> Void)
}

/// What a rerun puts in the place of the world.
package struct FlowRerun: Sendable {
  /// The transport, the clock and the timers of the recording.
  package var environment: FlowEnvironment
  /// Takes the records that the flow makes.
  package var journal: any FlowJournal
  /// Gives the recorded draws, with secrets in their place.
  package var draws: any DrawSource
  /// Gives the recorded answers of draws that are awaited.
  package var answers: any RecordedAnswers

  /// Makes the seams of their parts.
  package init(
    environment: FlowEnvironment, journal: any FlowJournal, draws: any DrawSource, answers: any RecordedAnswers
  ) {
    self.environment = environment
    self.journal = journal
    self.draws = draws
    self.answers = answers
  }
}
