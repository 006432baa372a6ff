// A JSON value (RFC 8259) that keeps what a log must keep: the order of members, numbers as they were written,
// repeated keys. Foundation's decoder loses all three and costs three times as much (DESIGN §9).

import Foundation

/// A JSON value. Objects keep the order of their members, numbers their text.
public enum JSON: Sendable, Hashable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number, as the text that stood in the document: `0`, `-1.50`, `1e400`.
  case number(String)
  /// A string, unescaped.
  case string(String)
  /// An array.
  case array([JSON])
  /// An object, its members in document order.
  case object(JSONObject)
}

/// The members of a JSON object in document order. A look-up is a linear search: objects on the wire are small.
public struct JSONObject: Sendable, Hashable {
  /// One name with its value.
  public struct Member: Sendable, Hashable {
    /// The member's name, unescaped.
    public var key: String
    /// The member's value.
    public var value: JSON

    /// Makes a member.
    public init(key: String, value: JSON) {
      self.key = key
      self.value = value
    }
  }

  /// All members, repeated names included.
  public var members: [Member]

  /// Makes an object of these members, in this order.
  public init(_ members: [Member] = []) { self.members = members }

  /// The value of the last member of that name, as most readers of JSON take repeated names; setting replaces it,
  /// adds a missing one at the end, and removes with nil.
  public subscript(key: String) -> JSON? {
    get { members.last { $0.key.isSame(as: key) }?.value }
    set {
      if let index = members.lastIndex(where: { $0.key.isSame(as: key) }) {
        if let newValue { members[index].value = newValue } else { members.remove(at: index) }
      } else if let newValue {
        members.append(Member(key: key, value: newValue))
      }
    }
  }
}

extension JSON {
  /// Equal values, to the byte: strings, keys and numbers are compared by their bytes, while `String` treats «é» of one
  /// scalar and of two as the same.
  public static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.number(let one), .number(let other)), (.string(let one), .string(let other)): one.isSame(as: other)
    case (.array(let one), .array(let other)): one == other
    case (.object(let one), .object(let other)): one == other
    case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _): false
    }
  }
}

extension JSON {
  /// Hashes the bytes of texts, as `==` compares them: a text can be written in thousands of canonically equivalent
  /// ways, which `String` would hash alike.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value ? 2 : 1)
    case .number(let text):
      hasher.combine(3)
      ByteName.combine(text, into: &hasher)
    case .string(let text):
      hasher.combine(4)
      ByteName.combine(text, into: &hasher)
    case .array(let elements): hasher.combine(elements)
    case .object(let object): hasher.combine(object)
    }
  }
}

extension JSONObject.Member {
  /// Equal names, to the byte, and equal values.
  public static func == (left: Self, right: Self) -> Bool {
    left.key.isSame(as: right.key) && left.value == right.value
  }
}

extension String {
  /// Whether a byte stands in the text: for ASCII, which stands for itself alone.
  package func holds(_ byte: UInt8) -> Bool {
    let found = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      // SAFETY: the bytes outlive the call, which reads as many as there are.
      unsafe bytes.baseAddress.map { unsafe memchr($0, Int32(byte), bytes.count) != nil } ?? false
    }
    return found ?? utf8.contains(byte)
  }

  /// Whether two strings have the same bytes; `==` compares by canonical equivalence.
  package func isSame(as other: String) -> Bool {
    ByteName.isSame(self, other)
  }
}

extension JSON {
  /// The value of a member, or nil if this is not an object or has no member of that name.
  public subscript(key: String) -> JSON? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }

  /// The string, if this is one.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The boolean, if this is one.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The number as an integer, if this is a number that is one exactly: `3`, not `3.5` and not `"3"`.
  public var int: Int? { if case .number(let text) = self { Int(text) } else { nil } }

  /// The number as a double, if this is a number.
  public var double: Double? { if case .number(let text) = self { Double(text) } else { nil } }

  /// The elements, if this is an array.
  public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }

  /// The members, if this is an object.
  public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// An integer as a JSON number.
  public static func int(_ value: Int) -> JSON { .number(String(value)) }

  /// An object of these members; pairs whose value is nil are left out.
  public static func members(_ pairs: [(String, JSON?)]) -> JSON {
    .object(
      JSONObject(pairs.compactMap { key, value in value.map { JSONObject.Member(key: key, value: $0) } }))
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An integer.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// An array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// An object, members in the order written.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(JSONObject(elements.map { JSONObject.Member(key: $0, value: $1) }))
  }
  /// `null`
  public init(nilLiteral: ()) { self = .null }
}
