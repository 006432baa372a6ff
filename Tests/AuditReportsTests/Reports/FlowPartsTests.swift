import EventStore
import FlowRecording
import Foundation
import SimulatedCompany
import Testing

@testable import AuditReports

/// What reports leave out of the facts, they do not need.
@Suite struct FlowPartsTests {
  /// Facts that give the parts that are asked for, and no others.
  private struct Sparing: FactsSource {
    let facts: LogFacts
    var own: [OwnEvent] { facts.own }
    var hasSeveralStores: Bool { false }
    var prunedFlows: Int { facts.prunedFlows }

    func forEachFlow(_ filter: FlowFilter, parts: FlowParts, _ body: (FlowFacts) -> Void) throws {
      for flow in facts.flows where filter.passes(flow) {
        body(try #require(FlowFacts(bytes: flow.bytes[...], parts: parts)))
      }
    }

    func forEachFlow(ofTokens ids: Set<String>, parts: FlowParts, _ body: (FlowFacts) -> Void) throws {
      for flow in facts.flows where !flow.tokenIDs.isDisjoint(with: ids) {
        body(try #require(FlowFacts(bytes: flow.bytes[...], parts: parts)))
      }
    }
  }

  private static let recordings = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Recordings").standardizedFileURL.path

  /// The flows of a company, and those of the golden recordings, in which more happens.
  private static func facts() throws -> LogFacts {
    let company = try CompanyFolder(seed: 23, flows: 400)
    var facts = try withExtendedLifetime(company) { try LogFacts.reading([LogReader(directory: company.path)]) }
    for name in try FileManager.default.contentsOfDirectory(atPath: recordings).sorted()
    where name.hasSuffix(".ndjson.lz4") {
      for record in try SliceFile.read(path: "\(recordings)/\(name)").records { facts.add(record) }
    }
    return facts
  }

  @Test("each report says the same of the parts that it asks for as of all")
  func sparing() throws {
    let facts = try Self.facts()
    let now = try #require(Timestamp("2026-01-20T00:00:00Z"))
    for name in ReportName.allCases {
      let request = ReportRequest(name, filter: FlowFilter(), now: now)
      let whole = try request.report(on: facts)
      #expect(try request.report(on: Sparing(facts: facts)) == whole, "\(name.rawValue)")
      // A filter looks at what is always there.
      for filter in [FlowFilter(user: "ann0@acme.example"), FlowFilter(status: "failed"), FlowFilter(reason: .locked)] {
        let request = ReportRequest(name, filter: filter, now: now)
        #expect(try request.report(on: Sparing(facts: facts)) == request.report(on: facts), "\(name.rawValue)")
      }
    }
  }

  @Test("each part is read or passed over, and nothing behind it is lost")
  func parts() throws {
    for flow in try Self.facts().flows {
      let bytes = flow.bytes[...]
      #expect(FlowFacts(bytes: bytes) == FlowFacts(bytes: bytes, parts: .all))
      let none = try #require(FlowFacts(bytes: bytes, parts: []))
      #expect(none.signIn.now == flow.signIn.now && none.outcome == flow.outcome && none.user == flow.user)
      #expect(none.exchanges.isEmpty && none.tokens.isEmpty && none.signIn.tries.isEmpty && none.place == nil)
      for end in stride(from: 0, to: bytes.count, by: 7) {
        // Cut bytes are no facts, whatever is passed over; the last number may be the shorter one.
        #expect(FlowFacts(bytes: bytes[..<end], parts: []) == nil)
      }
    }
  }

  @Test("times so far apart that their difference could overflow are no facts; all that a log can have are")
  func farTimes() {
    func latest(_ started: Int64, _ latest: Int64) -> Int64? {
      var flow = FlowFacts(stream: "authn/1", started: Timestamp(microseconds: started))
      flow.latest = Timestamp(microseconds: latest)
      return FlowFacts(bytes: flow.bytes[...])?.latest.microseconds
    }
    // The first and the last microsecond of the years 0000 to 9999.
    let (first, last): (Int64, Int64) = (-62_167_219_200_000_000, 253_402_300_799_999_999)
    #expect(latest(first, last) == last && latest(last, first) == first)
    let far: Int64 = 1 << 62
    #expect(latest(far, far) == nil && latest(-far, -far) == nil)
    #expect(latest(0, far) == nil && latest(0, -far) == nil && latest(.max, .max) == nil)
  }
}
