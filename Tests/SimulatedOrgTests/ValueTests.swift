// The small values that answers are made of.

import Foundation
import Testing

@testable import SimulatedOrg

@Suite struct ValueTests {
  @Test func `dates are what the calendar says`() throws {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    var draws = SeededGenerator(seed: 42)
    for _ in 0..<2000 {
      let time = Timestamp(milliseconds: Int64(draws.next() % 4_102_444_800_000))  // until 2100
      let date = Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
      // The library cuts where a `Double` lies a hair below the millisecond.
      #expect(time.iso8601 == style.format(date.addingTimeInterval(0.000_1)))
      #expect(Timestamp(date) == time)
    }
    #expect(Timestamp(milliseconds: 784_111_777_000).httpDate == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(Timestamp(Date.distantPast).iso8601 == "1970-01-01T00:00:00.000Z")
    #expect(Timestamp(milliseconds: 1_709_210_096_007).iso8601 == "2024-02-29T12:34:56.007Z")
  }

  @Test func `JSON is what a parser reads back`() throws {
    let text = "a\"b\\c\n\r\t\u{1}\u{1f}/é😀\u{7f}"
    let json: OrgJSON = ["z": .string(text), "a": [1, -2, true, false, .null, [:], []]]
    #expect(String(decoding: json.encoded, as: UTF8.self).hasPrefix(#"{"z":"a\"b\\c\n\r\t\u0001\u001f/é"#))
    let back = try #require(try JSONSerialization.jsonObject(with: Data(json.encoded)) as? [String: Any])
    #expect(back["z"] as? String == text)
    #expect((back["a"] as? [Any])?.count == 7)
  }

  @Test func `members keep their place and can be set and removed`() {
    var json: OrgJSON = ["b": 1, "a": 2]
    json["b"] = 3
    json["c"] = "x"
    json["a"] = nil
    #expect(String(decoding: json.encoded, as: UTF8.self) == #"{"b":3,"c":"x"}"#)
    #expect(json["c"]?.string == "x")
    #expect(json["nothing"] == nil)
    json["nothing"] = nil
    #expect(json == ["b": 3, "c": "x"])
  }

  @Test func `every object can be reached, the inner ones first`() {
    let json: OrgJSON = ["a": [["b": 1], 2], "c": ["d": [:]]]
    let changed = json.mapObjects { members in [OrgJSON.Member("n", .int(members.count))] + members.reversed() }
    #expect(
      String(decoding: changed.encoded, as: UTF8.self) == #"{"n":2,"c":{"n":1,"d":{"n":0}},"a":[{"n":1,"b":1},2]}"#)
  }

  @Test(arguments: [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("\u{3ff}>?", "z78-Pw")])
  func `browser values are base64 for URLs`(plain: String, text: String) {
    #expect(Base64.urlText(plain.utf8) == text)
    #expect(Base64.bytes(text) == Array(plain.utf8))
    #expect(Base64.bytes(Base64.text(Array(plain.utf8))) == Array(plain.utf8))
    #expect(Base64.bytes(text + "*") == nil)
  }

  @Test(arguments: [
    ("+1 415-555-0199", "+1 XXX-XXX-0199"), ("+14155550199", "+14XXXXX0199"), ("415 555 0199", "XXX XXX 0199"),
    ("0199", "0199"), ("", ""),
  ])
  func `numbers are masked but for the last four digits`(number: String, masked: String) {
    #expect(Mask.phone(number) == masked)
  }

  @Test(arguments: [("ann.lee@acme.example", "a...e@acme.example"), ("a@b", "a...a@b"), ("nobody", "...")])
  func `addresses are masked`(address: String, masked: String) {
    #expect(Mask.address(address) == masked)
  }
}
