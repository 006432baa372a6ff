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
  /// Chooses the public forms of calls.
  package var forms: PlayedForms
  /// Runs the tasks that wait for calls.
  package var tasks = PlayedTasks()
  /// The recorded calls, in order, as they stand in the recording.
  package var calls: [CallMade] = []
  /// What stands for the secrets of the recording.
  package var secrets = PlayedSecrets(text: { $0 }, value: { $0 })
  /// A flow that was begun, for the object that belongs to it.
  package var ready = ReadyFlow()

  /// Makes it of its parts.
  package init(
    stream: String, start: FlowStarted, draws: any DrawSource, answers: any RecordedAnswers, forms: PlayedForms? = nil
  ) {
    self.stream = stream
    self.start = start
    self.draws = draws
    self.answers = answers
    self.forms = forms ?? PlayedForms(stream)
  }
}

/// A flow that was begun before the object that it belongs to: a class method makes that object and calls it at once,
/// and a recording has the beginning in a step of its own.
package final class ReadyFlow: Sendable {
  private let ready = Locked<(flow: any AnyObject & Sendable, settings: JSON)?>(nil)

  /// Nothing was begun.
  package init() {}

  /// Keeps a flow that was begun with settings.
  package func keep<Core: FlowCore>(_ flow: Flow<Core>, begunWith settings: JSON) {
    ready.withLock { $0 = (flow, settings) }
  }

  /// Takes the flow, if an object would begin it with these settings.
  package func take<Core: FlowCore>(_ settings: JSON, of core: Core.Type) -> Flow<Core>? {
    ready.withLock { ready in
      guard let kept = ready, kept.settings == settings, let flow = kept.flow as? Flow<Core> else { return nil }
      ready = nil
      return flow
    }
  }
}
