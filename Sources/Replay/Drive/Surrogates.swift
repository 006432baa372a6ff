// Made-up secrets, which stand where a recording has placeholders, so that what masks and reveals secrets has something to do.

import EventStore
import FlowRecording

/// Turns placeholders into texts that are no secrets, the same for the same placeholder.
struct Surrogates: Sendable {
  private static let prefix = Array("$secret.".utf8)
  /// Kinds that say no more than that something was too large, or nested too deeply.
  private static let unfit: Set<Substring> = ["excess", "deep"]

  /// The secrets that stood in another form somewhere: theirs have letters and digits alone, which take that form, and what
  /// else the form needs.
  private var forms: [Substring: Set<String>] = [:]
  /// Secrets in the place of addresses that the SDK takes for addresses at first: they are counted after all others of their
  /// record.
  private var late: Set<Substring> = []
  /// The secrets that stood in a query with a plus for a blank.
  private var pluses: Set<Substring> = []
  /// Values that do not fit their places, by the name in their placeholder.
  private var misfits: [Substring: JSON] = [:]
  /// Where links lead; nil if the flow has no address.
  private var home: String?
  /// Whether surrogates have the syntax of what they stand for.
  private var hasSyntax = false
  /// Whether the flow is a classic sign-in, whose number challenge is a number.
  private var isClassic = false

  /// Letters that each encoding has to do something with: forms, addresses, JSON, cookies.
  private static let letters = " +&=%\u{e9}\"\\"

  /// Surrogates of a flow whose secrets have no syntax.
  init() {}

  /// Surrogates of a flow, with the syntax of what they stand for.
  ///
  /// - Parameters:
  ///   - records: the flow.
  ///   - misfits: what stands for values that do not fit their places (`MisfitCheck`).
  init(for records: [FlowRecord], misfits: [Substring: JSON] = [:]) {
    self.misfits = misfits
    guard case .flowStarted(let start)? = records.first?.event else { return }
    hasSyntax = true
    isClassic = start.kind == "authn"
    let address = start.settings["org"]?.string ?? start.settings["issuer"]?.string
    home = address.flatMap { URLParts($0)?.origin }
    var counted = 0
    var names: [Substring: Set<Int>] = [:]
    for record in records {
      var addresses: [Int] = []
      Self.visitNames(record.event.data) { name in
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
    pluses = Set(forms.filter { $0.value == ["pct"] && Self.hadPlus($0.key, among: names) }.keys)
    for (name, value) in misfits {
      if let text = value.string, let forms = forms[name] {
        self.misfits[name] = .string(SurrogateForm.base(text, with: forms))
      }
    }
  }

  private mutating func note(_ name: Substring, among names: inout [Substring: Set<Int>]) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count > 1, let number = Int(parts[1]) { names[parts[0], default: []].insert(number) }
    if parts.count == 3, let form = SurrogateForm(parts[2]) {
      forms[parts[0] + "." + parts[1], default: []].insert(form.name)
    }
  }

  /// Whether a secret that was percent-encoded had a plus. What a plus may also have meant is counted after it, and never shown.
  private static func hadPlus(_ base: Substring, among names: [Substring: Set<Int>]) -> Bool {
    let parts = base.split(separator: ".", omittingEmptySubsequences: false)
    guard let number = Int(parts[1]), let numbers = names[parts[0]] else { return false }
    return !numbers.contains(number + 1) && (numbers.max() ?? 0) > number + 1
  }

  /// Visits the name of each placeholder in a value, in strings and in member names.
  private static func visitNames(_ json: JSON, _ visit: (Substring) -> Void) {
    switch json {
    case .null, .bool, .number: break
    case .string(let text): for name in names(in: text) { visit(name) }
    case .array(let elements): for element in elements { visitNames(element, visit) }
    case .object(let object):
      for member in object.members {
        for name in names(in: member.key) { visit(name) }
        visitNames(member.value, visit)
      }
    }
  }

  /// Whether surrogates can stand for all placeholders of a flow: for secrets that stood there as they are, and not, say, in
  /// Base64 or across two fields.
  static func fit(_ records: [FlowRecord]) -> Bool {
    records.allSatisfy { fit($0.event.data) }
  }

  /// Whether the secrets that nothing declares were counted in the order in which they first stand there, all of them. A usual
  /// text that is such a secret too, further down, was counted down there: made-up ones would be counted otherwise.
  static func countsUp(_ records: [FlowRecord]) -> Bool {
    var (highest, isInOrder) = (0, true)
    for record in records {
      visitNames(record.event.data) { name in
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, parts[0] == "undeclared", let number = Int(parts[1]), number > highest else { return }
        if number > highest + 1 { isInOrder = false }
        highest = number
      }
    }
    return isInOrder
  }

  private static func fit(_ json: JSON) -> Bool {
    switch json {
    case .null, .bool, .number: true
    case .string(let text): fit(text)
    case .array(let elements): elements.allSatisfy(fit)
    case .object(let object): object.members.allSatisfy { fit($0.key) && fit($0.value) }
    }
  }

  private static func fit(_ text: String) -> Bool {
    names(in: text).allSatisfy { name in
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count == 2 && !unfit.contains(parts[0]) || parts.count == 3 && SurrogateForm(parts[2]) != nil
    }
  }

  /// What stands between `$secret.` and the next `$` of each placeholder in a text: `password.1`, `password.1.case`.
  static func names(in text: String) -> [Substring] {
    let bytes = text.utf8
    guard text.holds(UInt8(ascii: "$")), var start = bytes.firstIndex(of: UInt8(ascii: "$")) else { return [] }
    var names: [Substring] = []
    while true {
      let rest = bytes[start...]
      var next = bytes.index(after: start)
      if rest.starts(with: prefix) {
        let begin = bytes.index(start, offsetBy: prefix.count)
        next = bytes[begin...].firstIndex(of: UInt8(ascii: "$")) ?? bytes.endIndex
        names.append(text[begin..<next])
      }
      guard let found = bytes[next...].firstIndex(of: UInt8(ascii: "$")) else { return names }
      start = found
    }
  }

  /// A text with a surrogate for each placeholder in it.
  func reveal(_ text: String) -> String {
    guard text.holds(UInt8(ascii: "$")) else { return text }
    let bytes = Array(text.utf8)
    var out: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index...].starts(with: Self.prefix),
        let end = bytes[(index + 1)...].firstIndex(of: UInt8(ascii: "$"))
      {
        out += surrogate(String(decoding: bytes[(index + Self.prefix.count)..<end], as: UTF8.self)).utf8
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
      // A plain `nil` would be a value, the null of JSON.
      guard text.holds(UInt8(ascii: "$")) else { return Optional.none }
      return number(text) ?? misfit(text) ?? .string(reveal(text))
    } names: { name in
      name.holds(UInt8(ascii: "$")) ? reveal(name) : nil
    }
  }

