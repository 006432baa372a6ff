// A JSON value that keeps the order of its members, so that the same answer is always the same bytes.

/// A JSON value as the org sends it.
///
/// Objects are lists of members: the order given is the order sent, and a test may plant duplicates.
public indirect enum OrgJSON: Sendable, Equatable {
  /// One name and its value.
  public struct Member: Sendable, Equatable {
    /// The key as it appears on the wire, before escaping.
    public var name: String
    /// The value of the member.
    public var value: OrgJSON

    /// A member of an object.
    public init(_ name: String, _ value: OrgJSON) {
      self.name = name
      self.value = value
    }
  }

  /// An object, members in the order they are sent.
  case object([Member])
  /// An array.
  case array([OrgJSON])
  /// A string, unescaped.
  case string(String)
  /// A whole number.
  case int(Int)
  /// `true` or `false`.
  case bool(Bool)
  /// `null`.
  case null

  /// The value of the first member with this name; setting `nil` removes it. Values that are not objects have no
  /// members: reading gives `nil`, writing does nothing.
  public subscript(name: String) -> OrgJSON? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.name == name }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      let place = members.firstIndex { $0.name == name }
      switch (place, newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil): members.remove(at: place)
      case (nil, let value?): members.append(Member(name, value))
      case (nil, nil): break
      }
      self = .object(members)
    }
  }

  /// This value with the members of each object in it, inner ones first, replaced by what `change` makes of them: one
  /// call plants an unknown field at every level, or reverses every order.
  public func mapObjects(_ change: ([Member]) -> [Member]) -> OrgJSON {
    switch self {
    case .object(let members): .object(change(members.map { Member($0.name, $0.value.mapObjects(change)) }))
    case .array(let values): .array(values.map { $0.mapObjects(change) })
    case .string, .int, .bool, .null: self
    }
  }

  /// The text, if this is a string.
  public var string: String? {
    if case .string(let text) = self { text } else { nil }
  }
}

extension OrgJSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
  ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  /// An object with its members in the order written.
  public init(dictionaryLiteral elements: (String, OrgJSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }

  /// An array.
  public init(arrayLiteral elements: OrgJSON...) { self = .array(elements) }

  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }

  /// A whole number.
  public init(integerLiteral value: Int) { self = .int(value) }

  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}
