import EventStore
import FlowRecording
import Foundation
import Scenarios
import Testing

@testable import Authn

/// The summary equals the expected one for every body of the corpus, and fails on none of their mutations.
@Suite struct CanonicalSummaryTests {
  @Test("every body of the corpus", .enabled(if: Corpus.isThere, "../shared/corpus is not there"))
  func corpus() throws {
    let expected = String(decoding: try Corpus.bytes(of: "expected/authn.jsonl"), as: UTF8.self)
    var count = 0
    for line in expected.split(separator: "\n") {
      let item = try JSON(parsing: Array(line.utf8))
      let file = try #require(item["file"]?.string)
      let body = try Corpus.bytes(of: file)
      #expect(CanonicalSummary.summary(of: body).text == item["summary"]?.text, "\(file)")
      count += 1
    }
    #expect(count > 90)
  }

  @Test("no mutation of the corpus traps", .enabled(if: Corpus.isThere, "../shared/corpus is not there"))
  func mutations() throws {
    let seed = UInt64(ProcessInfo.processInfo.environment["FLOWRECORDER_SEED"] ?? "") ?? 20_261_121
    print("seed \(seed)")
    let entropy = SeededEntropy(seed: seed)
    let folder = Corpus.folder.appendingPathComponent("authn")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
      let body = try Corpus.bytes(of: "authn/\(name)")
      for _ in 0..<20 {
        let mutated = Mutation.mutate(body, entropy)
        #expect(CanonicalSummary.summary(of: mutated).object != nil, "\(name)")
      }
      if let json = try? JSON(parsing: body) {
        for _ in 0..<20 { #expect(CanonicalSummary.summary(of: Mutation.mutate(json, entropy).bytes).object != nil) }
      }
    }
  }

  @Test(
    "bodies that are no transaction",
    arguments: [
      ("", "null"), ("  \n", "null"), ("\u{FEFF}", "null"), ("\u{FEFF} ", "null"), ("\u{FEFF}[1]", "1"), ("[]", "0"),
      ("[1,2]", "2"), ("3", "null"), ("\"x\"", "null"), ("{}", "null"),
    ])
  func odd(body: String, items: String) {
    #expect(CanonicalSummary.summary(of: Array(body.utf8))["items"]?.text == items)
  }

  @Test(
    "links are named by bytes, in the order of code points, and of a repeated relation the last one counts",
    arguments: [
      (#"{"e\u0301":{},"\u00e9":{}}"#, #"["e\u{301}","\u{E9}"]"#),
      (#"{"b":{"name":"x"},"a":{},"B":{}}"#, #"["B","a","b:x"]"#),
      (#"{"next":{"name":"a"},"next":[{"name":"b"},{"name":"b"}]}"#, #"["next:b"]"#),
      (#"{"next":{"name":"a"},"next":[]}"#, "[]"),
    ])
  func links(of document: String, expected: String) {
    let summary = CanonicalSummary.summary(of: Array(#"{"_links":\#(document)}"#.utf8))
    let named = expected.replacing(#"\u{301}"#, with: "\u{301}").replacing(#"\u{E9}"#, with: "\u{E9}")
    #expect(summary["links"].map { Array($0.text.utf8) } == Array(named.utf8))
  }

  @Test("what is no JSON is said to be none", arguments: ["<html>", "{", "{\"a\":}", "\u{FEFF}nul", "nul"])
  func invalid(body: String) {
    #expect(CanonicalSummary.summary(of: Array(body.utf8)).text == "{\"error\":\"invalid-json\"}")
  }

  @Test("deep nesting is refused, not followed")
  func deep() {
    let body = Array(repeating: UInt8(ascii: "["), count: 1_000_000)
    #expect(CanonicalSummary.summary(of: body).text == "{\"error\":\"invalid-json\"}")
  }
}
