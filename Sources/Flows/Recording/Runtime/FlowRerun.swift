// A flow that runs again as a live one, with a recording in the place of the world.

package import EventStore

/// Answers the draws that a flow asks for and awaits.
package protocol RecordedAnswers: Sendable {
  /// Keeps where the answer of a draw goes; it is called with the recorded answer when that is due.
  ///
  /// - Parameter revision: of the `draw.asked`.
  func ask(_ revision: Int, answer: @escaping @Sendable (Result<JSON, DrawFailure>) -> Void)
}

/// What a flow takes from a recording instead of making it anew. Journal, transport, clock and timers are seams of the
/// environment as ever: a flow that runs again masks, appends, waits for the log, and performs.
package struct FlowRerun: Sendable {
  /// The recorded flow's stream.
  package var stream: String
  /// How it was started: what its facade does not say is taken from here.
  package var start: FlowStarted
  /// Gives the recorded draws, with secrets in their place.
  package var draws: any DrawSource
  /// Gives the recorded answers of draws that are awaited.
  package var answers: any RecordedAnswers

  /// Makes it of its parts.
  package init(stream: String, start: FlowStarted, draws: any DrawSource, answers: any RecordedAnswers) {
    self.stream = stream
    self.start = start
    self.draws = draws
    self.answers = answers
  }
}
