// Puts a difference between a recording and the SDK into the same step of a shorter flow.

import EventStore
import FlowRecording

/// The difference between a recording and the SDK in one step, for transfer into a step that the SDK made from the same
/// input elsewhere.
struct Transplant {
  /// The recorded outputs of the step.
  let recorded: [FlowRecord]
  /// The SDK's outputs of it.
  let made: [FlowRecord]

  /// The outputs of a step of another flow with the same difference in them.
  ///
  /// - Parameters:
  ///   - new: the step as the SDK made it, the input first.
  ///   - revisions: the new revisions by the recorded ones.
  func apply(to new: [FlowRecord], revisions: [Int: Int]) -> [FlowRecord] {
    guard let input = new.first else { return new }
    let outputs = Array(new.dropFirst())
    let partners = partners()
    let places = places(of: outputs)
    var out: [FlowRecord] = []
    for (index, record) in recorded.enumerated() {
      guard let partner = partners[index] else {
        // The SDK does not make it: it is inserted unchanged.
        out.append(
          FlowRecord(revision: 0, at: input.at, cause: moved(record.cause, revisions, input), event: record.event))
        continue
      }
      guard let place = places[partner] else { continue }
      var copy = outputs[place]
      copy.event = Self.merge(copy.event, recorded: record.event, made: made[partner].event)
      if record.cause != made[partner].cause { copy.cause = moved(record.cause, revisions, input) }
      out.append(copy)
    }
    // An output that the SDK makes only here belongs to this flow.
    let known = Set(places.values)
    for (place, output) in outputs.enumerated() where !known.contains(place) { out.append(output) }
    return [input] + Self.numbered(out, after: input)
  }

  private func moved(_ cause: Int?, _ revisions: [Int: Int], _ input: FlowRecord) -> Int? {
    cause.map { revisions[$0] ?? input.revision }
  }

  /// For each recorded output the index of the SDK's that it belongs to.
  private func partners() -> [Int: Int] {
    var partners: [Int: Int] = [:]
    var free = Set(made.indices)
    for (index, record) in recorded.enumerated() {
      guard let place = made.indices.first(where: { free.contains($0) && made[$0].event == record.event }) else {
        continue
      }
      partners[index] = place
      free.remove(place)
    }
    for difference in StepComparison.differences(recorded, made, after: nil).found {
      guard let expected = difference.expected, let actual = difference.actual,
        let index = recorded.firstIndex(where: { $0.revision == expected.revision }), partners[index] == nil,
        let place = made.firstIndex(where: { $0.revision == actual.revision }), free.contains(place)
      else { continue }
      partners[index] = place
      free.remove(place)
    }
    return partners
  }

  /// The places in the new step of the SDK's outputs of the original step: the first, second … of a type correspond.
  private func places(of outputs: [FlowRecord]) -> [Int: Int] {
    var left: [String: [Int]] = [:]
    for (place, output) in outputs.enumerated() { left[output.event.type, default: []].append(place) }
    var places: [Int: Int] = [:]
    for (index, record) in made.enumerated() {
      guard var candidates = left[record.event.type], !candidates.isEmpty else { continue }
      places[index] = candidates.removeFirst()
      left[record.event.type] = candidates
    }
    return places
  }

  private static func merge(_ event: FlowEvent, recorded: FlowEvent, made: FlowEvent) -> FlowEvent {
    guard recorded.type == made.type, recorded.type == event.type else { return recorded }
    guard recorded != made || recorded.data != made.data else { return event }
    let data = merge(event.data, recorded: recorded.data, made: made.data)
    return (try? FlowEvent(type: recorded.type, version: recorded.version, data: data)) ?? recorded
  }

  private static func merge(_ json: JSON, recorded: JSON, made: JSON) -> JSON {
    if recorded == made { return json }
    switch (json, recorded, made) {
    case (.object(let new), .object(let recorded), .object(let made)):
      var merged = new
      for member in made.members where recorded[member.key] == nil { merged[member.key] = nil }
      for member in recorded.members {
        guard let value = new[member.key], let before = made[member.key] else {
          if made[member.key] == nil { merged[member.key] = member.value }
          continue
        }
        merged[member.key] = merge(value, recorded: member.value, made: before)
      }
      return .object(merged)
    case (.array(let new), .array(let recorded), .array(let made))
    where new.count == recorded.count && made.count == recorded.count:
      return .array(new.indices.map { merge(new[$0], recorded: recorded[$0], made: made[$0]) })
    default: return recorded
    }
  }

  /// The outputs with their revisions after the input.
  private static func numbered(_ outputs: [FlowRecord], after input: FlowRecord) -> [FlowRecord] {
    var next = input.revision + 1 + EventCoding.encode(input.event).parts.count
    return outputs.map { output in
      var output = output
      output.revision = next
      next += 1 + EventCoding.encode(output.event).parts.count
      return output
    }
  }
}
