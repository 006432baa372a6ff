// A push as one flow saw it: the sign-in that waits for it, or the device that answers it. Two logs that know nothing
// of each other are joined by what both saw.

public import EventStore

/// A push as one flow saw it, from its beginning to its end.
public struct PushSighting: Sendable, Equatable {
  /// The side that saw it.
  public enum Side: String, Sendable, Hashable {
    /// The sign-in that waits.
    case signIn
    /// The device that answers.
    case device
  }

  /// How it ended, in the eyes of the side that saw it.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The person approved, and the org took it.
    case approved
    /// The person denied, and the org took it.
    case rejected
    /// Nothing came in time.
    case timedOut
    /// The answer was sent, and whether the org took it is not known.
    case unknown
    /// The org refused the answer, or the challenge was refused.
    case failed
    /// It was given up: another factor, another sign-in, the application is gone.
    case abandoned
    /// It goes on.
    case open
  }

  /// An answer that the person gave.
  public struct Answer: Sendable, Equatable {
    /// When.
    public var at: Timestamp
    /// `approved`, `denied` or `none`.
    public var word: String

    /// Makes one.
    public init(at: Timestamp, word: String) {
      self.at = at
      self.word = word
    }
  }

  /// The side that saw it.
  public var side: Side
  /// The org: a URL; what follows the host and port does not count.
  public var org: String?
  /// The person's id at the org.
  public var userID: String?
  /// The org's id of the push, if this side knows it.
  public var transaction: String?
  /// When it began here.
  public var began: Timestamp
  /// When the org sent it, by the org's clock, if this side knows that.
  public var sent: Timestamp?
  /// When it can be answered no longer, by the org's clock and with what clocks may differ by; nil if that is not
  /// known.
  public var expires: Timestamp?
  /// When it ended here; nil while it goes on.
  public var ended: Timestamp?
  /// How it ended.
  public var outcome: Outcome
  /// What the person answered, in order. More than one is too many.
  public var answers: [Answer] = []
  /// Whether a number to compare was shown here; nil if this side cannot know.
  public var showsNumber: Bool?
  /// The key that signed the answer, and how the person was verified, by their names.
  public var facts: [String: String] = [:]
  /// The revisions of the flow from its beginning to its end.
  public var revisions: ClosedRange<Int>

  /// A push that has just begun.
  public init(_ side: Side, at record: FlowRecord) {
    self.side = side
    began = record.at
    outcome = .open
    revisions = record.revision...record.revision
  }

  /// The push as it is after a record.
  public mutating func reach(_ record: FlowRecord) {
    revisions = revisions.lowerBound...max(revisions.upperBound, record.revision)
  }

  /// Ends the push.
  public mutating func end(_ outcome: Outcome, at record: FlowRecord) {
    self.outcome = outcome
    ended = record.at
    reach(record)
  }
}
