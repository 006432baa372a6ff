// Other values in the place of one: systematically, from what the value is, and from nothing that is known of what it means.

import EventStore

/// A place of a document: the keys and indexes that lead to it.
struct JSONPlace: Sendable {
  /// A step down.
  enum Step: Sendable, Hashable {
    case key(String)
    case index(Int)
  }

  var steps: [Step]

  /// Every place of a document, the whole of it left out.
  static func all(in json: JSON) -> [JSONPlace] {
    var places: [JSONPlace] = []
    func descend(_ json: JSON, _ steps: [Step]) {
      if !steps.isEmpty { places.append(JSONPlace(steps: steps)) }
      switch json {
      case .object(let object):
        for member in object.members { descend(member.value, steps + [.key(member.key)]) }
      case .array(let elements):
        for (index, element) in elements.enumerated() { descend(element, steps + [.index(index)]) }
      case .null, .bool, .number, .string: break
      }
    }
    descend(json, [])
    return places
  }
}

/// A change of one value.
struct JSONVariation: Sendable {
  /// What replaces the value; nil removes it.
  let change: @Sendable (JSON) -> JSON?

  private init(_ change: @escaping @Sendable (JSON) -> JSON?) { self.change = change }

  private init(_ value: JSON) { change = { _ in value } }

  /// What can be done to any value.
  private static let any: [JSONVariation] = [
    JSONVariation { _ in nil }, JSONVariation { _ in nil }, JSONVariation(.null), JSONVariation(""), JSONVariation([]),
    JSONVariation(JSON.object(JSONObject())), JSONVariation(true), JSONVariation(0), JSONVariation { [$0] },
    JSONVariation { ["value": $0] }, JSONVariation("SOMETHING_NEW"),
  ]

  /// What can be done to a value, by its type and form.
  static func variations(of json: JSON) -> [JSONVariation] {
    switch json {
    case .null: return any
    case .bool(let flag):
      return any + [
        JSONVariation(.bool(!flag)), JSONVariation(.bool(!flag)), JSONVariation(.bool(!flag)),
        JSONVariation(flag ? "true" : "false"), JSONVariation(flag ? "True" : "FALSE"), JSONVariation(flag ? 1 : 0),
        JSONVariation("yes"),
      ]
    case .number(let text): return any + of(number: text)
    case .string(let text): return any + of(text)
    case .array(let elements): return any + of(elements)
    case .object(let object): return any + of(object)
    }
  }

  private static func of(number text: String) -> [JSONVariation] {
    var values: [JSON] = [
      0, 1, -1, .number("2147483648"), .number("9223372036854775808"), .number("1e3"), .string(text),
      .string(text + " "), .number(text + (text.contains(where: { ".eE".contains($0) }) ? "" : ".5")),
    ]
    if let number = Int(text), abs(number) < 1 << 40 {
      values += [.int(number + 1), .int(number - 1), .int(number * 60), .int(-number), .string("\(number).0")]
    }
    return values.map { JSONVariation($0) }
  }

  private static func of(_ text: String) -> [JSONVariation] {
    var values: [JSON] = [
      .string(text.uppercased()), .string(text.lowercased()), .string(text.uppercased()), .string(text.lowercased()),
      .string(" \(text) "), .string(text + "\u{e4}&=?+ %41/#\u{1F511}\""), .string(text + text), "17", "-0.5",
      .string(String(text.dropLast())), .string(text.replacing("_", with: "-")),
      .string(text.replacing("-", with: "_").replacing(" ", with: "_")),
    ]
    if let time = Timestamp(text) {
      for seconds: Int64 in [-86_400, -601, -1, 1, 599, 3600, 86_400 * 400] {
        values.append(.string(Timestamp(microseconds: time.microseconds + seconds * 1_000_000).description))
      }
      let whole = String(text.prefix(19))
      values += [".250Z", "Z", "+02:00", "-0130", ".123456789Z", ""].map { .string(whole + $0) }
      values += [.string(String(text.prefix(10))), "2026-02-30T25:61:00Z", .number("1768467600000")]
    }
    if let scheme = text.firstRange(of: "://") {
      let rest = text[scheme.upperBound...]
      let path = rest.drop { $0 != "/" }
      values += [
        .string(text + "?a=b&c=d%20e"), .string(text + "/"), .string(text + "#part"), .string(String(path)),
        .string("http://" + rest), .string("HTTPS://" + rest), .string("https://other.example" + path),
        .string("https://acme.example:8443" + path), .string("https://acme.example" + path.replacing("/", with: "//")),
      ]
    }
    return values.map { JSONVariation($0) }
  }

