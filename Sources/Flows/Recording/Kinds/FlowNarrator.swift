// How a kind of flow is described in words. The runtime's own events already have words; a kind adds those of its
// events.

public import EventStore

/// Some words and their style.
public struct Words: Sendable, Equatable {
  /// At most one sentence. Secrets are placeholders, as in the log.
  public var text: String
  /// The style of the words.
  public var tone: Tone

  /// The style of words.
  public enum Tone: Sendable, Equatable {
    /// The default.
    case plain
    /// A computed value, or the end of a wait: less important.
    case quiet
    /// A success.
    case good
    /// A failure.
    case bad
    /// Progress of the sign-in.
    case notice
  }

  /// Creates a text with a tone.
  public init(_ text: String, _ tone: Tone = .plain) {
    self.text = text
    self.tone = tone
  }
}

/// Describes the events of one flow in words, in order.
public protocol FlowNarrator: Sendable {
  /// A narrator that has received no event yet.
  init()
  /// The current status of the flow, for `call.returned`; empty before the first status.
  var status: String { get }
  /// Describes an event of the kind; nil for one that the narrator does not know.
  mutating func words(for event: DomainEvent, at revision: Int) -> Words?
  /// Describes a call: its name for when it returns, and its words; nil for the general form.
  mutating func words(for made: CallMade) -> (name: String, words: String)?
  /// Describes an argument of a call in the general form; nil for its name and value.
  func words(forArgument name: String, _ value: JSON) -> String?
  /// What an answer contains, shown after its HTTP status; nil for nothing.
  mutating func words(forAnswer body: JSON) -> String?
}

extension FlowNarrator {
  /// Uses the general form.
  public mutating func words(for made: CallMade) -> (name: String, words: String)? { nil }
  /// Uses the name and value.
  public func words(forArgument name: String, _ value: JSON) -> String? { nil }
  /// Adds nothing.
  public mutating func words(forAnswer body: JSON) -> String? { nil }
}

/// Names events of a kind by their type and data.
public struct PlainNarrator: FlowNarrator {
  /// Always empty.
  public var status: String { "" }

  /// Creates a narrator.
  public init() {}

  /// Always nil: the general form is used.
  public mutating func words(for event: DomainEvent, at revision: Int) -> Words? { nil }
}

/// Short forms of values.
public enum Narration {
  /// A value as text, cut to 200 characters.
  public static func brief(_ value: JSON) -> String { cut(value.string ?? value.text, to: 200) }

  /// A text, cut to this many characters, with `…` in place of the rest.
  public static func cut(_ text: String, to length: Int) -> String {
    let head = text.prefix(length)
    return head.endIndex == text.endIndex ? text : head.dropLast() + "…"
  }

  /// `340 ms`, `2.1 s`, `3 min 20 s`.
  public static func duration(milliseconds: Int) -> String { Quantity.duration(milliseconds: milliseconds) }

  /// The same of seconds: nothing below zero, and at most some 35,000 years.
  package static func duration(seconds: Int) -> String {
    duration(milliseconds: min(max(seconds, 0), 1 << 40) * 1_000)
  }
}
