// How a kind of flow is put into words. The runtime's own events have words already; a kind adds those of its events.

public import EventStore

/// Some words, and how they are to be seen.
public struct Words: Sendable, Equatable {
  /// One sentence or less. Secrets are placeholders, as in the log.
  public var text: String
  /// How the words are to be seen.
  public var tone: Tone

  /// How words are to be seen.
  public enum Tone: Sendable, Equatable {
    /// As most are.
    case plain
    /// A computed value, or the end of a wait: of less interest.
    case quiet
    /// It went well.
    case good
    /// It did not.
    case bad
    /// The sign-in moved on.
    case notice
  }

  /// Makes words.
  public init(_ text: String, _ tone: Tone = .plain) {
    self.text = text
    self.tone = tone
  }
}

/// Puts the events of one flow into words, one after the other.
public protocol FlowNarrator: Sendable {
  /// A narrator that has received no event yet.
  init()
  /// Where the flow stands, for `call.returned`; empty before it stands anywhere.
  var status: String { get }
  /// An event of the kind's own; nil for one that the narrator does not know.
  mutating func words(for event: DomainEvent, at revision: Int) -> Words?
  /// A call: what it is called when it returns, and its words; nil for the general form.
  mutating func words(for made: CallMade) -> (name: String, words: String)?
  /// An argument of a call in the general form; nil for its name and value.
  func words(forArgument name: String, _ value: JSON) -> String?
  /// What an answer brings, to follow its HTTP status; nil for nothing.
  mutating func words(forAnswer body: JSON) -> String?
}

extension FlowNarrator {
  /// The general form.
  public mutating func words(for made: CallMade) -> (name: String, words: String)? { nil }
  /// Name and value.
  public func words(forArgument name: String, _ value: JSON) -> String? { nil }
  /// Nothing.
  public mutating func words(forAnswer body: JSON) -> String? { nil }
}

/// Names events of a kind by their type and data.
public struct PlainNarrator: FlowNarrator {
  /// Nothing is known.
  public var status: String { "" }

  /// A narrator.
  public init() {}

  /// None: the general form is taken.
  public mutating func words(for event: DomainEvent, at revision: Int) -> Words? { nil }
}

/// Values in a few words.
public enum Narration {
  /// A value as text, at most 200 characters of it.
  public static func brief(_ value: JSON) -> String { cut(value.string ?? value.text, to: 200) }

  /// A text, cut to so many characters with `…` if something is missing.
  public static func cut(_ text: String, to length: Int) -> String {
    let head = text.prefix(length)
    return head.endIndex == text.endIndex ? text : head.dropLast() + "…"
  }

  /// `340 ms`, `2.1 s`, `3 min 20 s`.
  public static func duration(milliseconds: Int) -> String { Quantity.duration(milliseconds: milliseconds) }
}
