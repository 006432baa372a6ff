// What a replay runs: the SDK's decisions alone, or all that stands around them.

import EventStore
import FlowRecording

/// How much of the SDK a replay runs.
public enum ReplayDepth: String, Sendable, Hashable, CaseIterable {
  /// The decisions alone: recorded events go in as they are. The fastest.
  case core
  /// Public objects and the whole runtime too: made-up secrets stand where the recording has placeholders, so that
  /// calls, responses and draws are masked again, requests are revealed and encoded, records are written before
  /// anything is sent, and callers get their answers. A flow in which a secret stood in Base64, or in another form that
  /// no made-up one can be brought into, or in which an org sent values that do not fit their places, runs its
  /// decisions alone. Takes about three times as long.
  case whole
}

/// Makes the application of a flow; nil if none holds objects of such a flow.
typealias ApplicationMaker<Core: FlowCore> =
  (FlowStarted, FlowEnvironment) throws(PlayedRefusal) -> (any PlayedApplication<Core>)?

/// Takes the inputs of a recorded flow and gives the records that the SDK makes of them.
protocol ReplayDriver<Core>: AnyObject {
  associatedtype Core: FlowCore
  /// The state that it has come to.
  var core: Core { get }
  /// The revision under which an application holds that state. A copy of the state costs more.
  var snapshotRevision: Int? { get }
  /// The public forms of the calls that it made; nil if it makes none.
  var forms: PlayedForms? { get }
  /// Whether it can go on from a recorded state after a difference.
  var canGoOn: Bool { get }
  /// Gives the SDK an input.
  func feed(_ record: FlowRecord, on snapshot: Core?)
  /// The records since the last call.
  func take() -> [FlowRecord]
  /// What of the last step shows in no record: requests that left otherwise than recorded, callers that got no answer.
  func findings() -> [StepDifference]
  /// Ends the replay after the last record. What comes of that is no part of the recording.
  func finish() -> [StepDifference]
  /// Puts a recorded state in the place of its own.
  func adopt(_ core: Core, nextRevision: Int, draws: Int)
}

/// Runs the core in the runtime of a replay, which performs nothing.
final class CoreDriver<Core: FlowCore>: ReplayDriver {
  private let journal = ReplayingJournal()
  private let live: Flow<Core>

  init(_ flow: RecordedFlow) {
    live = Flow(replaying: flow.stream, journal: journal, draws: RecordedDraws(flow.records))
  }

  var core: Core { live.core }
  var snapshotRevision: Int? { live.snapshotRevision }
  var canGoOn: Bool { true }
  var forms: PlayedForms? { nil }

  func feed(_ record: FlowRecord, on snapshot: Core?) { live.feed(record, on: snapshot) }

  func take() -> [FlowRecord] { journal.take() }

  func findings() -> [StepDifference] { [] }

  func finish() -> [StepDifference] { [] }

  func adopt(_ core: Core, nextRevision: Int, draws: Int) {
    live.adopt(core, nextRevision: nextRevision, draws: draws)
  }
}
