// What a flow shows, value by value: what an org's answers have at each of their places, and lack, and what the SDK makes of it.

import EventStore
import FlowRecording
import Replay

/// Reads what flows show.
struct FeatureReader: Sendable {
  /// The keys that an object was seen with, by its place.
  var keys: [String: Set<String>]

  /// Learns which members the answers of a flow have.
  mutating func learn(_ flow: RecordedFlow) {
    for record in flow.records {
      guard case .responseReceived(let response) = record.event, case .json(let body) = response.body else { continue }
      walk(body, Self.kind(of: flow)) { place, json in
        guard let object = json.object else { return }
        keys[place, default: []].formUnion(object.members.map(\.key))
      }
    }
  }

  /// The features of a flow, as numbers.
  func features(of flow: RecordedFlow) -> Set<UInt64> {
    var features: Set<UInt64> = []
    let kind = Self.kind(of: flow)
    func note(_ text: String) { features.insert(StableHash.value(text)) }
    for fact in FlowBehaviour(Recording(name: "", flows: [flow])).facts { note(fact) }
    for record in flow.records {
      switch record.event {
      case .responseReceived(let response):
        for header in response.headers { note("\(kind) header \(header.name.lowercased()) \(Self.word(header.value))") }
        guard case .json(let body) = response.body else {
          note("\(kind) body \(response.status)")
          continue
        }
        walk(body, kind) { place, json in
          note("answer \(place) \(Self.sort(of: json))")
          guard let object = json.object, let usual = keys[place], object.members.count < usual.count else { return }
          let given = Set(object.members.map(\.key))
          for key in usual where !given.contains(key) { note("answer \(place) lacks \(key)") }
        }
      case .callMade(let made):
        walk(made.arguments, "\(kind) \(made.call)") { place, json in note("given \(place) \(Self.sort(of: json))") }
      case .requestSent(let request):
        note("\(kind) \(request.method) \(request.encoding)")
        if let body = request.body { walk(body, kind) { place, json in note("sent \(place) \(Self.sort(of: json))") } }
      case .callReturned, .timerSet, .domain:
        walk(record.event.data, "\(kind) \(record.event.type)") { place, json in
          note("made \(place) \(Self.sort(of: json))")
        }
      case .flowStarted, .flowEnded, .noteAdded, .requestFailed, .drawAsked, .drawMade, .timerFired: break
      }
    }
    return features
  }

  private static func kind(of flow: RecordedFlow) -> String { String(flow.stream.prefix { $0 != "/" }) }

  private func walk(_ json: JSON, _ place: String, _ visit: (String, JSON) -> Void) {
    visit(place, json)
    switch json {
    case .object(let object):
      for member in object.members {
        // Keys that are ids, or secrets, are all alike.
        let key = member.key.contains(where: \.isNumber) || member.key.contains("$") ? "*" : member.key
        walk(member.value, place + "." + key, visit)
      }
    case .array(let elements): for element in elements { walk(element, place + "[]", visit) }
    case .null, .bool, .number, .string: break
    }
  }

  /// What sort of value it is.
  private static func sort(of json: JSON) -> String {
    switch json {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let text):
      switch json.int {
      case nil: text.hasPrefix("-") ? "negative fraction" : "fraction or large"
      case .some(let number) where abs(number) <= 1: "number \(number)"
      case .some(let number): number < 0 ? "negative" : number < 1000 ? "small" : number < 1 << 31 ? "number" : "large"
      }
    case .string(let text): word(text)
    case .array(let elements): "array of \(min(3, elements.count))"
    case .object(let object): object.members.isEmpty ? "empty object" : "object"
    }
  }

  private static func word(_ text: String) -> String {
    if text.isEmpty { return "empty" }
    if Timestamp(text) != nil { return "time of \(text.contains(".") ? "fractions" : "seconds") \(text.last ?? " ")" }
    if text.hasPrefix("$secret.") {
      return "secret\(text.utf8.reduce(0) { $1 == 36 ? $0 + 1 : $0 } == 2 ? "" : " with more")"
    }
    if text.contains("://") {
      return "URL \(text.prefix(5)) \(text.contains("?") ? "query" : "") \(text.contains("#") ? "part" : "")"
    }
    if Double(text) != nil { return "digits" }
    if text.utf8.count <= 28,
      text.utf8.allSatisfy({ $0 == 95 || $0 == 45 || $0 == 58 || (65...90).contains($0 & 0xdf) })
    {
      return text
    }
    return text.utf8.allSatisfy { $0 < 128 } ? "text" : "text of all letters"
  }
}
