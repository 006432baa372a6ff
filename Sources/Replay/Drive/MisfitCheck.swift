// Recordings of malformed answers. A value that does not fit its place, a number for a text, is masked for that; a made-up text
// in its stead would fit. A word that is a secret in one place is replaced in others; a made-up one need not stand there. Such
// flows run their decisions alone.

import EventStore
import FlowRecording

/// Looks for secrets that nothing declares in the declared places of a recorded flow.
///
/// What the recording calls by the name of a declared secret, and the SDK declares no more, is no misfit: that flow runs whole,
/// and differs.
struct MisfitCheck<Core: FlowCore> {
  /// The kinds of secrets that no declaration names: what does not fit its place, and what was typed in the form of a
  /// placeholder.
  private static var made: Set<Substring> { ["undeclared", "key", "literal"] }

  /// Whether one was found.
  private(set) var hasMisfit = false
  /// The placeholders that stand alone where a secret belongs, up to here.
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
        if case .json(let json) = response.body { visit(json, policy.response) }
        for field in response.headers {
          if let schema = policy.headers[field.name.lowercased()] { visit(.string(field.value), schema) }
        }
      case .drawMade(let draw):
        if case .success(let value) = draw.result, let schema = Core.draws[draw.kind]?.schema { visit(value, schema) }
      case .flowEnded, .requestSent, .requestFailed, .timerSet, .timerFired, .drawAsked, .callReturned, .noteAdded,
        .domain:
        break
      }
      judge()
    }
  }

  /// Looks at the readable texts of a record, once the secrets in it are known.
  private mutating func judge() {
    for (text, isCall) in readable where !hasMisfit {
      for name in Surrogates.names(in: text).map(Self.base) {
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

  /// - Parameter isCall: whether it stands in a call, where no text that stays readable has a secret in it, unless one is a
  ///   usual word.
  private mutating func visit(_ json: JSON, _ schema: WireSchema, isCall: Bool = false) {
    switch (schema, json) {
    case (.own, _): break
    case (.secret, .string(let text)) where text.hasPrefix("$secret.") && text.hasSuffix("$"):
      if let name = Surrogates.names(in: text).first { declared.insert(Self.base(name)) }
    case (.secret, _): break
    case (.depending(let pick), _): visit(json, pick(json), isCall: isCall)
    case (.setting(let schema), _): visit(json, schema, isCall: isCall)
    case (.array(let element), .array(let elements)):
      for json in elements { visit(json, element, isCall: isCall) }
    case (.array(let element), _): visit(json, element, isCall: isCall)
    case (.object, .array(let elements)):
      for json in elements { visit(json, schema, isCall: isCall) }
    case (.object(let members), .object(let object)):
      for member in object.members {
        if let schema = members[member.key] { visit(member.value, schema, isCall: isCall) }
      }
    case (.map(let value), .object(let object)):
      for member in object.members { visit(member.value, value, isCall: isCall) }
    // Of an address each part is masked by itself.
    case (.url, .string(let text)) where !text.hasPrefix("$"): break
    case (_, .string(let text)):
      if text.holds(UInt8(ascii: "$")) { readable.append((text, isCall)) }
    default: break
    }
  }
}
