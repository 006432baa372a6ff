// Recordings of malformed answers. A value that does not fit its place, such as a number for a text, is masked for that
// reason; its replacement must not fit either. A word that is a secret in one place is also replaced in others, where a
// made-up one need not occur. Flows for which no such value can be made up run only their decisions.

import EventStore
import FlowRecording

/// Looks for undeclared secrets in the declared places of a recorded flow, and makes up values for those in answers.
///
/// A value that the recording names as a declared secret, but that the SDK no longer declares, is not a misfit: that
/// flow runs whole, and differs.
struct MisfitCheck<Core: FlowCore> {
  /// The kinds of secrets that no declaration names: values that do not fit their place, and input typed in the form of
  /// a placeholder.
  private static var made: Set<Substring> { ["undeclared", "key", "literal"] }

  /// True if a misfit was found for which no value can be made up.
  private(set) var hasMisfit = false
  /// The values that do not fit their places, by the name in their placeholder: `undeclared.1`.
  private(set) var values: [Substring: JSON] = [:]
  /// The places in answers of values that do not fit.
  private var places: [Substring: MisfitPlace] = [:]
  /// The placeholders found so far that stand alone where a secret belongs.
  private var declared: Set<Substring> = []
  /// The texts of this record that stand where no secret belongs.
  private var readable: [(text: String, isCall: Bool)] = []

  init(_ records: [FlowRecord]) {
    let policy = Core.policy
    for record in records where !hasMisfit {
      switch record.event {
      case .flowStarted(let started): visit(started.settings, policy.settings)
      case .callMade(let made): visit(made.arguments, policy.arguments, isCall: true)
      case .responseReceived(let response):
        if case .json(let json) = response.body { visit(json, policy.response, in: .body) }
        for field in response.headers {
          if let schema = policy.headers[field.name.lowercased()] {
            visit(.string(field.value), schema, in: .header)
          }
        }
      case .drawMade(let draw):
        if case .success(let value) = draw.result, let schema = Core.draws[draw.kind]?.schema { visit(value, schema) }
      case .flowEnded, .requestSent, .requestFailed, .timerSet, .timerFired, .drawAsked, .callReturned, .noteAdded,
        .domain:
        break
      }
      judge()
    }
    var words = 0
    for (name, place) in places {
      guard let value = place.value(of: name) else {
        hasMisfit = true
        break
      }
      if case .bool = value { words += 1 }
      values[name] = value
    }
    // The vault has one placeholder for each of the two.
    if words > 1 { hasMisfit = true }
  }

  /// Looks at the readable texts of a record, once the secrets in it are known.
  private mutating func judge() {
    for (text, isCall) in readable where !hasMisfit {
      for name in PlaceholderNames.names(in: text).map(Self.base) {
        let kind = name.prefix { $0 != "." }
        if Self.made.contains(kind) || isCall && declared.contains(name) { hasMisfit = true }
      }
    }
    readable = []
  }

  /// `password.1` of `password.1.case`.
  private static func base(_ name: Substring) -> Substring {
    let parts = name.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count > 2 ? name[..<parts[1].endIndex] : name
  }

  /// The part of an answer that holds a value.
  private enum Part { case body, header }

  /// Notes a text of an answer that is, or contains, a made-up value. Returns false if no value is made up for it.
  private mutating func note(_ text: String, _ schema: WireSchema, in part: Part?) -> Bool {
    guard let part, let name = PlaceholderNames.names(in: text).first else { return false }
    let base = Self.base(name)
    let isWhole = text.utf8.count == "$secret.$".utf8.count + base.utf8.count
    switch base.prefix(while: { $0 != "." }) {
    case "undeclared":
      var place = places[base] ?? MisfitPlace()
      let fits = isWhole ? place.stands(at: schema) : place.standsIn(schema)
      if part == .header { place.isText = true }
      places[base] = place
      return fits
    case "key": return true
    case "literal": return isWhole
    default: return false
    }
  }

  /// True if a value did not fit its place.
  private static func isMisfit(_ json: JSON) -> Bool { json.string?.hasPrefix("$secret.undeclared.") == true }

  /// - Parameters:
  ///   - isCall: whether it is in a call, where no readable text contains a secret, unless the secret is a usual word.
  ///   - part: the part of an answer that holds it; nil if it is not in an answer.
  private mutating func visit(_ json: JSON, _ schema: WireSchema, isCall: Bool = false, in part: Part? = nil) {
    switch (schema, json) {
    case (.own, _): break
    case (.secret, .string(let text)) where text.hasPrefix("$secret.") && text.hasSuffix("$"):
      if let name = PlaceholderNames.names(in: text).first { declared.insert(Self.base(name)) }
    case (.secret, _): break
    case (.depending(let pick), _):
      // Values that select the schema must stay the same.
      if let object = json.object, object.members.contains(where: { Self.isMisfit($0.value) }) { hasMisfit = true }
      visit(json, pick(json), isCall: isCall, in: part)
    case (.setting(let schema), _): visit(json, schema, isCall: isCall, in: part)
    case (.array(let element), .array(let elements)):
      for json in elements { visit(json, element, isCall: isCall, in: part) }
    case (.array(let element), _): visit(json, element, isCall: isCall, in: part)
    case (.object, .array(let elements)):
      for json in elements { visit(json, schema, isCall: isCall, in: part) }
    case (.object(let members), .object(let object)):
      for member in object.members {
        if let schema = members[member.key] { visit(member.value, schema, isCall: isCall, in: part) }
      }
    case (.map(let value), .object(let object)):
      for member in object.members { visit(member.value, value, isCall: isCall, in: part) }
    // Each part of an address is masked by itself.
    case (.url, .string(let text)) where !text.hasPrefix("$"): break
    case (_, .string(let text)):
      if text.holds(UInt8(ascii: "$")), !note(text, schema, in: part) { readable.append((text, isCall)) }
    default: break
    }
  }
}
