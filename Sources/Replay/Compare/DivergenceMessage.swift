// A divergence in one sentence.

import EventStore
import FlowRecording

extension Divergence {
  /// The words of a divergence: `revision 8, selectFactor: request.sent has no header Cookie (recorded: DT=…)`.
  static func message(_ difference: StepDifference, _ place: EventDifference?, call: String?) -> String {
    let expected = difference.expected?.event.type ?? "nothing"
    let actual = difference.actual?.event.type ?? "nothing"
    let what =
      switch difference.kind {
      case .missing where difference.complaint != nil && expected == CallReturned.type:
        "the application does not get what \(expected) says: \(difference.complaint ?? "")"
      case .missing where difference.complaint != nil: "\(expected): \(difference.complaint ?? "")"
      case .missing where difference.expected?.event.isInput == true:
        "the recording has \(expected) here, and the SDK has no place for it"
      case .missing: "the recording has \(expected), which the SDK does not make"
      case .extra: "the SDK makes \(actual), which the recording does not have"
      case .moved: "the SDK makes \(expected) in another order"
      case .draw: kinds(of: difference) ?? "the SDK asks for a draw that the recording does not have there"
      case .state: "another state after \(expected)"
      case .different where expected == actual: "\(expected) \(place.map(words) ?? "differs")"
      case .different: "the recording has \(expected) and the SDK makes \(actual)"
      }
    let unknown = difference.complaint == nil ? difference.expected?.event.unknownVersion : nil
    return "revision \(difference.revision)\(call.map { ", \($0)" } ?? ""): \(unknown ?? what)"
  }

  /// The kinds of two draws; `nil` if there is one draw alone, or if both are of one kind.
  private static func kinds(of difference: StepDifference) -> String? {
    guard case .drawMade(let recorded)? = difference.expected?.event,
      case .drawMade(let asked)? = difference.actual?.event, recorded.kind != asked.kind
    else { return nil }
    return "the SDK asks for the draw \(asked.kind), and the recording has \(recorded.kind)"
  }

  private static func words(_ place: EventDifference) -> String {
    let name = name(of: place.path)
    switch (place.recorded, place.replayed) {
    case (let recorded?, nil): return "has no \(name) (recorded: \(excerpt(recorded, beside: nil)))"
    case (nil, let replayed?): return "has \(name) \(excerpt(replayed, beside: nil)) (recorded: none)"
    case (let recorded, let replayed):
      return "has \(name) \(excerpt(replayed ?? .null, beside: recorded)) "
        + "(recorded: \(excerpt(recorded ?? .null, beside: replayed)))"
    }
  }

  /// `header Cookie`, `ms`, `body.stateToken`.
  private static func name(of path: String) -> String {
    let headers = "data.headers."
    if path.hasPrefix(headers) { return "header \(path.dropFirst(headers.count))" }
    return path.hasPrefix("data.") ? String(path.dropFirst("data.".count)) : path
  }

  /// How long a value may be in a sentence, in characters.
  private static let longest = 80

  /// A value, shortened around the place where it begins to differ from the other side.
  static func excerpt(_ value: JSON, beside other: JSON?) -> String {
    let text = Array(value.string ?? value.text)
    guard text.count > longest else { return String(text) }
    let others = other.map { Array($0.string ?? $0.text) } ?? []
    let same = zip(text, others).prefix { $0 == $1 }.count
    let start = min(max(0, same - longest / 4), text.count - longest)
    let end = start + longest
    return (start > 0 ? "…" : "") + String(text[start..<end]) + (end < text.count ? "…" : "")
  }
}
