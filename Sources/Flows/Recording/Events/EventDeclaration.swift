// An event type of a kind, as readers need it: its name, and whether data fits it.

public import EventStore

/// An event type that a kind of flow has beside those of the runtime.
///
/// A kind with few events gives each a type of its own (`DomainPayload`). One with many of the same shape, whose data
/// is read as JSON, declares each in a line: its name and the members that there must be.
public struct EventDeclaration: Sendable {
  /// The type's name in the log: `link.followed`.
  public let type: String
  /// The schema version.
  public let version: Int
  /// The members that its data must have, if they are declared by name.
  package let required: [String]
  private let check: @Sendable (JSON) throws(EventError) -> Void
  private let rewrite: @Sendable (JSON) throws(EventError) -> JSON

  /// Declares an event by its typed view.
  public init(_ payload: any DomainPayload.Type) {
    type = payload.type
    version = payload.version
    required = []
    check = { data throws(EventError) in _ = try payload.init(data: data) }
    rewrite = { data throws(EventError) in try payload.init(data: data).data }
  }

  /// Declares an event of version 1 by the members that its data must have.
  public init(_ type: String, required: [String]) {
    self.type = type
    version = 1
    self.required = required
    check = { data throws(EventError) in
      for member in required where data[member] == nil { throw EventError(type: type, member: member) }
    }
    rewrite = { $0 }
  }

  /// Sees that data fits the type.
  ///
  /// - Throws: `EventError` if a member is missing, or is of another type.
  public func check(_ data: JSON) throws(EventError) { try check(data) }

  /// The data once more, as the typed view writes what it has read; as it is for a type without one.
  ///
  /// - Throws: `EventError` as `check` does.
  package func rewritten(_ data: JSON) throws(EventError) -> JSON { try rewrite(data) }
}
