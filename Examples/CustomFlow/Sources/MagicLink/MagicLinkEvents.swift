// What a sign-in by magic link comes to, in events of its own.

public import EventStore
public import FlowRecording

/// `link.sent`: the server has sent a link to the person.
public struct LinkSent: DomainPayload {
  /// The name of this type in the log.
  public static var type: String { "link.sent" }
  /// The person sees it after it is in the log.
  public static var needsBarrier: Bool { true }
  /// The name that the server gives the link; it says nothing of the link itself.
  public var link: String

  /// Makes the event.
  public init(link: String) { self.link = link }
  /// Reads the event's data.
  public init(data: JSON) throws(EventError) { link = try data.requiredString("link", of: Self.type) }
  /// The event's data.
  public var data: JSON { ["link": .string(link)] }
}

/// `link.followed`: the person has opened the link, and a session stands.
public struct LinkFollowed: DomainPayload {
  /// The name of this type in the log.
  public static var type: String { "link.followed" }
  /// The person sees it after it is in the log.
  public static var needsBarrier: Bool { true }
  /// The session's token, a placeholder.
  public var session: String

  /// Makes the event.
  public init(session: String) { self.session = session }
  /// Reads the event's data.
  public init(data: JSON) throws(EventError) { session = try data.requiredString("session", of: Self.type) }
  /// The event's data.
  public var data: JSON { ["session": .string(session)] }
}

/// The events of the kind.
enum MagicLinkEvent {
  case sent(LinkSent)
  case followed(LinkFollowed)

  static let types: [any DomainPayload.Type] = [LinkSent.self, LinkFollowed.self]

  init?(_ event: DomainEvent) {
    if let sent = LinkSent(event) {
      self = .sent(sent)
    } else if let followed = LinkFollowed(event) {
      self = .followed(followed)
    } else {
      return nil
    }
  }
}
