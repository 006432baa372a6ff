// Personal values inside other text.

import FlowRecording

/// Finds personal values as whole words of other text, and replaces them.
struct PersonalWords {
  /// The values of at least three bytes, the longest first: one may be a part of another.
  private let words: [(value: [UInt8], replacement: [UInt8])]
  /// The same, with the names that stand before the `@` of mail addresses. Text for people quotes them alone; in an
  /// address of a page, they could be a part of the org's own paths.
  private let wordsOfText: [(value: [UInt8], replacement: [UInt8])]

  /// - Parameter logins: values that are replaced in lower case too, as mail addresses are.
  init(_ replacements: [String: String], logins: Set<String> = []) {
    var forms: [String: String] = [:]
    var values = replacements
    // Orgs quote a mail address in lower case, however the person typed it.
    for (value, replacement) in replacements.sorted(by: { $0.key < $1.key })
    where value.contains("@") || logins.contains(value) {
      let lower = value.lowercased()
      if values[lower] == nil { values[lower] = replacement.lowercased() }
    }
    for (value, replacement) in values where value.utf8.count >= 3 {
      forms[value] = replacement
      // In queries and forms.
      for (raw, encoded) in [("@", "%40"), ("@", "%2540"), ("+", "%2B"), (" ", "%20"), (" ", "+")]
      where value.contains(raw) {
        forms[value.replacing(raw, with: encoded)] = replacement.replacing(raw, with: encoded)
      }
      // All of it, in a query, and in a URL that is in a query.
      var (encoded, made) = (value, replacement)
      for _ in 0..<2 {
        (encoded, made) = (FormEncoding.encoded(encoded), FormEncoding.encoded(made))
        forms[encoded] = made
      }
    }
    for (form, made) in forms.sorted(by: { $0.key < $1.key }) where form.contains("%") {
      let lower = Self.withLowerEscapes(form)
      if forms[lower] == nil { forms[lower] = Self.withLowerEscapes(made) }
    }
    words = Self.sorted(forms)
    for (value, replacement) in values.sorted(by: { $0.key < $1.key }) {
      guard let (name, made) = Self.names(of: value, replacedBy: replacement) else { continue }
      for (name, made) in [(name, made), (name.lowercased(), made.lowercased())] where forms[name] == nil {
        forms[name] = made
      }
    }
    wordsOfText = Self.sorted(forms)
  }

  private static func sorted(_ forms: [String: String]) -> [(value: [UInt8], replacement: [UInt8])] {
    forms.sorted { ($0.key.utf8.count, $1.key) > ($1.key.utf8.count, $0.key) }.map {
      (Array($0.key.utf8), Array($0.value.utf8))
    }
  }

  /// A form as programs write it whose escapes are in lower case: `%2b`; nested, `%252b`.
  private static func withLowerEscapes(_ form: String) -> String {
    form.replacing(/%(?:25)*[0-9A-F]{2}/) { $0.output.lowercased() }
  }

  /// What stands before the `@` of a mail address and of its replacement, if it has at least three letters.
  private static func names(of value: String, replacedBy replacement: String) -> (String, String)? {
    guard let end = value.firstIndex(of: "@"), let madeEnd = replacement.firstIndex(of: "@") else { return nil }
    let name = value[..<end]
    guard name.count(where: { $0.isLetter }) >= 3, !name.contains("$secret.") else { return nil }
    return (String(name), String(replacement[..<madeEnd]))
  }

  /// True if a value is personal, rather than a secret or empty. A secret may be a part of it.
  static func isReplaced(_ text: String) -> Bool {
    guard text.hasPrefix("$secret."), text.hasSuffix("$") else { return !text.isEmpty }
    return text.dropFirst().firstIndex(of: "$") != text.indices.last
  }

  /// A text with the replacements of the values that are words of it.
  func replaced(in text: String) -> String { Self.replaced(in: text, words) }

  /// A text for people with the replacements of the values, and of the names of mail addresses, that are words of it.
  func replaced(inText text: String) -> String { Self.replaced(in: text, wordsOfText) }

  private static func replaced(in text: String, _ words: [(value: [UInt8], replacement: [UInt8])]) -> String {
    guard !words.isEmpty, text.utf8.count >= 3 else { return text }
    let bytes = Array(text.utf8)
    var out: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if index == 0 || !isWord(bytes[index - 1]) || !isWord(bytes[index]) || isEscaped(bytes[..<index]),
        let word = words.first(where: { word in
          let end = index + word.value.count
          return bytes[index...].starts(with: word.value)
            && (end == bytes.count || !isWord(bytes[end]) || !isWord(bytes[end - 1]))
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

  /// A value of an output: an address of a page, or else text for people.
  func replaced(inTextOrURL text: String) -> String {
    text.contains("://") ? replaced(in: text) : replaced(inText: text)
  }

  /// A number with the same number of different digits.
  func shaped(number: String) -> String {
    // The letter of an exponent, and its size, stay (RFC 8259 §6).
    if let letter = number.firstIndex(where: \.isLetter) {
      return shaped(number: String(number[..<letter])) + number[letter...]
    }
    var names = Pseudonyms()
    let made = names.replacement(of: number)
    // No number begins with a zero before other digits (RFC 8259 §6).
    guard let first = made.first(where: \.isNumber), first == "0" else { return made }
    return made.replacing("0", with: "7", maxReplacements: 1)
  }

  /// True if bytes end with one that is percent-encoded, whose digits are no part of a word: `%3D`; nested, `%253D`.
  private static func isEscaped(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.suffix(2).allSatisfy(MadeUpAddresses.isHexadecimal) else { return false }
    return bytes.dropLast(2).last == UInt8(ascii: "%") || bytes.dropLast(2).suffix(3).elementsEqual("%25".utf8)
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
