// Event types of a kind as readers need them: the name, and whether data is valid.

public import EventStore

/// An event type that a kind of flow adds to those of the runtime.
///
/// A kind with few events defines a type for each (`DomainPayload`). One with many events of the same shape, whose data
/// is read as JSON, declares each by its name and its required members.
public struct EventDeclaration: Sendable {
  /// The type's name in the log: `link.followed`.
  public let type: String
  /// The schema version.
  public let version: Int
  /// The required members of its data, if they are declared by name.
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

  /// Declares an event of version 1 by its required members.
  public init(_ type: String, required: [String]) {
    self.type = type
    version = 1
    self.required = required
    check = { data throws(EventError) in
      for member in required where data[member] == nil { throw EventError(type: type, member: member) }
    }
    rewrite = { $0 }
  }

  /// Checks that data fits the type.
  ///
  /// - Throws: `EventError` if a member is missing, or has another type.
  public func check(_ data: JSON) throws(EventError) { try check(data) }

  /// Returns the data as the typed view writes it after reading it; unchanged for a type without a typed view.
  ///
  /// - Throws: `EventError` as `check` does.
  package func rewritten(_ data: JSON) throws(EventError) -> JSON { try rewrite(data) }
}