  /// What stands for `password.1`: letters and digits, which nothing else in a recording holds, and what its kind of secret
  /// has beside.
  private func surrogate(_ name: String) -> String {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let base = parts.prefix(2).joined(separator: ".")
    let text = made(base[...], as: parts[0])
    guard let form = parts.dropFirst(2).first.flatMap({ SurrogateForm($0) }) else { return text }
    let written = form.write(text)
    return pluses.contains(base[...]) ? written.replacing(" ", with: "+") : written
  }

  private func made(_ base: Substring, as word: Substring) -> String {
    let hash = StableHash.value(base.utf8)
    let text = "sur\(String(hash, radix: 36))x\(base.filter { $0 != "." })"
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
    case "passCode", "passcode": return String(100_000 + hash % 899_999)
    case "link": return home.map { "\($0)/\(text)" } ?? text
    case "qrcode":
      return isClassic ? home.map { "\($0)/\(text)" } ?? text : "data:image/png;base64," + padded(text)
    case "url": return late.contains(base) ? "http" + text : text
    // No name of an org has a hyphen, nor has an id.
    case "key": return "sur-" + text
    case "literal": return "$secret." + text
    default: return text
    }
  }

  /// Whether a secret is a short code, of digits, that can take all the forms that it has.
  private static func isCode(_ word: Substring, with forms: Set<String>) -> Bool {
    ["passCode", "passcode"].contains(word) && forms.isSubset(of: ["b64", "pct", "esc", "ent"])
  }

  /// The value that stands for one that does not fit its place; nil for any other secret.
  private func misfit(_ text: String) -> JSON? {
    guard !misfits.isEmpty, text.hasPrefix("$secret."), text.hasSuffix("$") else { return nil }
    return misfits[text.dropFirst("$secret.".count).dropLast()]
  }

  /// Letters and digits are Base64, in fours.
  private func padded(_ text: String) -> String {
    text + String(repeating: "A", count: (4 - text.utf8.count % 4) % 4)
  }

  /// The number that stands for the answer of a number challenge; nil for any other secret.
  private func number(_ text: String) -> JSON? {
    guard isClassic, text.hasPrefix("$secret.correctAnswer."), text.hasSuffix("$"),
      let number = Int(text.dropFirst("$secret.correctAnswer.".count).dropLast())
    else { return nil }
    return .int(10 + (number * 37 + 30) % 90)
  }
}
