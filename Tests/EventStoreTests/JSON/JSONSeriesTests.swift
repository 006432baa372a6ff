import EventStore
import Testing

/// Documents of which each is like the one before: read as each by itself would be, and kept once.
@Suite struct JSONSeriesTests {
  private static let poll = """
    {"status":200,"headers":[["Date","Thu, 15 Jan 2026 09:00:00 GMT"],["X","1"]],"body":{"expiresAt":"2026-01-15T09:05:00Z",\
    "_embedded":{"user":{"id":"00u-and-some-more-letters","profile":{"login":"ann@acme.example","n":[1,[2,{}],[]]}}},"end":[]}}
    """

  @Test("each document is what it is by itself, whatever stood before")
  func same() throws {
    // Members that are new, gone, in another order, of another type; arrays that are longer and shorter; white space.
    let changes: [(String, String)] = [
      ("09:05:00Z", "09:05:05Z"), ("\"status\":200", "\"status\":4290"),
      ("[\"X\",\"1\"]", "[\"Y\",\"1\"],[\"X\",\"1\"]"),
      ("[\"X\",\"1\"]", ""), ("{\"expiresAt\"", "{\"new\":{\"expiresAt\":[]},\"expiresAt\""), ("[2,{}]", "{\"2\":{}}"),
      ("\"end\":[]", "\"end\":[[]]"), ("\"end\":[]", "\"end\":{}"), ("\"end\":[]", "\"end\": [ ] "), (",[]]", "]"),
      ("00u-and", "00u-\\u0061nd"), ("\"user\":{\"id\"", "\"user\":{\"id\":1,\"id\""), (Self.poll, "[1,\"two\"]"),
      (Self.poll, "7"), (Self.poll, " \"text\" "), (Self.poll, "{}"),
    ]
    var series = JSONSeries()
    for (from, to) in changes {
      for text in [Self.poll, Self.poll.replacing(from, with: to), Self.poll] {
        let bytes = Array(text.utf8)
        // The trailing comma of an array that lost its end is an error on both sides.
        let alone = Result { () throws(JSONError) in try JSON(parsing: bytes) }
        let inSeries = Result { () throws(JSONError) in try series.parse(bytes[...]) }
        #expect(alone == inSeries, "\(text)")
      }
    }
  }

  @Test("a document cut or changed at any byte is the same error, or the same value, at the same byte")
  func damaged() {
    let whole = Array(Self.poll.utf8)
    var series = JSONSeries()
    for place in whole.indices {
      _ = try? series.parse(whole[...])
      var changed = whole
      changed[place] ^= 0x02
      for bytes in [Array(whole[..<place]), changed, whole + [whole[place]]] {
        let alone = Result { () throws(JSONError) in try JSON(parsing: bytes) }
        let inSeries = Result { () throws(JSONError) in try series.parse(bytes[...]) }
        #expect(alone == inSeries, "at \(place)")
      }
    }
  }

  @Test("nesting is refused at the same depth")
  func depth() throws {
    func nested(_ depth: Int, _ end: String) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + end + String(repeating: "]", count: depth)).utf8)
    }
    var series = JSONSeries()
    for end in ["1", "2", "\"three\""] {
      let bytes = nested(JSON.maximumDepth, end)
      #expect(try series.parse(bytes[...]) == JSON(parsing: bytes))
      #expect(throws: JSONError.self) { try series.parse(nested(JSON.maximumDepth + 1, end)[...]) }
    }
  }

  @Test("what did not change has the memory of the document before, at any depth")
  func shared() throws {
    var series = JSONSeries()
    let first = try series.parse(Array(Self.poll.utf8)[...])
    let second = try series.parse(Array(Self.poll.replacing("09:05:00Z", with: "09:05:05Z").utf8)[...])
    #expect(first != second)
    #expect(place(first) != place(second) && place(first["body"]) != place(second["body"]))
    for path in [["headers"], ["body", "_embedded"], ["body", "_embedded", "user", "profile", "n"]] {
      let (one, other) = (path.reduce(first) { $0[$1] ?? .null }, path.reduce(second) { $0[$1] ?? .null })
      #expect(one == other && place(one) != nil && place(one) == place(other), "\(path)")
    }
    // The third has it of the second, also behind what has another length.
    let third = try series.parse(Array(Self.poll.replacing("\"status\":200", with: "\"status\":2000").utf8)[...])
    #expect(place(third["headers"]) == place(first["headers"]))
  }

  /// Where the members or elements of a value lie in memory.
  private func place(_ json: JSON?) -> UInt? {
    switch json {
    case .array(let elements): elements.withUnsafeBytes { $0.baseAddress.map { UInt(bitPattern: $0) } }
    case .object(let object): object.members.withUnsafeBytes { $0.baseAddress.map { UInt(bitPattern: $0) } }
    case .null, .bool, .number, .string, nil: nil
    }
  }
}
