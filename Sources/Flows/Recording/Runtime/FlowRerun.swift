// A flow that runs again as a live one, with a recording in place of the outside world.

package import EventStore

/// Answers the awaited draws of a flow.
package protocol RecordedAnswers: Sendable {
  /// Keeps the closure for the answer of a draw, and calls it with the recorded answer when that is due.
  ///
  /// - Parameter revision: of the `draw.asked`.
  func ask(_ revision: Int, answer: @escaping @Sendable (Result<JSON, DrawFailure>) -> Void)
}

/// What a flow takes from a recording instead of computing it. Journal, transport, clock and timers remain seams of the
/// environment: a replayed flow masks, appends, waits for the log, and performs.
package struct FlowRerun: Sendable {
  /// The recorded flow's stream.
  package var stream: String
  /// How it was started: used for everything that its facade does not specify.
  package var start: FlowStarted
  /// Gives the recorded draws, with secrets revealed.
  package var draws: any DrawSource
  /// Provides the recorded answers of awaited draws.
  package var answers: any RecordedAnswers
  /// Chooses the public forms of calls.
  package var forms: PlayedForms
  /// Runs the tasks that wait for calls.
  package var tasks = PlayedTasks()
  /// The recorded calls, in order.
  package var calls: [CallMade] = []
  /// The values that replace the secrets of the recording.
  package var secrets = PlayedSecrets(text: { $0 }, value: { $0 })
  /// A flow that was already started, for the object that it belongs to.
  package var ready = ReadyFlow()

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

/// A flow that is started before the object it belongs to: a class method creates that object and calls it at once,
/// while a recording has the start in a separate step.
package final class ReadyFlow: Sendable {
  private let ready = Locked<(flow: any AnyObject & Sendable, settings: JSON)?>(nil)

  package init() {}

  /// Keeps a flow that was started with settings.
  package func keep<Core: FlowCore>(_ flow: Flow<Core>, begunWith settings: JSON) {
    ready.withLock { $0 = (flow, settings) }
  }

  /// Takes the flow, if an object would start it with these settings.
  package func take<Core: FlowCore>(_ settings: JSON, of core: Core.Type) -> Flow<Core>? {
    ready.withLock { ready in
      guard let kept = ready, kept.settings == settings, let flow = kept.flow as? Flow<Core> else { return nil }
      ready = nil
      return flow
    }
  }
}
