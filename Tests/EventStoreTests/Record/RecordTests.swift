import Testing

@testable import EventStore

@Suite struct RecordTests {
  private static let good =
    #"{"n":42,"at":"2026-11-21T08:35:00.123456Z","stream":"authn/1","rev":7,"id":"x","type":"t","v":1,"cause":41,"data":{"a":"}{\"","b":[{}]}}"#

  @Test func `a line is read into its parts`() throws {
    let record = try StoredRecord(line: Array(Self.good.utf8))
    #expect(record.position == 42 && record.revision == 7 && record.version == 1 && record.cause == 41)
    #expect(record.stream == "authn/1" && record.type == "t" && record.id == "x")
    #expect(record.at.description == "2026-11-21T08:35:00.123456Z")
    #expect(String(decoding: record.data, as: UTF8.self) == #"{"a":"}{\"","b":[{}]}"#)
  }

  @Test func `what is written is read, also without id and cause`() throws {
    for id in [nil, "an id"] {
      for cause in [nil, UInt64(3)] {
        let lines = LineBuffer()
        let new = NewRecord(at: noon, stream: "a/ü", id: id, type: "t", version: 0, data: Array("{}".utf8))
        var encoder = LineEncoder()
        encoder.append(new, position: 10, revision: 0, cause: cause, to: lines)
        var line = lines.all
        #expect(line.removeLast() == 0x0A)
        let record = try StoredRecord(line: line)
        #expect(record.id == id && record.cause == cause && record.stream == "a/ü" && record.at == noon)
      }
    }
  }

  @Test func `a line cut anywhere is malformed`() {
    let line = Array(Self.good.utf8)
    for length in line.indices {
      #expect(throws: StoreError(.malformed, ""), "\(length)") { try StoredRecord(line: Array(line[..<length])) }
    }
  }

  static let wrong: [(what: String, line: String)] = [
    ("a space", good.replacing("\"n\":", with: "\"n\": ")), ("a leading zero", good.replacing("42", with: "042")),
    ("another order", good.replacing(#""rev":7,"id":"x""#, with: #""id":"x","rev":7"#)),
    ("a negative number", good.replacing("\"rev\":7", with: "\"rev\":-7")),
    ("a number over 64 bits", good.replacing("42", with: "18446744073709551616")),
    ("an empty stream", good.replacing("authn/1", with: "")),
    ("an escape", good.replacing("authn/1", with: "a\\u0041")),
    ("a short time", good.replacing(".123456Z", with: ".123Z")), ("an offset", good.replacing("Z\"", with: "+\"")),
    ("month 13", good.replacing("2026-11", with: "2026-13")), ("a leap second", good.replacing("35:00", with: "35:60")),
    ("a cause not before", good.replacing("41", with: "42")), ("bytes after", good + " "),
    ("two objects", good.replacing("{\"a\"", with: "{},{\"a\"")),
    ("an open object", good.replacing("[{}]", with: "[{]")),
    ("an open string", good.replacing("\\\"", with: "\"")),
    ("a line end in data", good.replacing("\"b\"", with: "\n\"b\"")),
    ("data that is a list", good.replacing("{\"a\"", with: "[{\"a\"").replacing("]}}", with: "]}]}")),
  ]

  @Test(arguments: wrong.map(\.what)) func `a line in any other form is malformed`(_ what: String) throws {
    let line = try #require(Self.wrong.first { $0.what == what }?.line)
    #expect(line != Self.good)
    let error = #expect(throws: StoreError.self) { try StoredRecord(line: Array(line.utf8)) }
    #expect(error?.code == .malformed && error?.offset != nil)
  }

  @Test func `times are read with fractions and offsets, and written in one form`() {
    #expect(Timestamp("2026-11-21T08:35:00Z")?.description == "2026-11-21T08:35:00.000000Z")
    #expect(Timestamp("2026-11-21T08:35:00.5Z")?.description == "2026-11-21T08:35:00.500000Z")
    #expect(Timestamp("2026-11-21T08:35:00.123456789Z")?.description == "2026-11-21T08:35:00.123456Z")
    #expect(Timestamp("2026-11-21T08:35:00+05:30")?.description == "2026-11-21T03:05:00.000000Z")
    #expect(Timestamp("2026-11-21T08:35:00.778+0530")?.description == "2026-11-21T03:05:00.778000Z")
    #expect(Timestamp("2026-11-21T08:35:00-0000")?.description == "2026-11-21T08:35:00.000000Z")
    #expect(Timestamp("2026-01-01T00:30:00.25-01:00")?.description == "2026-01-01T01:30:00.250000Z")
    #expect(Timestamp("1969-12-31T23:59:59.999999Z")?.microseconds == -1)
    #expect(Timestamp("2000-02-29T00:00:00Z")?.microseconds == 951_782_400_000_000)
    #expect(Timestamp(microseconds: 0).description == "1970-01-01T00:00:00.000000Z")
    #expect(Timestamp(microseconds: .max).description == "9999-12-31T23:59:59.999999Z")
    #expect(Timestamp(microseconds: .min).description == "0000-01-01T00:00:00.000000Z")
  }

  @Test(arguments: [
    "", "now", "2026-11-21", "2026-11-21T08:35:00", "2026-02-29T00:00:00Z", "2026-11-21T24:00:00Z",
    "2026-11-21T08:35:00.Z", "2026-11-21T08:35:00.1234567890Z", "2026-11-21T08:35:00+053", "2026-11-21T08:35:00Zx",
    "2026-11-21T08:35:00+05", "2026-11-21T08:35:00+05300", "2026-11-21T08:35:00+05:3", "2026-11-21T08:35:00+2400",
    "2100-02-29T00:00:00Z", "2026-00-01T00:00:00Z",
  ]) func `what is no time is nil`(_ text: String) { #expect(Timestamp(text) == nil) }

  @Test func `each day of 800 years is written and read`() {
    var previous = ""
    for day in stride(from: -146_097, to: 146_097, by: 1) {
      let time = Timestamp(microseconds: Int64(day) * 86_400_000_000 + 1)
      let text = time.description
      guard Timestamp(text) == time, text > previous else {
        Issue.record("\(text) after \(previous)")
        return
      }
      previous = text
    }
  }
}
