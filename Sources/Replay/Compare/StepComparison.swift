// Compares the events that one input led to, in the recording and in the replay: two lists walked side by side.

import EventStore
import FlowRecording

/// A difference between the outputs of one step.
struct StepDifference {
  var kind: Divergence.Kind
  var revision: Int
  var expected: FlowRecord?
  var actual: FlowRecord?
  /// How the application's result differs, if that is the difference.
  var complaint: String?
}

/// Walks two lists of outputs side by side. After a difference it resynchronizes: one event more, one less, one
/// changed, two in another order.
struct StepComparison {
  private let expected: [FlowRecord]
  private let actual: [FlowRecord]
  private let input: FlowRecord?
  private var differences: [StepDifference] = []
  /// How many differences more there are than are kept.
  private var leftOut = 0
  /// The last place of each event in either list.
  private lazy var lastExpected: [FlowEvent: Int] = StepComparison.lastPlaces(in: self.expected)
  private lazy var lastActual: [FlowEvent: Int] = StepComparison.lastPlaces(in: self.actual)

  /// The differences, in order, and how many more there are that are not kept; none if the lists agree in type,
  /// version, data and cause. Cost: linear in the lists.
  ///
  /// - Parameters:
  ///   - expected: the recorded outputs of the step.
  ///   - actual: the outputs that the SDK made.
  ///   - input: the input of the step; nil if revisions do not matter.
  static func differences(
    _ expected: [FlowRecord], _ actual: [FlowRecord], after input: FlowRecord?
  ) -> (found: [StepDifference], leftOut: Int) {
    var comparison = StepComparison(expected: expected, actual: actual, input: input)
    comparison.walk()
    comparison.joinMoved()
    return (comparison.differences, comparison.leftOut)
  }

  private init(expected: [FlowRecord], actual: [FlowRecord], input: FlowRecord?) {
    (self.expected, self.actual, self.input) = (expected, actual, input)
  }

  /// Further differences of one step add no information, and are only counted: each may be the other side of any other.
  private static let mostDifferences = 500

  private static func lastPlaces(in records: [FlowRecord]) -> [FlowEvent: Int] {
    Dictionary(records.enumerated().map { ($0.element.event, $0.offset) }) { _, last in last }
  }

  private mutating func walk() {
    var (left, right) = (0, 0)
    while left < expected.count || right < actual.count {
      guard left < expected.count else {
        add(Self.isDraw(actual[right]) ? .draw : .extra, actual[right].revision, nil, actual[right])
        right += 1
        continue
      }
      guard right < actual.count else {
        add(.missing, min(expected[left].revision, next(to: left)), expected[left], nil)
        left += 1
        continue
      }
      let (recorded, made) = (expected[left], actual[right])
      if agree(recorded, made) {
        (left, right) = (left + 1, right + 1)
      } else if case .drawMade(let drawn) = made.event {
        drawDiffers(drawn, recorded, made, &left, &right)
      } else if recorded.event != made.event, lastExpected[made.event].map({ $0 > left }) == true {
        // The SDK's event comes later in the recording, so the recording has one more here.
        add(.missing, recorded.revision, recorded, nil)
        left += 1
      } else if recorded.event != made.event, lastActual[recorded.event].map({ $0 > right }) == true {
        add(.extra, made.revision, nil, made)
        right += 1
      } else {
        add(.different, made.revision, recorded, made)
        (left, right) = (left + 1, right + 1)
      }
    }
  }

  /// The revision that the record before a place of the recording leaves to the next: a long event has more than one.
  private func next(to place: Int) -> Int {
    guard let before = place > 0 ? expected[place - 1] : input else { return .max }
    return before.revision &+ 1 &+ EventCoding.encode(before.event).parts.count
  }

  private mutating func drawDiffers(
    _ drawn: DrawMade, _ recorded: FlowRecord, _ made: FlowRecord, _ left: inout Int, _ right: inout Int
  ) {
    let isSameDraw =
      if case .drawMade(let kept) = recorded.event { kept.kind == drawn.kind && kept.ordinal == drawn.ordinal } else {
        false
      }
    add(isSameDraw ? .different : .draw, made.revision, recorded, made)
    right += 1
    // The SDK made an additional draw: the recorded event may still follow.
    let isToCome = lastActual[recorded.event].map { $0 >= right } ?? false
    if isSameDraw || !isToCome { left += 1 }
  }

  /// An event that is missing in one place and extra in another was moved.
  private mutating func joinMoved() {
    var index = 0
    while index < differences.count {
      if let event = differences[index].lone?.event,
        let other = differences[(index + 1)...].firstIndex(where: {
          $0.lone?.event == event && ($0.expected == nil) != (differences[index].expected == nil)
        })
      {
        let pair = [differences[index], differences[other]]
        differences[index].kind = .moved
        differences[index].expected = pair.lazy.compactMap(\.expected).first
        differences[index].actual = pair.lazy.compactMap(\.actual).first
        differences.remove(at: other)
      }
      index += 1
    }
  }

  private mutating func add(
    _ kind: Divergence.Kind, _ revision: Int, _ expected: FlowRecord?, _ actual: FlowRecord?
  ) {
    guard differences.count < Self.mostDifferences else {
      leftOut += 1
      return
    }
    differences.append(StepDifference(kind: kind, revision: revision, expected: expected, actual: actual))
  }

  private func agree(_ recorded: FlowRecord, _ made: FlowRecord) -> Bool {
    guard recorded.event.isSame(as: made.event) else { return false }
    // One event more or less shifts the revisions of later events, without making them different.
    return !differences.isEmpty || (recorded.cause == made.cause && recorded.revision == made.revision)
  }

  private static func isDraw(_ record: FlowRecord) -> Bool {
    if case .drawMade = record.event { return true }
    return false
  }
}

extension StepDifference {
  /// The one event of a difference that has no other side.
  fileprivate var lone: FlowRecord? {
    switch kind {
    case .missing: expected
    case .extra: actual
    case .different, .moved, .draw, .state: nil
    }
  }
}
