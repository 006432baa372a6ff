// What a replay runs: only the SDK's decisions, or also everything around them.

import EventStore
import FlowRecording

/// How much of the SDK a replay runs.
public enum ReplayDepth: String, Sendable, Hashable, CaseIterable {
  /// Only the decisions: recorded events go in as they are. The fastest.
  case core
  /// Also the public objects and the whole runtime: made-up secrets replace the placeholders of the recording, so that
  /// calls, responses and draws are masked again, requests are revealed and encoded, records are written before
  /// anything is sent, and callers get their answers. If a secret occurred in Base64, or in another form that a made-up
  /// one cannot take, or if an org sent values that do not fit their places, only the decisions of the flow run. Takes
  /// several times as long, unless the recording has digests.
  case whole
}

/// Makes the application of a flow; nil if no application has objects of such a flow.
typealias ApplicationMaker<Core: FlowCore> =
  (FlowStarted, FlowEnvironment) throws(PlayedRefusal) -> (any PlayedApplication<Core>)?

/// Takes the inputs of a recorded flow and returns the records that the SDK makes from them.
protocol ReplayDriver<Core>: AnyObject {
  associatedtype Core: FlowCore
  /// The current state.
  var core: Core { get }
  /// The revision under which an application holds that state. A copy of the state costs more.
  var snapshotRevision: Int? { get }
  /// The public forms of the calls that it made; nil if it makes none.
  var forms: PlayedForms? { get }
  /// True if it can continue from a recorded state after a difference.
  var canGoOn: Bool { get }
  /// Gives the SDK an input.
  func feed(_ record: FlowRecord, on snapshot: Core?)
  /// The records since the last call.
  func take() -> [FlowRecord]
  /// Differences of the last step that no record shows: requests sent differently than recorded, callers that got no
  /// answer.
  func findings() -> [StepDifference]
  /// Ends the replay after the last record. Records made by ending are not part of the recording.
  func finish() -> [StepDifference]
  /// Replaces its state with a recorded one.
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
