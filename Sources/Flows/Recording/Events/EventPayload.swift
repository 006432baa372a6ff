// What every event type has in common: a name, a schema version, and conversion to and from JSON (DESIGN §6).

public import EventStore

/// The data of one event type, as a Swift type. `docs/EVENTS.md` lists them all.
public protocol EventPayload: Sendable, Hashable {
  /// The type's name in the log: `request.sent`.
  static var type: String { get }
  /// The schema version that this build writes.
  static var version: Int { get }
  /// Reads the data of a record of this type and version.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  init(data: JSON) throws(EventError)
  /// The data as recorded.
  var data: JSON { get }
}

extension EventPayload {
  /// 1, until the type's shape changes.
  public static var version: Int { 1 }
}

/// A record whose data does not fit its type.
public struct EventError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The event type concerned.
  public var type: String
  /// The member that is missing or wrong.
  public var member: String

  /// Makes an error.
  public init(type: String, member: String) {
    self.type = type
    self.member = member
  }

  /// One sentence.
  public var description: String { "event \(type) has no usable member '\(member)'" }
}

extension JSON {
  /// A required string of an event's data.
  ///
  /// - Throws: `EventError` that names the type and the member.
  public func requiredString(_ key: String, of type: String) throws(EventError) -> String {
    guard let value = self[key]?.string else { throw EventError(type: type, member: key) }
    return value
  }

  /// A required integer of an event's data.
  ///
  /// - Throws: `EventError` that names the type and the member.
  public func requiredInt(_ key: String, of type: String) throws(EventError) -> Int {
    guard let value = self[key]?.int else { throw EventError(type: type, member: key) }
    return value
  }
}
