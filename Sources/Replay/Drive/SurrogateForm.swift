// Values that were masked since they did not fit their place: a number for a text, a sentence for an id. What stands for such
// a value must not fit either, or it would stay readable.

import EventStore
import FlowRecording

/// What stands for a secret that letters and digits cannot stand for.
enum SurrogateForm: Equatable {
  /// A number: for a place of text.
  case number
  /// Text with a space in it: for a place of an id, a date or a number.
  case spaced
  /// A boolean: for a place that takes texts and numbers.
  case flag(Bool)
}

/// Finds the places of a recorded flow in which a value stands that does not fit.
struct SurrogateForms<Core: FlowCore> {
  private(set) var forms: [String: SurrogateForm] = [:]
  /// Whether something can stand for each of these values.
  private(set) var isComplete = true
  /// Secrets that stand where nothing is declared: that makes them secrets, whatever stands for them.
  private var elsewhere: Set<String> = []
  private static var prefix: String { "$secret." }

  init(_ records: [FlowRecord]) {
    for record in records { visit(record) }
    for name in elsewhere { forms[name] = nil }
    guard Self.isNumberedThrough(records) else {
      isComplete = false
      return
    }
    guard !forms.isEmpty else { return }
    // There are two booleans; and a number or a sentence in another case, or encoded, is itself.
    let flags = forms.values.count { if case .flag = $0 { true } else { false } }
    let sightings = forms.keys.map { Self.prefix + $0 + "." }
    if flags > 2 || records.contains(where: { record in Self.contains(sightings, in: record.event.data) }) {
      isComplete = false
    }
  }

  /// Whether each number of an undeclared value stands somewhere. One that does not was a secret that was not written in the end:
  /// nothing would take its number in a replay.
  private static func isNumberedThrough(_ records: [FlowRecord]) -> Bool {
    var numbers: Set<Int> = []
    for record in records { collect(record.event.data, &numbers) }
    return numbers.count == numbers.max() ?? 0
  }

  private static func collect(_ json: JSON, _ numbers: inout Set<Int>) {
    switch json {
    case .null, .bool, .number: break
    case .string(let text):
      guard text.utf8.contains(UInt8(ascii: "$")) else { return }
      for rest in text.split(separator: prefix + "undeclared.", omittingEmptySubsequences: false).dropFirst() {
        if let number = Int(rest.prefix { $0.isNumber }) { numbers.insert(number) }
      }
    case .array(let elements): for element in elements { collect(element, &numbers) }
    case .object(let object):
      for member in object.members {
        collect(.string(member.key), &numbers)
        collect(member.value, &numbers)
      }
    }
  }

  private mutating func visit(_ record: FlowRecord) {
    let policy = Core.policy
    switch record.event {
    case .flowStarted(let started): visit(started.settings, policy.settings)
    case .callMade(let made): visit(made.arguments, policy.arguments)
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

  private static func contains(_ texts: [String], in json: JSON) -> Bool {
    switch json {
    case .null, .bool, .number: false
    case .string(let text):
      text.hasPrefix(prefix) || text.contains(prefix) ? texts.contains(where: text.contains) : false
    case .array(let elements): elements.contains { contains(texts, in: $0) }
    case .object(let object):
      object.members.contains { contains(texts, in: .string($0.key)) || contains(texts, in: $0.value) }
    }
  }

  /// - Parameter isChosen: whether a value of the message itself decided on the schema.
  private mutating func visit(_ json: JSON, _ schema: WireSchema, isChosen: Bool = false) {
    switch (schema, json) {
    case (.own, _): break
    case (.secret, _): pass(json)
    case (.depending(let pick), _): visit(json, pick(json), isChosen: true)
    case (.setting(let schema), _): visit(json, schema, isChosen: isChosen)
    case (.array(let element), .array(let elements)): for json in elements { visit(json, element, isChosen: isChosen) }
    case (.array(let element), _): visit(json, element, isChosen: isChosen)
    case (.object, .array(let elements)): for json in elements { visit(json, schema, isChosen: isChosen) }
    case (.object(let members), .object(let object)):
      for member in object.members {
        if let schema = members[member.key] {
          visit(member.value, schema, isChosen: isChosen)
        } else {
          pass(member.value)
        }
      }
    case (.map(let value), .object(let object)):
      for member in object.members { visit(member.value, value, isChosen: isChosen) }
    case (.object, _), (.map, _): pass(json)
    case (_, .string(let text)): note(text, schema, isChosen)
    default: pass(json)
    }
  }

  /// Takes up the secrets of a value that nothing declares.
  private mutating func pass(_ json: JSON) {
    switch json {
    case .null, .bool, .number: break
    case .string(let text):
      if text.hasPrefix(Self.prefix), text.hasSuffix("$") {
        elsewhere.insert(String(text.dropFirst(Self.prefix.count).dropLast()))
      }
    case .array(let elements): for element in elements { pass(element) }
    case .object(let object): for member in object.members { pass(member.value) }
    }
  }

  /// Takes up what must stand for a text that is one placeholder, of a value that nothing declares, in a declared place.
  private mutating func note(_ text: String, _ schema: WireSchema, _ isChosen: Bool) {
    guard text.hasPrefix(Self.prefix), text.hasSuffix("$"), text.dropFirst().dropLast().allSatisfy({ $0 != "$" }) else {
      return
    }
    let name = String(text.dropFirst(Self.prefix.count).dropLast())
    guard name.hasPrefix("undeclared.") else {
      // The value itself made it a secret: what stands for it would not.
      if isChosen { isComplete = false }
      return
    }
    guard forms[name] == nil else { return }
    switch schema {
    case .text, .url, .place, .login: forms[name] = .number
    case .personal: forms[name] = .flag(!forms.values.contains(.flag(true)))
    case .word, .identifier, .errorCode, .number, .boolean, .date: forms[name] = .spaced
    case .own, .secret, .depending, .setting, .array, .object, .map: break
    }
  }
}
