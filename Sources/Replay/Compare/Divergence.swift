// An event where a replay differs from its recording.

public import EventStore

/// Where and how a replay differs from its recording. Everything in it is masked, as the log is.
public struct Divergence: Error, Sendable, Hashable {
  /// How the two differ.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The recording has an event that the SDK did not make.
    case missing
    /// The SDK made an event that the recording does not have.
    case extra
    /// Both have an event there, but the events differ.
    case different
    /// Both have the event, after the same input, in another order.
    case moved
    /// The SDK asked for another kind of draw than the recording has, or for a draw where the recording has none.
    case draw
    /// Both have the same events, but the state after this one, the text of an error, or a declaration of the flow's
    /// kind differs from when the recording was made.
    case state
  }

  /// The recording, as its caller named it.
  public var recording: String
  /// The flow's stream.
  public var flow: String
  /// The revision of the event.
  public var revision: Int
  /// How they differ.
  public var kind: Kind
  /// The SDK call that the event belongs to; `nil` before the first.
  public var call: String?
  /// The recorded event: its type and data; `nil` if the recording has none.
  public var expected: JSON?
  /// The event that the SDK made; `nil` if it made none.
  public var actual: JSON?
  /// Where in the event they differ first: `data.body.stateToken`, `data.headers.Cookie`; `nil` if one of them is not
  /// there.
  public var path: String?
  /// The value at `path` in the recording; `nil` if there is none.
  public var recorded: JSON?
  /// The value at `path` that the SDK made; `nil` if there is none.
  public var replayed: JSON?
  /// Up to three recorded events before it, the oldest first, each with `rev`, `type` and `data`.
  public var before: [JSON]
  /// Which SDK recorded the flow: `FlowRecorder/0.1.0`.
  public var recordedBy: String
  /// Which SDK replays it.
  public var replayedBy: String
  /// One sentence for a person: the revision, the call, and what differs.
  public var message: String
  /// What is wrong around an event that is as recorded: what the application gets differs, or what is sent; else `nil`.
  public var complaint: String?
  /// How many more differences of the step are not listed after this one.
  public var leftOut = 0

  /// How imprecisely it locates the fault: 0 for a different event, 1 for a different state or error after an event, 2
  /// for a declaration of a kind of flow, which belongs to no event.
  var rank: Int { kind == .state ? (revision > 0 ? 1 : 2) : 0 }
  /// How many ranks there are.
  static let ranks = 3

  /// The members of `auditctl replay --json`.
  public var json: JSON {
    .members([
      ("recording", .string(recording)), ("flow", .string(flow)), ("revision", .int(revision)),
      ("kind", .string(kind.rawValue)), ("call", call.map(JSON.string) ?? .null), ("expected", expected ?? .null),
      ("actual", actual ?? .null), ("path", path.map(JSON.string) ?? .null), ("message", .string(message)),
      ("recorded", recorded ?? .null), ("replayed", replayed ?? .null), ("before", .array(before)),
      ("recordedBy", .string(recordedBy)), ("replayedBy", .string(replayedBy)),
      ("leftOut", leftOut > 0 ? .int(leftOut) : nil),
    ])
  }
}
