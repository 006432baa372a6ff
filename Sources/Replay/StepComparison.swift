// Compares what one input led to, in the recording and in the replay. Two lists walked in step, three answers: missing,
// extra, different.

import EventStore
import FlowRecording

/// The first difference between the outputs of one step.
struct StepDifference {
  var kind: Divergence.Kind
  var revision: Int
  var expected: FlowRecord?
  var actual: FlowRecord?
}

enum StepComparison {
  /// The first difference, or nil where the lists agree in type, version, data and cause.
  ///
  /// - Parameters:
  ///   - expected: the recorded outputs of the step.
  ///   - actual: the outputs that the SDK made.
  ///   - next: the revision after the last record that agreed.
  static func difference(_ expected: [FlowRecord], _ actual: [FlowRecord], next: Int) -> StepDifference? {
    for index in 0..<max(expected.count, actual.count) {
      let recorded = index < expected.count ? expected[index] : nil
      let made = index < actual.count ? actual[index] : nil
      guard let recorded else {
        let kind: Divergence.Kind = made.map(isDraw) == true ? .draw : .extra
        return StepDifference(kind: kind, revision: made?.revision ?? next, expected: nil, actual: made)
      }
      guard let made else {
        return StepDifference(
          kind: .missing, revision: min(recorded.revision, next + index), expected: recorded, actual: nil)
      }
      if agree(recorded, made) { continue }
      return different(expected, actual, at: index, recorded, made)
    }
    return nil
  }

  private static func different(
    _ expected: [FlowRecord], _ actual: [FlowRecord], at index: Int, _ recorded: FlowRecord, _ made: FlowRecord
  ) -> StepDifference {
    if case .drawMade(let drawn) = made.event {
      if case .drawMade(let kept) = recorded.event, kept.kind == drawn.kind, kept.ordinal == drawn.ordinal {
        return StepDifference(kind: .different, revision: made.revision, expected: recorded, actual: made)
      }
      return StepDifference(kind: .draw, revision: made.revision, expected: recorded, actual: made)
    }
    // If the SDK's event comes later in the recording, the recording has one more here; and the other way round.
    if recorded.event != made.event {
      if expected[(index + 1)...].contains(where: { $0.event == made.event }) {
        return StepDifference(kind: .missing, revision: recorded.revision, expected: recorded, actual: nil)
      }
      if actual[(index + 1)...].contains(where: { $0.event == recorded.event }) {
        return StepDifference(kind: .extra, revision: made.revision, expected: nil, actual: made)
      }
    }
    return StepDifference(kind: .different, revision: made.revision, expected: recorded, actual: made)
  }

  private static func agree(_ recorded: FlowRecord, _ made: FlowRecord) -> Bool {
    // The data, to the byte: members of events are strings, which are equal by canonical equivalence.
    recorded.event == made.event && recorded.event.data == made.event.data && recorded.cause == made.cause
      && recorded.revision == made.revision
  }

  private static func isDraw(_ record: FlowRecord) -> Bool {
    if case .drawMade = record.event { return true }
    return false
  }

  /// Where two events differ first, as a path from the record: `type`, `cause`, `data.headers[2][1]`.
  static func path(_ expected: FlowRecord, _ actual: FlowRecord) -> String {
    if expected.event.type != actual.event.type { return "type" }
    if let path = path(expected.event.data, actual.event.data, at: "data") { return path }
    return expected.cause != actual.cause ? "cause" : "rev"
  }

  private static func path(_ expected: JSON, _ actual: JSON, at place: String) -> String? {
    switch (expected, actual) {
    case (.object(let one), .object(let other)):
      let keys = one.members.map(\.key) + other.members.map(\.key).filter { one[$0] == nil }
      for key in keys {
        guard let left = one[key], let right = other[key] else { return "\(place).\(key)" }
        if let path = path(left, right, at: "\(place).\(key)") { return path }
      }
      return one == other ? nil : place
    case (.array(let one), .array(let other)):
      for index in 0..<max(one.count, other.count) {
        guard index < one.count, index < other.count else { return "\(place)[\(index)]" }
        if let path = path(one[index], other[index], at: "\(place)[\(index)]") { return path }
      }
      return nil
    default: return expected == actual ? nil : place
    }
  }
}
