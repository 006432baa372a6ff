import EventStore
import FlowRecording
import Foundation
import Scenarios
import Testing

@testable import IDX

/// The summary equals the expected one for every body of the corpus, and fails on none of their mutations.
@Suite struct IDXSummaryTests {
  @Test("every body of the corpus", .enabled(if: Corpus.isThere, Comment(rawValue: Corpus.missing)))
  func corpus() throws {
    let expected = String(decoding: try Corpus.body("expected/idx.jsonl"), as: UTF8.self)
    var count = 0
    for line in expected.split(separator: "\n") {
      let item = try JSON(parsing: Array(line.utf8))
      let file = try #require(item["file"]?.string)
      let summary = CanonicalSummary.summary(of: try Corpus.body(file))
      #expect(summary.text == item["summary"]?.text, "\(file)")
      count += 1
    }
    #expect(count > 300)
  }

  @Test("no mutation of the corpus traps", .enabled(if: Corpus.isThere, Comment(rawValue: Corpus.missing)))
  func mutations() throws {
    let seed = UInt64(ProcessInfo.processInfo.environment["FLOWRECORDER_SEED"] ?? "") ?? 20_261_121
    print("seed \(seed)")
    let entropy = SeededEntropy(seed: seed)
    for name in try Corpus.responses() {
      let body = try Corpus.body(name)
      for _ in 0..<5 {
        #expect(CanonicalSummary.summary(of: Mutation.mutate(body, entropy)).object != nil, "\(name)")
      }
      guard let json = try? JSON(parsing: body) else { continue }
      for _ in 0..<5 {
        #expect(CanonicalSummary.summary(of: Mutation.mutate(json, entropy).bytes).object != nil, "\(name)")
      }
    }
  }

  @Test(
    "an empty body, one of white space and one that is no object count as an empty object",
    arguments: [
      "", "  \n", "[]", "[1,2]", "3", "\"x\"", "{}", "null", "\u{FEFF}{}", "\u{FEFF}",
    ])
  func odd(body: String) {
    let expected =
      #"{"authenticators":[],"canCancel":false,"current":null,"intent":null,"messages":[],"poll":null,"#
      + #""remediations":[],"successWithInteractionCode":false}"#
    #expect(CanonicalSummary.summary(of: Array(body.utf8)).text == expected)
  }

  @Test("what is no JSON is said to be none", arguments: ["<html>", "{", "{\"a\":}", "nul", "{}x"])
  func invalid(body: String) {
    #expect(CanonicalSummary.summary(of: Array(body.utf8)).text == "{\"error\":\"invalid-json\"}")
  }

  @Test("deep nesting is refused, not followed")
  func deep() {
    let body = Array(repeating: UInt8(ascii: "["), count: 1_000_000)
    #expect(CanonicalSummary.summary(of: body).text == "{\"error\":\"invalid-json\"}")
  }

  @Test(
    "an interval is printed as a number of milliseconds",
    arguments: [
      ("4000", "4000"), ("4000.0", "4000"), ("4e3", "4000"), ("0.5", "0.5"), ("\"4000\"", "null"), ("1e999", "null"),
      ("-2", "-2"), ("true", "null"),
    ])
  func interval(wire: String, printed: String) {
    let body = #"{"remediation":{"value":[{"name":"challenge-poll","refresh":\#(wire)}]}}"#
    #expect(CanonicalSummary.summary(of: Array(body.utf8))["poll"]?["interval"]?.text == printed)
  }

  @Test("flags are booleans or the words for them, in any case; visible gives way to an immutable value")
  func flags() throws {
    let body = #"""
      {"remediation":{"value":[{"value":[
        {"name":"a","required":"TRUE","secret":"yes","mutable":"False","value":0,"visible":true},
        {"name":"b","mutable":false,"value":null},{"name":"","visible":"false"},
        {"name":"d","form":{"value":[{"name":"e"}]},"value":{"form":{"value":[{"name":"f"}]}}},
        {"name":"g","form":{},"options":[3,{"label":7,"value":{"form":{"value":[{}]}}}]}]}]}}
      """#
    let fields = CanonicalSummary.summary(of: Array(body.utf8))["remediations"]?.array?.first?["fields"]?.array ?? []
    let told = fields.map { field in
      let flags = ["required", "secret", "mutable", "visible"].map { field[$0]?.bool == true ? "1" : "0" }.joined()
      return "\(field["path"]?.string ?? "") \(flags) \(field["options"]?.text ?? "")"
    }
    #expect(
      told == [
        "a 1000 null", "b 0001 null", "[2] 0010 null", "d 0011 null", "d.e 0011 null", "g 0011 [null,null]",
        "g[1][0] 0011 null",
      ])
  }

  @Test("a response of a megabyte takes time in proportion to its size")
  func linear() throws {
    // Steps of the reading are counted by what they print: an authenticator and a field for each entry.
    func body(_ count: Int) -> [UInt8] {
      let entries = (0..<count).map { "{\"type\":\"email\",\"id\":\"aut\($0)\",\"methods\":[{\"type\":\"email\"}]}" }
      let fields = (0..<count).map { "{\"name\":\"field\($0)\",\"messages\":{\"value\":[{\"message\":\"m\"}]}}" }
      return Array(
        "{\"authenticators\":{\"value\":[\(entries.joined(separator: ","))]},\"remediation\":{\"value\":[{\"value\":[\(fields.joined(separator: ","))]}]}}"
          .utf8)
    }
    func time(_ bytes: [UInt8]) -> Double {
      (0..<3).map { _ in
        let start = ThreadTime.seconds
        _ = CanonicalSummary.summary(of: bytes)
        return ThreadTime.seconds - start
      }.min() ?? 0
    }
    let small = body(500)
    let large = body(16_000)
    #expect(large.count > 900_000)
    let ratio = time(large) / time(small)
    // 32 if it is linear, 1,024 if it grows with the square. The bound is in the middle of the two, more than five times
    // away from each, which no load of the machine makes up for.
    #expect(ratio < 180, "32 times the size took \(ratio) times as long")
  }

  @Test("authenticators with the same id to a reader, and other bytes, are several")
  func identities() {
    let texts = [#"e\u0301"#, #"\u00e9"#, "K", #"\u212a"#].map { #"{"type":"app","id":"\#($0)"}"# }
    let body = #"{"authenticators":{"value":[\#(texts.joined(separator: ",")),{"type":"app","id":"K"}]}}"#
    #expect(CanonicalSummary.summary(of: Array(body.utf8))["authenticators"]?.array?.count == 4)
  }

  @Test(
    "an interval without a fraction is printed without one",
    arguments: [
      ("2000.0", "2000"), ("9007199254740992.0", "9007199254740992"), ("12345678901234567890", "12345678901234567890"),
      ("9223372036854775808", "9223372036854775808"), ("1e16", "10000000000000000"), ("1.5", "1.5"), ("-0", "0"),
    ])
  func intervals(_ given: String, _ printed: String) {
    let body = #"{"remediation":{"value":[{"name":"poll","refresh":\#(given)}]}}"#
    #expect(CanonicalSummary.summary(of: Array(body.utf8)).text.contains(#""interval":\#(printed)"#))
  }
}
