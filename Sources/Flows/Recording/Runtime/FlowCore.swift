// The contract of a core: the one fold (DESIGN §2). A core is a value without I/O, clock or entropy; files of cores do
// not import Foundation.

public import EventStore

/// What a kind of flow is: its state, how events make it, and what follows from an input.
public protocol FlowCore: Sendable, Equatable {
  /// The kind's name in streams and in `flow.started`: `authn`.
  static var kind: String { get }
  /// What may be written of its messages.
  static var policy: MaskingPolicy { get }
  /// The draws that it may make. A draw that is not declared here is masked as a whole, and cannot be taken at once.
  static var draws: DrawDeclarations { get }
  /// The state before the first event.
  init()
  /// Takes an event up into the state. Total: an event that does not fit is a decided case. Never decides.
  mutating func fold(_ record: FlowRecord)
  /// What follows from an input that has been folded. Changes nothing.
  ///
  /// - Parameters:
  ///   - input: the record just folded.
  ///   - snapshot: the state of the object that was called, for `call.made` with `on`; else nil.
  ///   - draws: asks for effects that are computed at once; each is recorded.
  /// - Returns: the output events, in the order in which they are appended and performed.
  func decide(_ input: FlowRecord, on snapshot: Self?, draws: Draws) -> [FlowEvent]
  /// The revision under which an application holds this state: that of the last status or factor event, nil before.
  var snapshotRevision: Int? { get }
  /// Revisions of the `timer.set` events whose firing still matters. The runtime stops the others.
  var awaitedTimers: Set<Int> { get }
  /// The call whose request is sent again when a timer fires, by the revision of its `timer.set`; nil for timers of
  /// other kinds.
  func call(retriedBy timer: Int) -> Int?
  /// The revisions of `call.made` events that wait for their `call.returned`.
  var openCalls: Set<Int> { get }
  /// Whether an awaited draw still matters, by the revision of its `draw.asked`. The runtime cancels the task of one
  /// that does not; what it answers nevertheless is recorded, and for the core to ignore.
  func awaits(draw revision: Int) -> Bool
  /// Whether the flow has begun something that no `flow.ended` closes yet.
  var isOpen: Bool { get }
}

/// Asks for effects from inside `decide`.
public struct Draws {
  private let draw: (DrawKind, JSON) -> Result<JSON, DrawFailure>

  /// Draws for a core that is called by itself, such as in a test of its decisions.
  public init(_ draw: @escaping (_ kind: DrawKind, _ input: JSON) -> Result<JSON, DrawFailure>) { self.draw = draw }

  /// Draws a value that does not fail; it is recorded with its kind and its ordinal before the outputs of this step. If
  /// it fails nevertheless, the value is null and the log has the reason.
  public func callAsFunction(_ kind: DrawKind, _ input: JSON = .null) -> JSON {
    (try? draw(kind, input).get()) ?? .null
  }

  /// Draws a value or returns the failure; both are recorded.
  public func attempt(_ kind: DrawKind, _ input: JSON = .null) -> Result<JSON, DrawFailure> { draw(kind, input) }
}

extension FlowCore {
  /// Those of the runtime.
  public static var draws: DrawDeclarations { .standard }

  /// Every draw that was asked for matters until it is answered.
  public func awaits(draw revision: Int) -> Bool { true }

  /// No timer is known to send a request again.
  public func call(retriedBy timer: Int) -> Int? { nil }

  /// The state that a whole stream folds to.
  public static func folding(_ records: some Sequence<FlowRecord>) -> Self {
    var core = Self()
    for record in records { core.fold(record) }
    return core
  }
}
