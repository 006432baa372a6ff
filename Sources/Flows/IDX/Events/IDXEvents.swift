// What a flow of the Identity Engine comes to, in events of its own: responses and what they say.

public import EventStore
public import FlowRecording
package import OIDC

/// The events of the Identity Engine. A new one is declared in this file and gets a line in `docs/EVENTS.md`.
package enum IDXEvent {
  case remediationChanged(RemediationChanged)
  case messageShown(MessageShown)
  case tokenIssued(TokenIssued)
  case tokenRefused(TokenRefused)

  /// All types.
  package static let types: [any DomainPayload.Type] = [
    RemediationChanged.self, MessageShown.self, TokenIssued.self, TokenRefused.self,
  ]

  /// Reads an event; nil if it is none of these.
  package init?(_ event: DomainEvent) {
    if let changed = RemediationChanged(event) {
      self = .remediationChanged(changed)
    } else if let shown = MessageShown(event) {
      self = .messageShown(shown)
    } else if let issued = TokenIssued(event) {
      self = .tokenIssued(issued)
    } else if let refused = TokenRefused(event) {
      self = .tokenRefused(refused)
    } else {
      return nil
    }
  }
}

/// `remediation.changed`: the flow has a new response, the answer that is its cause.
///
/// The answer itself stands in the log already; this carries what may be done next as the SDK understood it.
public struct RemediationChanged: DomainPayload {
  /// The name of this type in the log.
  public static var type: String { "remediation.changed" }
  /// The application gets its news after the log.
  public static var needsBarrier: Bool { true }
  /// The names of the remediations offered, in their order; `cancel` and the success form are the last.
  public var offered: [String]
  /// The remediation whose submission brought this response; nil if something else did.
  public var chosen: String?
  /// The fields that the application had filled in, by their names with dots, never their values.
  public var filled: [String]
  /// What the core read from the answer: intent, current authenticator, user, whether it is an end.
  public var summary: JSON

  /// Makes the event.
  public init(offered: [String], chosen: String?, filled: [String], summary: JSON) {
    self.offered = offered
    self.chosen = chosen
    self.filled = filled
    self.summary = summary
  }

  /// Reads the event's data.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  public init(data: JSON) throws(EventError) {
    guard let offered = data["offered"]?.array else { throw EventError(type: Self.type, member: "offered") }
    self.offered = offered.compactMap(\.string)
    chosen = data["chosen"]?.string
    filled = (data["filled"]?.array ?? []).compactMap(\.string)
    summary = data["summary"] ?? [:]
  }

  /// The event's data.
  public var data: JSON {
    .members([
      ("offered", .array(offered.map(JSON.string))), ("chosen", chosen.map(JSON.string)),
      ("filled", filled.isEmpty ? nil : .array(filled.map(JSON.string))), ("summary", summary),
    ])
  }
}

/// `message.shown`: a response carries a message for the person who signs in.
public struct MessageShown: DomainPayload {
  /// The name of this type in the log.
  public static var type: String { "message.shown" }
  /// The application gets its news after the log.
  public static var needsBarrier: Bool { true }
  /// `ERROR`, `INFO`, or what else the org says; nil if it says nothing.
  public var severity: String?
  /// The key that the message is translated by: `errors.E0000004`.
  public var key: String?
  /// The text, secrets replaced.
  public var text: String?
  /// The field that it belongs to, by its name; nil for the whole step.
  public var field: String?

  /// Makes the event.
  public init(severity: String?, key: String?, text: String?, field: String?) {
    self.severity = severity
    self.key = key
    self.text = text
    self.field = field
  }

  /// Reads the event's data.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  public init(data: JSON) throws(EventError) {
    severity = data["class"]?.string
    key = data["key"]?.string
    text = data["text"]?.string
    field = data["field"]?.string
  }

  /// The event's data.
  public var data: JSON {
    .members([
      ("class", severity.map(JSON.string)), ("key", key.map(JSON.string)), ("text", text.map(JSON.string)),
      ("field", field.map(JSON.string)),
    ])
  }
}
