// A flow's secrets, in memory only: placeholder <-> value. It never leaves the process and is not part of any state.

public import EventStore

/// The secrets of one flow. Its description shows how many, never which.
public struct Vault: Sendable, CustomStringConvertible, CustomReflectable {
  private var placeholders: [JSON: String] = [:]
  private var values: [String: JSON] = [:]
  private var counters: [String: Int] = [:]
  private(set) var needles = NeedleIndex()

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
  ///   - value: the secret, a string, a number or a boolean.
  ///   - kind: what it is called by, letters and digits: `stateToken`.
  ///   - taints: whether it is to be found again elsewhere by its value.
  mutating func placeholder(for value: JSON, kind: String, taints: Bool = true) -> String {
    if let known = placeholders[value] { return known }
    let kind = Placeholder.kind(kind)
    let number = (counters[kind] ?? 0) + 1
    counters[kind] = number
    let placeholder = Placeholder.make(kind: kind, number: number)
    bind(placeholder, to: value)
    if taints {
      switch value {
      case .string(let text), .number(let text): needles.add(text, placeholder: placeholder)
      case .null, .bool, .array, .object: break
      }
    }
    return placeholder
  }

  /// The placeholder of one encoded sighting of a secret, so that the very bytes of it can be restored.
  mutating func placeholder(forSighting raw: String, of base: String, encoding: String) -> String {
    if let known = placeholders[.string(raw)] { return known }
    var name = Placeholder.encoded(base, as: encoding)
    var repeats = 1
    while values[name] != nil {
      repeats += 1
      name = Placeholder.encoded(base, as: "\(encoding)\(repeats)")
    }
    bind(name, to: .string(raw))
    needles.add(raw, placeholder: name)
    return name
  }

  private mutating func bind(_ placeholder: String, to value: JSON) {
    placeholders[value] = placeholder
    values[placeholder] = value
  }

  /// The placeholder that a value has, if it has one.
  func placeholder(of value: JSON) -> String? { placeholders[value] }

  /// Text with every placeholder of this vault replaced by its secret. Placeholders it does not know stay.
  public func reveal(_ text: String) -> String {
    guard !values.isEmpty, Placeholder.isForged(in: text) else { return text }
    var out = ""
    var rest = text[...]
    while let start = rest.range(ofText: Placeholder.prefix) {
      out += rest[..<start.lowerBound]
      let tail = rest[start.upperBound...]
      if let end = tail.firstIndex(of: "$"), let value = values[String(rest[start.lowerBound...end])] {
        out += Vault.text(of: value)
        rest = tail[tail.index(after: end)...]
      } else {
        out += rest[start]
        rest = tail
      }
    }
    return out + rest
  }

  /// A value with every placeholder of this vault replaced, in strings and in member names; a string that is one
  /// placeholder becomes the very value that stood there, number or string.
  public func reveal(_ json: JSON) -> JSON {
    switch json {
    case .null, .bool, .number: return json
    case .string(let text): return values[text] ?? .string(reveal(text))
    case .array(let elements): return .array(elements.map { reveal($0) })
    case .object(let object):
      return .object(
        JSONObject(object.members.map { JSONObject.Member(key: reveal($0.key), value: reveal($0.value)) }))
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

extension Substring {
  /// The first range of a piece of ASCII text.
  fileprivate func range(ofText needle: String) -> Range<Substring.Index>? {
    guard let first = needle.utf8.first else { return nil }
    var start = utf8.startIndex
    while let index = utf8[start...].firstIndex(of: first) {
      if utf8[index...].starts(with: needle.utf8) {
        return index..<utf8.index(index, offsetBy: needle.utf8.count)
      }
      start = utf8.index(after: index)
    }
    return nil
  }
}
