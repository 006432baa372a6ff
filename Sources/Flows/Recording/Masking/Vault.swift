// A flow's secrets, in memory only: placeholder <-> value. It never leaves the process and is not part of any state.

public import EventStore

/// The secrets of one flow. Its description shows how many, never which.
public struct Vault: Sendable, CustomStringConvertible, CustomReflectable {
  /// A secret as a look-up key, equal to another if the bytes are: `String` alone takes text that a font draws alike
  /// (`é` in one scalar or in two) for the same. The hash is of the bytes too: else an org could write thousands of
  /// texts with one.
  private struct Key: Hashable {
    enum Kind: UInt8 { case string, number, word }
    let kind: Kind
    let name: ByteName
    var text: String { name.text }

    init(_ value: JSON) {
      switch value {
      case .string(let text): (kind, name) = (.string, ByteName(text))
      case .number(let text): (kind, name) = (.number, ByteName(text))
      case .null, .bool, .array, .object: (kind, name) = (.word, ByteName(value.text))
      }
    }
  }

  private struct Entry {
    var placeholder: String
    /// Whether it is searched for in text.
    var taints: Bool
  }

  private var entries: [Key: Entry] = [:]
  private var values: [String: JSON] = [:]
  private var counters: [String: Int] = [:]
  /// Forms of secrets that were taken up beside them.
  private var forms: Set<Key> = []
  private(set) var needles = NeedleIndex()
  /// Texts in which no secret is looked for.
  var plainTexts = PlainTexts()
  /// What the message that is being masked may still take up.
  var budget = MaskingBudget.unbounded

  /// An empty vault.
  public init() {}

  /// How many secrets it holds.
  public var count: Int { values.count }

  /// How many secrets, never which.
  public var description: String { "Vault(\(count) secrets)" }

  /// No children: a debugger's or a test's dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// The placeholder of a secret: the one it has, or the next of its kind.
  ///
  /// - Parameters:
  ///   - value: the secret, a string, a number or a boolean; an object or an array if it goes as a whole.
  ///   - kind: what it is called by, letters and digits: `stateToken`.
  ///   - taints: whether it is to be found again elsewhere by its value; once it is, it stays so.
  mutating func placeholder(for value: JSON, kind: String, taints: Bool = true) -> String {
    let key = Key(value)
    if let known = entries[key] {
      if taints, !known.taints { taint(key, known.placeholder) }
      return known.placeholder
    }
    guard budget.takesSecret(bytes: key.text.utf8.count) else { return Placeholder.excess }
    let placeholder = nextPlaceholder(kind: kind)
    entries[key] = Entry(placeholder: placeholder, taints: false)
    values[placeholder] = value
    if taints { taint(key, placeholder) }
    return placeholder
  }

  /// The placeholder of something that is not kept: it reveals to nothing but itself.
  mutating func placeholder(ofNothingKept kind: String) -> String { nextPlaceholder(kind: kind) }

  private mutating func nextPlaceholder(kind: String) -> String {
    let kind = Placeholder.kind(kind)
    let number = counters[kind, default: 0] + 1
    counters[kind] = number
    return Placeholder.make(kind: kind, number: number)
  }

  private mutating func taint(_ key: Key, _ placeholder: String) {
    entries[key] = Entry(placeholder: placeholder, taints: true)
    if key.kind != .word { needles.add(key.text, placeholder: placeholder) }
  }

  /// Takes up text that says the same as a known secret, to be found as the secret is.
  ///
  /// - Parameters:
  ///   - form: the text.
  ///   - name: what it is called in placeholders.
  ///   - secret: the secret; nothing is taken up if it is not known.
  mutating func add(form: String, named name: String, of secret: JSON) {
    guard let entry = entries[Key(secret)], !forms.contains(Key(.string(form))) else { return }
    guard budget.takesSecret(bytes: form.utf8.count) else { return }
    forms.insert(Key(.string(form)))
    needles.add(form, form: name, placeholder: entry.placeholder)
  }

  /// The placeholder of one encoded sighting of a secret, so that the very bytes of it can be restored. It is found
  /// again by its decoded form, not by its own.
  mutating func placeholder(forSighting raw: String, of base: String, encoding: String) -> String {
    let key = Key(.string(raw))
    if let known = entries[key] { return known.placeholder }
    guard budget.takesSecret(bytes: raw.utf8.count) else { return Placeholder.excess }
    var name = Placeholder.encoded(base, as: encoding)
    let repeats = counters[name, default: 0] + 1
    counters[name] = repeats
    if repeats > 1 { name = Placeholder.encoded(base, as: "\(encoding)\(repeats)") }
    entries[key] = Entry(placeholder: name, taints: false)
    values[name] = .string(raw)
    return name
  }

  /// The value that a placeholder stands for.
  func value(of placeholder: String) -> JSON? { values[placeholder] }

  /// The placeholder that a value has, if it has one.
  func placeholder(of value: JSON) -> String? { entries[Key(value)]?.placeholder }

  /// Text with every placeholder of this vault replaced by its secret. Placeholders it does not know stay. Works on
  /// bytes: a secret may be followed by a combining character, which makes one `Character` with the placeholder's end.
  public func reveal(_ text: String) -> String {
    guard !values.isEmpty, text.holds(UInt8(ascii: "$")), Placeholder.isForged(in: text) else { return text }
    let bytes = Array(text.utf8)
    var out: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if Placeholder.begins(at: index, in: bytes.span),
        let end = bytes[(index + 1)...].firstIndex(of: UInt8(ascii: "$")),
        let value = values[String(decoding: bytes[index...end], as: UTF8.self)]
      {
        out += Vault.text(of: value).utf8
        index = end + 1
      } else {
        out.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// A value with every placeholder of this vault replaced, in strings and in member names; a string that is one
  /// placeholder becomes the very value that stood there, number or string.
  public func reveal(_ json: JSON) -> JSON {
    json.replacing { text in
      // A plain `nil` would be a value, the null of JSON.
      guard text.holds(UInt8(ascii: "$")) else { return Optional.none }
      return values[text] ?? .string(reveal(text))
    } names: { name in
      name.holds(UInt8(ascii: "$")) ? reveal(name) : nil
    }
  }

  private static func text(of value: JSON) -> String {
    switch value {
    case .string(let text), .number(let text): text
    case .bool(let flag): flag ? "true" : "false"
    case .null, .array, .object: value.text
    }
  }
}
