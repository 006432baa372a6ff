// Events that a kind of flow declares for itself. The runtime records and delivers them without knowing their meaning,
// so that adding one changes no file of the runtime.

public import EventStore

/// The data of an event type that belongs to a kind of flow: a typed view of a `DomainEvent`.
///
/// ```swift
/// struct LinkFollowed: DomainPayload {
///   static var type: String { "link.followed" }
///   static var needsBarrier: Bool { true }
///   …
/// }
/// ```
public protocol DomainPayload: EventPayload {
  /// Whether the event must be on disk before anything of its step leaves the machine or reaches the application. There
  /// is no default: a type that does not say so does not compile.
  static var needsBarrier: Bool { get }
  /// The revision of the `call.made` whose sink receives the event while the call is in progress; nil for none.
  var audience: Int? { get }
}

extension DomainPayload {
  /// By default, no call receives the event.
  public var audience: Int? { nil }

  /// Reads an event as one of this type; nil if it is of another type or version, or if its data does not fit.
  public init?(_ event: DomainEvent) {
    guard event.type.utf8.elementsEqual(Self.type.utf8), event.version == Self.version else { return nil }
    try? self.init(data: event.data)
  }
}

/// An event that the runtime has no case for: one of the flow's kind, or one unknown to this build.
public struct DomainEvent: Sendable, Hashable {
  /// The type's name in the log: `status.changed`.
  public let type: String
  /// The schema version.
  public let version: Int
  /// The data as recorded.
  public let data: JSON
  /// Whether the log must have it before its step is performed; true for an event that was read from a log.
  public let needsBarrier: Bool
  /// The call whose sink receives it; nil for none, and for an event that was read from a log.
  public let audience: Int?

  /// Makes an event from its typed view.
  public init(_ payload: some DomainPayload) {
    type = Swift.type(of: payload).type
    version = Swift.type(of: payload).version
    data = payload.data
    needsBarrier = Swift.type(of: payload).needsBarrier
    audience = payload.audience
  }

  /// Makes an event of a kind that declares its events in a table (`EventDeclaration`), in version 1.
  ///
  /// - Parameters:
  ///   - type: the type's name.
  ///   - data: its data.
  ///   - needsBarrier: whether the log must have it before its step is performed.
  ///   - audience: the call whose sink receives it; nil for none.
  public init(type: String, data: JSON, needsBarrier: Bool, audience: Int?) {
    self.type = type
    version = 1
    self.data = data
    self.needsBarrier = needsBarrier
    self.audience = audience
  }

  /// Makes an event as it was read from a log.
  public init(type: String, version: Int, data: JSON) {
    self.type = type
    self.version = version
    self.data = data
    needsBarrier = true
    audience = nil
  }

  /// Compares type, version and data only, not how the event is performed.
  public static func == (one: DomainEvent, other: DomainEvent) -> Bool {
    one.type == other.type && one.version == other.version && one.data == other.data
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(version)
    hasher.combine(data)
  }
}
