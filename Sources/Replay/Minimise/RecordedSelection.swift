// Selects inputs of a recorded flow with the outputs that were recorded after them.

import EventStore
import FlowRecording

/// Flows of recorded events. An event keeps what it says, except that revisions in it are those of the new flow, so
/// that the flow folds.
struct RecordedSelection {
  private let stream: String
  private let steps: [FlowStep]
  /// For each step, the earlier ones with events that it refers to.
  private let needs: [Set<Int>]

  /// The selections of a flow.
  init(_ steps: [FlowStep], of stream: String) {
    (self.steps, self.stream) = (steps, stream)
    var places: [Int: Int] = [:]
    needs = steps.enumerated().map { index, step in
      for record in step.records { places[record.revision] = index }
      var needed: Set<Int> = []
      for record in step.records {
        _ = record.renumbered { revision in
          if let place = places[revision], place != index { needed.insert(place) }
          return revision
        }
      }
      return needed
    }
  }

  /// The flow of some steps, without those that refer to a step that is not among them.
  func flow(of selection: [Int]) -> PlannedFlow {
    var records: [FlowRecord] = []
    var used: Set<Int> = []
    var revisions: [Int: Int] = [:]
    var next = 0
    for index in selection where needs[index].isSubset(of: used) {
      used.insert(index)
      for record in steps[index].records {
        revisions[record.revision] = next
        let renumbered = record.renumbered { revisions[$0] }
        records.append(renumbered)
        next += 1 + EventCoding.partCount(of: renumbered.event)
      }
    }
    return PlannedFlow(flow: RecordedFlow(stream: stream, records: records), steps: used.sorted())
  }
}

extension FlowStep {
  /// The input and the outputs.
  fileprivate var records: [FlowRecord] { [input] + outputs }
}

extension FlowRecord {
  /// The record with other revisions: its own, that of its cause, and those in its data, which are `call` and `on`.
  ///
  /// - Parameter new: the new revision for a recorded one; `nil` if the new flow has no such event.
  fileprivate func renumbered(_ new: (Int) -> Int?) -> FlowRecord {
    var record = self
    record.revision = new(revision) ?? revision
    record.cause = cause.flatMap(new)
    switch event {
    case .callMade(var made):
      made.on = made.on.flatMap(new)
      if made.call == CallMade.giveUp { made.arguments = Self.renumbered(made.arguments, new) }
      record.event = .callMade(made)
    case .callReturned(var returned):
      returned.call = new(returned.call) ?? returned.call
      record.event = .callReturned(returned)
    case .drawAsked(var asked):
      asked.input = Self.renumbered(asked.input, new)
      record.event = .drawAsked(asked)
    case .domain(let event):
      record.event = .domain(
        DomainEvent(type: event.type, version: event.version, data: Self.renumbered(event.data, new)))
    case .flowStarted, .flowEnded, .noteAdded, .requestSent, .responseReceived, .requestFailed, .drawMade, .timerSet,
      .timerFired:
      break
    }
    return record
  }

  private static func renumbered(_ data: JSON, _ new: (Int) -> Int?) -> JSON {
    guard case .object(var object) = data else { return data }
    for name in ["call", "on"] {
      if let revision = object[name]?.int.flatMap(new) { object[name] = .int(revision) }
    }
    return .object(object)
  }
}
