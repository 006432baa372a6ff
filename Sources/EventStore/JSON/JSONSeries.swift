// Documents that are each much like the one before, such as the answers to polls. Unchanged parts are not parsed again,
// and share memory.

/// Reads one document after the other.
package struct JSONSeries {
  /// The previous document, and where its parts stand in it.
  private var last: (bytes: ArraySlice<UInt8>, part: Part)?

  /// Before the first document.
  package init() {}

  /// Reads a document, as `JSON(parsing:)` does.
  ///
  /// - Parameter bytes: the whole document, UTF-8. They are kept until the next one.
  /// - Throws: `JSONError`; the documents after it are compared with the one before it then.
  package mutating func parse(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> JSON {
    var reader = Reader(parser: JSONParser(bytes: bytes), before: last?.bytes ?? [])
    let part = try reader.document(like: last?.part)
    last = (bytes, part)
    return part.value
  }

  /// An object or an array in a document, or the document itself.
  fileprivate struct Part {
    var value: JSON
    /// Where it stands in the part that it is in, and how long it is. So an unchanged part, with everything in it, is
    /// reused whole, wherever it stands now.
    var (offset, length): (Int, Int)
    /// The objects and arrays among its members or elements, in their places; nil for other values.
    var parts: [Part?] = []
  }
}

/// Reads a document beside the one before it.
private struct Reader {
  var parser: JSONParser
  let before: ArraySlice<UInt8>

  mutating func document(like old: JSONSeries.Part?) throws(JSONError) -> JSONSeries.Part {
    let start = parser.bytes.startIndex
    let (value, part) = try value(like: old, in: start, at: before.startIndex, depth: 0)
    parser.skipSpace()
    guard parser.index == parser.bytes.endIndex else { throw parser.failure("unexpected text after the document") }
    return part ?? JSONSeries.Part(value: value, offset: 0, length: parser.index - start)
  }

  /// Reads a value.
  ///
  /// - Parameters:
  ///   - old: the object or array that stood in this place.
  ///   - start: where the part begins that the value is in.
  ///   - oldStart: where that part began before.
  /// - Returns: the value, with its parts if it is an object or an array.
  private mutating func value(
    like old: JSONSeries.Part?, in start: Int, at oldStart: Int, depth: Int
  ) throws(JSONError) -> (JSON, JSONSeries.Part?) {
    parser.skipSpace()
    let here = parser.index
    guard here < parser.bytes.endIndex else { throw parser.failure("the document ends early") }
    let isObject = parser.bytes[here] == UInt8(ascii: "{")
    guard isObject || parser.bytes[here] == UInt8(ascii: "[") else { return (try parser.value(depth: depth), nil) }
    let oldHere = oldStart + (old?.offset ?? 0)
    if let old, isSame(as: oldHere..<oldHere + old.length) {
      // An object or array ends where its brackets close, so that equal bytes are equal values.
      parser.index += old.length
      return (old.value, JSONSeries.Part(value: old.value, offset: here - start, length: old.length, parts: old.parts))
    }
    guard depth < JSON.maximumDepth else { throw parser.failure("nested deeper than \(JSON.maximumDepth)") }
    parser.index += 1
    var part = JSONSeries.Part(value: .null, offset: here - start, length: 0)
    part.value =
      isObject
      ? try object(like: old, at: oldHere, from: here, depth: depth + 1, &part.parts)
      : try array(like: old, at: oldHere, from: here, depth: depth + 1, &part.parts)
    part.length = parser.index - here
    return (part.value, part)
  }

  /// Whether the same bytes stand here as stood in the document before.
  private func isSame(as range: Range<Int>) -> Bool {
    guard range.count <= parser.bytes.endIndex - parser.index else { return false }
    let (here, there) = (parser.bytes[parser.index..<parser.index + range.count], before[range])
    return here == there
  }

  private mutating func object(
    like old: JSONSeries.Part?, at oldHere: Int, from here: Int, depth: Int, _ parts: inout [JSONSeries.Part?]
  ) throws(JSONError) -> JSON {
    let oldMembers = old?.value.object?.members ?? []
    var members: [JSONObject.Member] = []
    members.reserveCapacity(oldMembers.count)
    parser.skipSpace()
    if parser.take(UInt8(ascii: "}")) { return .object(JSONObject()) }
    while true {
      parser.skipSpace()
      guard parser.index < parser.bytes.endIndex, parser.bytes[parser.index] == UInt8(ascii: "\"") else {
        throw parser.failure("a member needs a name")
      }
      let key = try parser.string()
      parser.skipSpace()
      guard parser.take(UInt8(ascii: ":")) else { throw parser.failure("a member needs a colon") }
      let place = members.count
      let like = place < oldMembers.count && oldMembers[place].key.isSame(as: key) ? oldMembers[place] : nil
      let (value, part) = try value(
        like: like == nil ? nil : old?.parts[place], in: here, at: oldHere, depth: depth)
      members.append(
        like.map { JSONObject.Member(key: $0.key, value: Self.kept($0.value, for: value)) }
          ?? JSONObject.Member(key: key, value: value))
      parts.append(part)
      parser.skipSpace()
      if parser.take(UInt8(ascii: ",")) { continue }
      if parser.take(UInt8(ascii: "}")) { return .object(JSONObject(members)) }
      throw parser.failure("an object needs a comma or its end")
    }
  }

  private mutating func array(
    like old: JSONSeries.Part?, at oldHere: Int, from here: Int, depth: Int, _ parts: inout [JSONSeries.Part?]
  ) throws(JSONError) -> JSON {
    let oldElements = old?.value.array ?? []
    var elements: [JSON] = []
    elements.reserveCapacity(oldElements.count)
    parser.skipSpace()
    if parser.take(UInt8(ascii: "]")) { return .array([]) }
    while true {
      let place = elements.count
      let isKnown = place < oldElements.count
      let (value, part) = try value(
        like: isKnown ? old?.parts[place] : nil, in: here, at: oldHere, depth: depth)
      elements.append(isKnown ? Self.kept(oldElements[place], for: value) : value)
      parts.append(part)
      parser.skipSpace()
      if parser.take(UInt8(ascii: ",")) { continue }
      if parser.take(UInt8(ascii: "]")) { return .array(elements) }
      throw parser.failure("an array needs a comma or its end")
    }
  }

  /// The old text or number, if it is the same: its memory is shared then.
  private static func kept(_ old: JSON, for value: JSON) -> JSON {
    switch (old, value) {
    case (.string(let one), .string(let other)), (.number(let one), .number(let other)):
      one.isSame(as: other) ? old : value
    case (_, .null), (_, .bool), (_, .number), (_, .string), (_, .array), (_, .object): value
    }
  }
}
