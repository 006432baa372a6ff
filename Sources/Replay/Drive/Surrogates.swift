// Made-up secrets that replace the placeholders of a recording, so that masking and revealing are exercised.

import EventStore
import FlowRecording

/// Turns placeholders into made-up texts, always the same for the same placeholder.
struct Surrogates: Sendable {
  /// The secrets that occurred in another form: their surrogates have only letters and digits, which can take that
  /// form, and what else the form needs.
  private var forms: [Substring: Set<String>] = [:]
  /// Secrets in the place of addresses, which the SDK first treats as addresses: they are counted after all others of
  /// their record.
  private var late: Set<Substring> = []
  /// The secrets that occurred next to a letter or digit: only long ones are found there.
  private var inWords: Set<Substring> = []
  /// The secrets that occurred in a query with a plus for a blank.
  private var pluses: Set<Substring> = []
  /// Values that do not fit their places, by the name in their placeholder.
  private var misfits: [Substring: JSON] = [:]
  /// Where links lead; nil if the flow has no address.
  private var home: String?
  /// Whether surrogates have the syntax of the secrets that they replace.
  private var hasSyntax = false
  /// Whether the flow is a classic sign-in, whose number challenge is a number.
  private var isClassic = false
  /// The surrogates of the flow's placeholders, by their names.
  private var texts: [Substring: String] = [:]
  /// Letters and digits that replace the first ones of the hash in each surrogate.
  private var mark = ""

  /// Characters that every encoding must handle: forms, addresses, JSON, cookies.
  private static let letters = " +&=%\u{e9}\"\\"

  /// Surrogates of a flow whose secrets have no syntax.
  ///
  /// - Parameter mark: letters and digits that replace as many in each surrogate, so that its length stays. Those of
  ///   subjects stay as they are, since ID tokens and user info must agree on the subject.
  init(mark: String = "") { self.mark = mark }

  /// Surrogates of a flow, with the syntax of the secrets that they replace.
  ///
  /// - Parameters:
  ///   - records: the flow.
  ///   - placeholders: the names of its placeholders.
  ///   - misfits: the replacements of values that do not fit their places (`MisfitCheck`).
  init(for records: [FlowRecord], _ placeholders: PlaceholderNames, misfits: [Substring: JSON] = [:]) {
    self.misfits = misfits
    guard case .flowStarted(let start)? = records.first?.event else { return }
    hasSyntax = true
    isClassic = start.kind == "authn"
    let address = start.settings["org"]?.string ?? start.settings["issuer"]?.string
    home = address.flatMap { URLParts($0)?.origin }
    var counted = 0
    var names: [Substring: Set<Int>] = [:]
    for ofRecord in placeholders.byRecord {
      var addresses: [Int] = []
      for name in ofRecord {
        note(name, among: &names)
        if name.hasPrefix("url."), let number = Int(name.dropFirst(4)), number > counted { addresses.append(number) }
      }
      var lowest = Int.max
      for number in addresses.reversed() {
        if number > lowest { late.insert("url.\(number)") }
        lowest = min(lowest, number)
      }
      counted = max(counted, addresses.max() ?? 0)
    }
    inWords = placeholders.inWords
    pluses = Set(forms.filter { $0.value == ["pct"] && Self.hadPlus($0.key, among: names) }.keys)
    for (name, value) in misfits {
      if let text = value.string, let forms = forms[name] {
        self.misfits[name] = .string(SurrogateForm.base(text, with: forms))
      }
    }
    for name in placeholders.byRecord.joined() where texts[name] == nil { texts[name] = surrogate(name) }
  }

