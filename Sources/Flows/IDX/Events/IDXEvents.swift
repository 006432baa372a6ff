// The events of an Identity Engine flow: responses and their messages.

public import EventStore
public import FlowRecording
package import OIDC

/// The events of the Identity Engine. Declare new ones in this file and add a line to `docs/EVENTS.md`.
package enum IDXEvent {
  case remediationChanged(RemediationChanged)
  case messageShown(MessageShown)
  case tokenIssued(TokenIssued)
  case tokenRefused(TokenRefused)

  /// All types.
  package static let types: [any DomainPayload.Type] = [
    RemediationChanged.self, MessageShown.self, TokenIssued.self, TokenRefused.self,
  ]

  /// Reads an event; `nil` if it is not one of these.
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

/// `remediation.changed`: the flow has a new response, from the answer that is the event's cause.
///
/// The answer itself is already recorded; this event contains the next steps as the SDK understood them.
public struct RemediationChanged: DomainPayload {
  /// The name of this type in the log.
  public static var type: String { "remediation.changed" }
  /// True: the application sees a response only after it has been logged.
  public static var needsBarrier: Bool { true }
  /// The names of the offered remediations, in order, with `cancel` and the success form last.
  public var offered: [String]
  /// The remediation whose submission led to this response; `nil` if it was something else.
  public var chosen: String?
  /// The dotted names of the fields that the application filled in, never their values.
  public var filled: [String]
  /// What the core read from the answer: intent, current authenticator, user, and whether the response is terminal.
  public var summary: JSON

  /// Creates the event.
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

/// `message.shown`: a response contains a message for the person who signs in.
public struct MessageShown: DomainPayload {
  /// The name of this type in the log.
  public static var type: String { "message.shown" }
  /// True: the application sees a message only after it has been logged.
  public static var needsBarrier: Bool { true }
  /// `ERROR`, `INFO`, or another value of the org; `nil` if there is none.
  public var severity: String?
  /// The key for translating the message: `errors.E0000004`.
  public var key: String?
  /// The text, with secrets replaced.
  public var text: String?
  /// The name of the field that it belongs to; `nil` for the whole step.
  public var field: String?

  /// Creates the event.
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
