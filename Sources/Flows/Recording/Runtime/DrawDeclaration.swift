// The declaration of a kind of draw: which parts of its value may be written, and the code that takes it. Masked by
// default: an undeclared value is a secret.

public import EventStore

/// A kind of draw as a core declares it.
public struct DrawDeclaration: Sendable {
  /// Which parts of the value may be written. By default, or without a declaration, the whole value is a secret.
  public var schema: WireSchema
  /// Takes the draw from an environment; nil for a draw that is awaited by `draw.asked`.
  var take: (@Sendable (_ input: JSON, FlowEnvironment) -> Result<JSON, DrawFailure>)?
  /// Answers an awaited draw; nil if the sink of its call does.
  var answer: (@Sendable (_ input: JSON, FlowEnvironment) async -> Result<JSON, DrawFailure>)?

  /// A draw that is taken at once.
  ///
  /// - Parameters:
  ///   - schema: which parts of the value may be written; none by default.
  ///   - take: takes it. Runs in the middle of a step of the flow and must return quickly.
  public static func inline(
    _ schema: WireSchema = .undeclared,
    take: @escaping @Sendable (_ input: JSON, FlowEnvironment) -> Result<JSON, DrawFailure>
  ) -> DrawDeclaration {
    DrawDeclaration(schema: schema, take: take)
  }

  /// A draw that is awaited and answered by the sink of its call.
  ///
  /// - Parameter schema: which parts of the value may be written; none by default.
  public static func awaited(_ schema: WireSchema = .undeclared) -> DrawDeclaration {
    DrawDeclaration(schema: schema, take: nil)
  }

  /// A draw that is awaited and answered by a seam: a disk, a person, another server.
  ///
  /// - Parameters:
  ///   - schema: which parts of the value may be written; none by default.
  ///   - answer: answers it, with the input's secrets revealed, in a separate task. Runs outside of the cooperative
  ///     pool and may block; if it never returns, its call stays open.
  public static func awaited(
    _ schema: WireSchema = .undeclared,
    answer: @escaping @Sendable (_ input: JSON, FlowEnvironment) async -> Result<JSON, DrawFailure>
  ) -> DrawDeclaration {
    DrawDeclaration(schema: schema, take: nil, answer: answer)
  }
}

/// The draws that a core may make, by kind.
public typealias DrawDeclarations = [DrawKind: DrawDeclaration]
