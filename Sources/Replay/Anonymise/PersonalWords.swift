// Personal values inside other text.

import EventStore
import FlowRecording

/// Finds personal values as whole words of other text, and replaces them.
struct PersonalWords {
  /// The values of at least three bytes, the longest first: one may be a part of another.
  private let words: [(value: [UInt8], replacement: [UInt8])]

  init(_ replacements: [String: String]) {
    var forms: [String: String] = [:]
    for (value, replacement) in replacements where value.utf8.count >= 3 {
      forms[value] = replacement
      // In queries and forms.
      for (raw, encoded) in [("@", "%40"), ("@", "%2540"), ("+", "%2B"), (" ", "%20"), (" ", "+")]
      where value.contains(raw) {
        forms[value.replacing(raw, with: encoded)] = replacement.replacing(raw, with: encoded)
      }
    }
    words = forms.sorted { ($0.key.utf8.count, $1.key) > ($1.key.utf8.count, $0.key) }.map {
      (Array($0.key.utf8), Array($0.value.utf8))
    }
  }

  /// True if a value is personal, rather than a secret or empty. A secret may be a part of it.
  static func isReplaced(_ text: String) -> Bool {
    guard text.hasPrefix("$secret."), text.hasSuffix("$") else { return !text.isEmpty }
    return text.dropFirst().firstIndex(of: "$") != text.indices.last
  }

  /// A text with the replacements of the values that are words of it.
  func replaced(in text: String) -> String {
    guard !words.isEmpty, text.utf8.count >= 3 else { return text }
    let bytes = Array(text.utf8)
    var out: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if index == 0 || !Self.isWord(bytes[index - 1]) || !Self.isWord(bytes[index]),
        let word = words.first(where: { word in
          let end = index + word.value.count
          return bytes[index...].starts(with: word.value)
            && (end == bytes.count || !Self.isWord(bytes[end]) || !Self.isWord(bytes[end - 1]))
        })
      {
        out += word.replacement
        index += word.value.count
      } else {
        out.append(bytes[index])
        index += 1
      }
    }
    return out == bytes ? text : String(decoding: out, as: UTF8.self)
  }

  /// A document with the replacements in its strings.
  func replaced(in json: JSON) -> JSON {
    switch json {
    case .null, .bool, .number: json
    case .string(let text): .string(replaced(in: text))
    case .array(let elements): .array(elements.map { replaced(in: $0) })
    case .object(let object):
      .object(JSONObject(object.members.map { JSONObject.Member(key: $0.key, value: replaced(in: $0.value)) }))
    }
  }

  /// An event that the SDK made, with the replacements in it; inputs as they are.
  func replaced(inOutput event: FlowEvent) -> FlowEvent {
    switch event {
    case .callReturned, .requestSent, .drawAsked, .domain:
      return (try? FlowEvent(type: event.type, version: event.version, data: replaced(in: event.data))) ?? event
    case .flowStarted, .flowEnded, .noteAdded, .callMade, .responseReceived, .requestFailed, .drawMade, .timerSet,
      .timerFired:
      return event
    }
  }

  /// A number with the same number of different digits.
  func shaped(number: String) -> String {
    var names = Pseudonyms()
    let made = names.replacement(of: number)
    // No number begins with a zero before other digits (RFC 8259 §6).
    guard let first = made.first(where: \.isNumber), first == "0" else { return made }
    return made.replacing("0", with: "7", maxReplacements: 1)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      true
    default: false
    }
  }
}
