// A push as one flow saw it: the sign-in that waits for it, or the device that answers it. Independent logs are joined
// by what both saw.

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

  /// How it ended, from the perspective of the side that saw it.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The person approved, and the org accepted it.
    case approved
    /// The person denied, and the org accepted it.
    case rejected
    /// No answer was received in time.
    case timedOut
    /// The answer was sent; whether the org accepted it is unknown.
    case unknown
    /// The org refused the answer, or the challenge was refused.
    case failed
    /// It was abandoned: for another factor or another sign-in, or because the application is gone.
    case abandoned
    /// It is still in progress.
    case open
  }

  /// An answer that the person gave.
  public struct Answer: Sendable, Equatable {
    /// When.
    public var at: Timestamp
    /// `approved`, `denied` or `none`.
    public var word: String

    /// Creates an answer.
    public init(at: Timestamp, word: String) {
      self.at = at
      self.word = word
    }
  }

  /// The side that saw it.
  public var side: Side
  /// The org: a URL of which only host and port count.
  public var org: String?
  /// The person's id at the org.
  public var userID: String?
  /// The org's id of the push, if this side knows it.
  public var transaction: String?
  /// When it began on this side.
  public var began: Timestamp
  /// When the org sent it, by the org's clock, if known to this side.
  public var sent: Timestamp?
  /// When it can no longer be answered, by the org's clock; nil if unknown.
  public var expires: Timestamp?
  /// How many seconds longer this side takes an answer, as its clock may differ from the org's.
  public var allowance = 0
  /// When it ended on this side; nil while it is in progress.
  public var ended: Timestamp?
  /// How it ended.
  public var outcome: Outcome
  /// What the person answered, in order. More than one answer is suspicious.
  public var answers: [Answer] = []
  /// Whether this side showed a number to compare; nil if it cannot know.
  public var showsNumber: Bool?
  /// Further facts by name: the key that signed the answer, and how the person was verified.
  public var facts: [String: String] = [:]
  /// The revisions of the flow from its beginning to its end.
  public var revisions: ClosedRange<Int>

  /// Makes a push that has just begun.
  public init(_ side: Side, at record: FlowRecord) {
    self.side = side
    began = record.at
    outcome = .open
    revisions = record.revision...record.revision
  }

  /// When this side takes the last answer: at its expiry, with the allowance; nil if unknown.
  public var answerableUntil: Timestamp? {
    expires.map { Timestamp(microseconds: $0.microseconds + Int64(allowance) * 1_000_000) }
  }

  /// Updates the push for a record.
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
