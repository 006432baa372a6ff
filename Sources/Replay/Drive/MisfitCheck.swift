// Recordings of malformed answers. A value that does not fit its place, a number for a text, is masked for that; a made-up text
// in its stead would fit. A word that is a secret in one place is replaced in others; a made-up one need not stand there. Such
// flows run their decisions alone.

import EventStore
import FlowRecording

/// Looks for secrets that nothing declares in the declared places of a recorded flow.
struct MisfitCheck<Core: FlowCore> {
  /// Whether one was found.
  private(set) var hasMisfit = false

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
    }
  }

  /// - Parameters:
  ///   - isChosen: whether a value of the message itself decided on the schema.
  ///   - isCall: whether it stands in a call, where no text that stays readable has a secret in it, unless one is a usual word.
  private mutating func visit(_ json: JSON, _ schema: WireSchema, isChosen: Bool = false, isCall: Bool = false) {
    switch (schema, json) {
    case (.own, _), (.secret, _): break
    case (.depending(let pick), _): visit(json, pick(json), isChosen: true, isCall: isCall)
    case (.setting(let schema), _): visit(json, schema, isChosen: isChosen, isCall: isCall)
    case (.array(let element), .array(let elements)):
      for json in elements { visit(json, element, isChosen: isChosen, isCall: isCall) }
    case (.array(let element), _): visit(json, element, isChosen: isChosen, isCall: isCall)
    case (.object, .array(let elements)):
      for json in elements { visit(json, schema, isChosen: isChosen, isCall: isCall) }
    case (.object(let members), .object(let object)):
      for member in object.members {
        if let schema = members[member.key] { visit(member.value, schema, isChosen: isChosen, isCall: isCall) }
      }
    case (.map(let value), .object(let object)):
      for member in object.members { visit(member.value, value, isChosen: isChosen, isCall: isCall) }
    case (_, .string(let text)):
      guard text.utf8.contains(UInt8(ascii: "$")) else { return }
      // What a value made a secret of itself stands alone.
      let isAlone = isChosen && text.hasPrefix("$secret.") && text.hasSuffix("$")
      if isCall && text.contains("$secret.") { hasMisfit = true }
      if isAlone || text.contains("$secret.undeclared.") || text.contains("$secret.key.") { hasMisfit = true }
    default: break
    }
  }
}
