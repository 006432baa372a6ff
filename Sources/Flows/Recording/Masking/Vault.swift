// A flow's secrets, in memory only: placeholder <-> value. It never leaves the process and is not part of any state.

public import EventStore

/// The secrets of one flow. Its description shows only their number.
public struct Vault: Sendable, CustomStringConvertible, CustomReflectable {
  /// A secret as a lookup key, compared by bytes: `String` alone compares by canonical equivalence (`é` as one scalar
  /// or two). The hash is of the bytes too, so that an org cannot send thousands of texts with the same hash.
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
  /// Additional forms of secrets that were added.
  private var forms: Set<Key> = []
  private(set) var needles = NeedleIndex()
  /// Texts in which secrets are not replaced.
  var plainTexts = PlainTexts()
  /// The remaining budget of the message that is being masked.
  var budget = MaskingBudget.unbounded

  /// An empty vault.
  public init() {}

  /// How many secrets it holds.
  public var count: Int { values.count }

  /// The number of secrets only.
  public var description: String { "Vault(\(count) secrets)" }

  /// No children, so that no dump of a debugger or a test shows a secret.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// The placeholder of a secret: the one it has, or the next of its kind.
  ///
  /// - Parameters:
  ///   - value: the secret, a string, a number or a boolean; an object or an array if it is replaced as a whole.
  ///   - kind: its name, letters and digits: `stateToken`.
  ///   - taints: whether to look for its value elsewhere; once set, this stays set.
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

  /// The placeholder of a value that is not kept: it reveals only to itself.
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

  /// Adds another form of a known secret, to be found like the secret.
  ///
  /// - Parameters:
  ///   - form: the text.
  ///   - name: its name in placeholders.
  ///   - secret: the secret; nothing is added if it is unknown.
  mutating func add(form: String, named name: String, of secret: JSON) {
    guard let entry = entries[Key(secret)], !forms.contains(Key(.string(form))) else { return }
    guard budget.takesSecret(bytes: form.utf8.count) else { return }
    forms.insert(Key(.string(form)))
    needles.add(form, form: name, placeholder: entry.placeholder)
  }

  /// The placeholder of one encoded sighting of a secret, so that its exact bytes can be restored. The sighting is
  /// looked for by its decoded form, not its own.
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

  /// The placeholder of a value, if it has one.
  func placeholder(of value: JSON) -> String? { entries[Key(value)]?.placeholder }

  /// Text with every placeholder of this vault replaced by its secret. Unknown placeholders stay. Works on bytes: a
  /// secret may be followed by a combining character, which merges with the placeholder's end into one `Character`.
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
  /// placeholder becomes the original value, number or string.
  public func reveal(_ json: JSON) -> JSON {
    json.replacing { text in
      // A plain `nil` would be read as a value, JSON null.
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
