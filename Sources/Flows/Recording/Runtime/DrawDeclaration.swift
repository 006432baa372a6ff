// The declaration of a kind of draw: the parts of its value that may be written, and the code that takes it. Masked by
// default: a value that is not declared is a secret.

public import EventStore

/// A kind of draw as a core declares it.
public struct DrawDeclaration: Sendable {
  /// What of the value may be written. A draw without a declaration, or one that does not say, is a secret as a whole.
  public var schema: WireSchema
  /// Takes the draw from an environment; nil for one that is awaited, by `draw.asked`.
  var take: (@Sendable (_ input: JSON, FlowEnvironment) -> Result<JSON, DrawFailure>)?
  /// Answers a draw that is awaited; nil if the sink of its call does.
  var answer: (@Sendable (_ input: JSON, FlowEnvironment) async -> Result<JSON, DrawFailure>)?

  /// A draw that is taken at once.
  ///
  /// - Parameters:
  ///   - schema: what of its value may be written; all of it is a secret by default.
  ///   - take: takes it. It runs in the middle of a step of the flow and must be quick.
  public static func inline(
    _ schema: WireSchema = .undeclared,
    take: @escaping @Sendable (_ input: JSON, FlowEnvironment) -> Result<JSON, DrawFailure>
  ) -> DrawDeclaration {
    DrawDeclaration(schema: schema, take: take)
  }

  /// A draw that is awaited: the sink of its call answers.
  ///
  /// - Parameter schema: what of its value may be written; all of it is a secret by default.
  public static func awaited(_ schema: WireSchema = .undeclared) -> DrawDeclaration {
    DrawDeclaration(schema: schema, take: nil)
  }

  /// A draw that is awaited, and that a seam answers: a disk, a person, another server.
  ///
  /// - Parameters:
  ///   - schema: what of its value may be written; all of it is a secret by default.
  ///   - answer: answers it, with the input's secrets revealed, in a task of its own beside the flow. Runs off the
  ///     cooperative pool and may block; if it never returns, its call stays open.
  public static func awaited(
    _ schema: WireSchema = .undeclared,
    answer: @escaping @Sendable (_ input: JSON, FlowEnvironment) async -> Result<JSON, DrawFailure>
  ) -> DrawDeclaration {
    DrawDeclaration(schema: schema, take: nil, answer: answer)
  }
}

/// The draws that a core may make, by kind.
public typealias DrawDeclarations = [DrawKind: DrawDeclaration]
