import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import Scenarios
import Testing

@testable import AuditReports

/// The golden recordings of a push from both sides, made by two logs that know nothing of each other.
@Suite struct TwoSidedRecordingTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Recordings").standardizedFileURL.path

  private func seen(_ name: String) throws -> [SeenPush] {
    let records = try SliceFile.read(path: "\(Self.folder)/\(name).ndjson.lz4").records
    return try Dictionary(grouping: records, by: \.stream).values.flatMap {
      try SeenPush.all(of: $0.sorted { $0.revision < $1.revision }, in: name)
    }
  }

  @Test(arguments: PushScenario.golden)
  func `both recordings of a push are one pair, and agree`(scenario: PushScenario) throws {
    let (pairs, alone) = PushPair.join(
      try seen(scenario.name + "-sign-in"), try seen(scenario.name + "-device"))
    let pair = try #require(pairs.first)
    #expect(pairs.count == 1 && alone.isEmpty && pair.device.count == 1)
    #expect(pair.contradictions == [])
    let outcome: PushSighting.Outcome = scenario.answer == .approved ? .approved : .rejected
    #expect(pair.signIn.push.outcome == outcome && pair.device.first?.push.outcome == outcome)
    let json = pair.json
    #expect(json["answer"]?.string == scenario.answer.rawValue && json["key"]?.string?.isEmpty == false)
    // It came, two seconds later it was answered, and the next poll knew.
    let answered = try #require(pair.device.first?.push.answers.first?.at)
    #expect(answered.microseconds - pair.signIn.push.began.microseconds == 2_000_000)
    #expect(try #require(pair.signIn.push.ended) > answered)
  }

  @Test func `the sign-in of one push and the device of another are found to contradict each other`() throws {
    for api in ["classic", "engine"] {
      let (pairs, _) = PushPair.join(
        try seen("both-\(api)-denied-sign-in"), try seen("both-\(api)-approved-device"))
      #expect(pairs.flatMap { $0.contradictions.map(\.kind) } == [.approvedThereNotHere], "\(api)")
    }
  }
}
