// Where draws come from: the environment, or a recording.

public import EventStore

/// Gives a flow its draws.
public protocol DrawSource: Sendable {
  /// The value of a draw, or why there is none.
  ///
  /// - Parameters:
  ///   - kind: the kind of value.
  ///   - input: its input, with secrets revealed.
  ///   - ordinal: the number of previous draws of the flow.
  ///   - revision: the revision that the draw would have.
  /// - Returns: in a replay the recorded result; `missing` if the recording has no such draw there, which the
  ///   comparison of events reports.
  func draw(_ kind: DrawKind, input: JSON, ordinal: Int, revision: Int) -> Result<JSON, DrawFailure>
}

/// Takes draws from the seams of an environment, according to the core's declarations.
struct LiveDraws: DrawSource {
  let environment: FlowEnvironment
  let declarations: DrawDeclarations

  func draw(_ kind: DrawKind, input: JSON, ordinal: Int, revision: Int) -> Result<JSON, DrawFailure> {
    guard let take = declarations[kind]?.take else {
      return .failure(DrawFailure(.missing, "nothing is declared that draws '\(kind)'"))
    }
    return take(input, environment)
  }
}
