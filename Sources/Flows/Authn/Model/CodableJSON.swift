// Converts JSON through Swift's coders, so that the models can be `Codable`.

import EventStore

/// A JSON value that any decoder reads and any encoder writes.
struct CodableJSON: Codable {
  let json: JSON

  init(json: JSON) { self.json = json }

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Key.self) {
      json = .object(
        JSONObject(
          try container.allKeys.sorted { $0.stringValue < $1.stringValue }.map { key in
            JSONObject.Member(key: key.stringValue, value: try container.decode(CodableJSON.self, forKey: key).json)
          }))
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [JSON] = []
      while !container.isAtEnd { elements.append(try container.decode(CodableJSON.self).json) }
      json = .array(elements)
    } else {
      json = try Self.scalar(in: decoder.singleValueContainer())
    }
  }

  private static func scalar(in container: any SingleValueDecodingContainer) throws -> JSON {
    if container.decodeNil() { return .null }
    if let flag = try? container.decode(Bool.self) { return .bool(flag) }
    if let number = try? container.decode(Int.self) { return .int(number) }
    if let number = try? container.decode(Double.self), number.isFinite { return .number("\(number)") }
    return .string(try container.decode(String.self))
  }

  func encode(to encoder: any Encoder) throws {
    switch json {
    case .object(let object):
      var container = encoder.container(keyedBy: Key.self)
      for member in object.members {
        try container.encode(CodableJSON(json: member.value), forKey: Key(stringValue: member.key))
      }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(CodableJSON(json: element)) }
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let flag):
      var container = encoder.singleValueContainer()
      try container.encode(flag)
    case .string(let text):
      var container = encoder.singleValueContainer()
      try container.encode(text)
    case .number(let text):
      var container = encoder.singleValueContainer()
      if let number = Int(text) { try container.encode(number) } else { try container.encode(Double(text) ?? 0) }
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