  private mutating func note(_ name: Substring, among names: inout [Substring: Set<Int>]) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count > 1, let number = Int(parts[1]) { names[parts[0], default: []].insert(number) }
    if parts.count == 3, let form = SurrogateForm(parts[2]) {
      forms[parts[0] + "." + parts[1], default: []].insert(form.name)
    }
  }

  /// True if a percent-encoded secret had a plus. The other possible meaning of the plus is counted after it, and never
  /// shown.
  private static func hadPlus(_ base: Substring, among names: [Substring: Set<Int>]) -> Bool {
    let parts = base.split(separator: ".", omittingEmptySubsequences: false)
    guard let number = Int(parts[1]), let numbers = names[parts[0]] else { return false }
    return !numbers.contains(number + 1) && (numbers.max() ?? 0) > number + 1
  }

  /// A text with a surrogate for each placeholder in it.
  func reveal(_ text: String) -> String {
    guard text.holds(UInt8(ascii: "$")) else { return text }
    let bytes = Array(text.utf8)
    var out: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index...].starts(with: PlaceholderNames.prefix),
        let end = bytes[(index + 1)...].firstIndex(of: UInt8(ascii: "$"))
      {
        let name = String(decoding: bytes[(index + PlaceholderNames.prefix.count)..<end], as: UTF8.self)[...]
        out += (texts[name] ?? surrogate(name)).utf8
        index = end + 1
      } else {
        out.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// A value with surrogates in its strings and member names.
  func reveal(_ json: JSON) -> JSON {
    json.replacing { text in
      // A plain `nil` would mean the JSON value null.
      guard text.holds(UInt8(ascii: "$")) else { return Optional.none }
      return number(text) ?? misfit(text) ?? .string(reveal(text))
    } names: { name in
      name.holds(UInt8(ascii: "$")) ? reveal(name) : nil
    }
  }

  /// The surrogate of `password.1`: letters and digits that occur nowhere else in a recording, and the syntax of its
  /// kind of secret.
  private func surrogate(_ name: Substring) -> String {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let base = parts.prefix(2).joined(separator: ".")
    let text = made(base[...], as: parts[0])
    guard let form = parts.dropFirst(2).first.flatMap({ SurrogateForm($0) }) else { return text }
    let written = form.write(text)
    return pluses.contains(base[...]) ? written.replacing(" ", with: "+") : written
  }

  private func made(_ base: Substring, as word: Substring) -> String {
    let hash = StableHash.value(base.utf8.span)
    let digits = String(hash, radix: 36)
    let marked = word == "sub" ? digits : mark + String(digits.dropFirst(mark.utf8.count))
    let text = "sur\(marked)x\(base.filter { $0 != "." })"
    guard hasSyntax else { return text }
    switch misfits[base] {
    case .string(let value)?, .number(let value)?: return value
    case .bool(let flag)?: return "\(flag)"
    case nil, .null?, .array?, .object?: break
    }
    if let forms = forms[base], !Self.isCode(word, with: forms) {
      return SurrogateForm.base(pluses.contains(base) ? text + " plus" : text, with: forms)
    }
    switch word {
    case "password", "newPassword", "oldPassword", "answer", "clientSecret": return text + Self.letters
    case "passCode", "passcode":
      return inWords.contains(base) ? String(1_000_000_000 + hash % 8_999_999_999) : String(100_000 + hash % 899_999)
    case "link": return home.map { "\($0)/\(text)" } ?? text
    case "qrcode":
      return isClassic ? home.map { "\($0)/\(text)" } ?? text : "data:image/png;base64," + padded(text)
    case "url": return late.contains(base) ? "http" + text : text
    // Neither names nor ids of an org have a hyphen.
    case "key": return "sur-" + text
    case "literal": return "$secret." + text
    default: return text
    }
  }

  /// True if a secret is a short code of digits that can take all forms in which it occurred.
  private static func isCode(_ word: Substring, with forms: Set<String>) -> Bool {
    ["passCode", "passcode"].contains(word) && forms.isSubset(of: ["b64", "pct", "esc", "ent"])
  }

  /// The replacement of a value that does not fit its place; nil for any other secret.
  private func misfit(_ text: String) -> JSON? {
    guard !misfits.isEmpty, text.hasPrefix("$secret."), text.hasSuffix("$") else { return nil }
    return misfits[text.dropFirst("$secret.".count).dropLast()]
  }

  /// Letters and digits are Base64, in fours.
  private func padded(_ text: String) -> String {
    text + String(repeating: "A", count: (4 - text.utf8.count % 4) % 4)
  }

  /// The number that replaces the answer to a number challenge; nil for any other secret.
  private func number(_ text: String) -> JSON? {
    guard isClassic, text.hasPrefix("$secret.correctAnswer."), text.hasSuffix("$"),
      let number = Int(text.dropFirst("$secret.correctAnswer.".count).dropLast())
    else { return nil }
    return .int(10 + (number * 37 + 30) % 90)
  }
}
