// The contract of a core: the one fold (DESIGN §2). A core is a value without I/O, clock or entropy; files of cores do
// not import Foundation.

public import EventStore

/// A kind of flow: its state, how events change it, and what follows from an input.
public protocol FlowCore: Sendable, Equatable {
  /// The kind's name in streams and in `flow.started`: `authn`.
  static var kind: String { get }
  /// The masking policy for its messages.
  static var policy: MaskingPolicy { get }
  /// The draws that it may make. An undeclared draw is masked as a whole, and cannot be taken inline.
  static var draws: DrawDeclarations { get }
  /// The state before the first event.
  init()
  /// Applies an event to the state. Total: it also defines the result for events that do not fit. Makes no decisions.
  mutating func fold(_ record: FlowRecord)
  /// Decides what follows from an input that has been folded. Changes nothing.
  ///
  /// - Parameters:
  ///   - input: the record just folded.
  ///   - snapshot: the state of the called object, for `call.made` with `on`; otherwise nil.
  ///   - draws: requests effects that are computed inline; each is recorded.
  /// - Returns: the output events, in the order in which they are appended and performed.
  func decide(_ input: FlowRecord, on snapshot: Self?, draws: Draws) -> [FlowEvent]
  /// The revision under which an application holds this state: that of the last status or factor event; nil before.
  var snapshotRevision: Int? { get }
  /// The revisions of the `timer.set` events whose firing still matters. The runtime stops the others.
  var awaitedTimers: Set<Int> { get }
  /// The call whose request is retried when a timer fires, by the revision of its `timer.set`; nil for other timers.
  func call(retriedBy timer: Int) -> Int?
  /// The revisions of the `call.made` events that await their `call.returned`.
  var openCalls: Set<Int> { get }
  /// Whether an awaited draw still matters, by the revision of its `draw.asked`. If not, the runtime cancels its task;
  /// an answer that still arrives is recorded, and the core ignores it.
  func awaits(draw revision: Int) -> Bool
  /// Whether the flow has begun something that has not yet been closed by a `flow.ended`.
  var isOpen: Bool { get }
}

/// Requests effects from inside `decide`.
public struct Draws {
  private let draw: (DrawKind, JSON) -> Result<JSON, DrawFailure>

  /// Draws for a core that is called directly, such as in a test of its decisions.
  public init(_ draw: @escaping (_ kind: DrawKind, _ input: JSON) -> Result<JSON, DrawFailure>) { self.draw = draw }

  /// Draws a value that does not fail; it is recorded with its kind and ordinal before the outputs of this step. If it
  /// fails anyway, the value is null and the log contains the reason.
  public func callAsFunction(_ kind: DrawKind, _ input: JSON = .null) -> JSON {
    (try? draw(kind, input).get()) ?? .null
  }

  /// Draws a value or returns the failure; both are recorded.
  public func attempt(_ kind: DrawKind, _ input: JSON = .null) -> Result<JSON, DrawFailure> { draw(kind, input) }
}

extension FlowCore {
  /// The draws of the runtime.
  public static var draws: DrawDeclarations { .standard }

  /// By default, every requested draw matters until it is answered.
  public func awaits(draw revision: Int) -> Bool { true }

  /// By default, no timer retries a request.
  public func call(retriedBy timer: Int) -> Int? { nil }

  /// The state after folding a whole stream.
  public static func folding(_ records: some Sequence<FlowRecord>) -> Self {
    var core = Self()
    for record in records { core.fold(record) }
    return core
  }
}