  private static let methods: Set<String> = ["GET", "POST", "PUT", "DELETE", "PATCH"]

  private static func of(_ elements: [JSON]) -> [JSONVariation] {
    var values: [JSON] = [
      .array(elements.reversed()), .array(elements + elements), .array(Array(elements.dropFirst())),
      .array(Array(elements.prefix(1))), .array(elements + [.null]), .array(["a word"] + elements),
      .array([17] + elements),
      .array([JSON.object(JSONObject())] + elements), elements.first ?? .null,
      .members(elements.enumerated().map { ("\($0.offset)", $0.element) }), .array(elements.shuffledByLength),
    ]
    if elements.contains(where: { methods.contains($0.string ?? "") }) {
      values += [
        ["GET"], ["PUT"], ["DELETE"], ["post"], ["GET", "POST"], ["PUT", "GET"], ["OPTIONS"], ["PATCH", "DELETE"],
        ["GET", "PUT"], [], ["POST"],
      ]
    }
    return values.map { JSONVariation($0) }
  }

  private static func of(_ object: JSONObject) -> [JSONVariation] {
    var more = object
    more["somethingNew"] = "word-of-tomorrow"
    var values: [JSON] = [
      .object(more), .object(JSONObject(object.members.reversed())), .array([.object(object), .object(object)]),
      .object(JSONObject(Array(object.members.prefix(1)))), .object(JSONObject(Array(object.members.dropFirst()))),
    ]
    if object["href"] != nil {
      for allow in [["GET"], ["PUT"], ["DELETE"], [], ["GET", "POST"]] as [[String]] {
        var link = object
        link["hints"] = ["allow": .array(allow.map(JSON.string))]
        values.append(.object(link))
      }
      var named = object
      named["name"] = "renamed"
      var other = object
      other["name"] = "sms"
      values += [.object(named), .array([.object(named), .object(object)]), .array([.object(other), .object(named)])]
      named["hints"] = nil
      values.append(.object(named))
    }
    return values.map { JSONVariation($0) }
  }
}

extension [JSON] {
  /// In an order that is neither the old one nor that turned round.
  fileprivate var shuffledByLength: [JSON] {
    enumerated().sorted { ($0.element.text.utf8.count % 7, $0.offset) < ($1.element.text.utf8.count % 7, $1.offset) }
      .map(\.element)
  }
}

extension JSON {
  /// The value at a place; nil if there is none.
  func value(at place: JSONPlace) -> JSON? {
    place.steps.reduce(Optional(self)) { json, step in
      switch step {
      case .key(let key): return json?[key]
      case .index(let index):
        guard let elements = json?.array, elements.indices.contains(index) else { return nil }
        return elements[index]
      }
    }
  }

  /// The document with another value at a place, or none.
  func replacing(_ place: ArraySlice<JSONPlace.Step>, with value: JSON?) -> JSON? {
    guard let step = place.first else { return value }
    switch (step, self) {
    case (.key(let key), .object(let object)):
      guard object[key] != nil else { return self }
      return .object(
        JSONObject(
          object.members.compactMap { member in
            guard member.key == key else { return member }
            return member.value.replacing(place.dropFirst(), with: value)
              .map { JSONObject.Member(key: key, value: $0) }
          }))
    case (.index(let index), .array(let elements)):
      return .array(
        elements.enumerated().compactMap {
          $0.offset == index ? $0.element.replacing(place.dropFirst(), with: value) : $0.element
        })
    default: return self
    }
  }
}
