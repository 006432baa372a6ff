// From JSON text to a value.

import Foundation

extension OrgJSON {
  /// The value of a JSON text in UTF-8; `nil` if it is not JSON. Members are sorted by name: the order of input does
  /// not matter. A number with a fraction becomes its text, since the org reads whole numbers only.
  init?(parsing bytes: [UInt8]) {
    guard let parsed = try? JSONDecoder().decode(ParsedJSON.self, from: Data(bytes)) else { return nil }
    self = parsed.value
  }

  /// The value of a JSON text; `nil` if it is not JSON. Members are sorted by name, and a number with a fraction
  /// becomes its text.
  public init?(text: String) { self.init(parsing: Array(text.utf8)) }

  /// The number, if this is a whole one.
  var number: Int? {
    if case .int(let number) = self { number } else { nil }
  }

  /// The elements, if this is an array.
  var elements: [OrgJSON]? {
    if case .array(let values) = self { values } else { nil }
  }
}

/// A JSON document as a value.
private struct ParsedJSON: Decodable {
  var value: OrgJSON

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      value = .null
    } else if let flag = try? container.decode(Bool.self) {
      value = .bool(flag)
    } else if let number = try? container.decode(Int.self) {
      value = .int(number)
    } else if let number = try? container.decode(Double.self) {
      value = .string(String(number))
    } else if let text = try? container.decode(String.self) {
      value = .string(text)
    } else if let list = try? container.decode([ParsedJSON].self) {
      value = .array(list.map(\.value))
    } else {
      let members = try container.decode([String: ParsedJSON].self)
      value = .object(members.sorted { $0.key < $1.key }.map { OrgJSON.Member($0.key, $0.value.value) })
    }
  }
}
