// The golden recordings as time lines, and folded.

import AuditReports
import EventStore
import FlowRecording
import Foundation
import Testing

@Suite struct TimeLineTests {
  static let recordings: [String] = {
    let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Recordings").standardizedFileURL.path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".ndjson.lz4") }.sorted().map { folder + "/" + $0 }
  }()

  private func lines(of path: String) throws -> [TimeLine] {
    let records = try SliceFile.read(path: path).records
    return try Dictionary(grouping: records, by: \.stream).values.compactMap { try TimeLine($0) }
  }

  @Test("the time line of every golden recording has 80 columns, and one entry an event", arguments: recordings)
  func told(path: String) throws {
    for line in try lines(of: path) {
      #expect(line.lines().allSatisfy { $0.columns <= 80 })
      #expect(line.entries.count == line.facts.events)
      #expect(line.entries.allSatisfy { !$0.words.isEmpty })
      #expect(line.lines(width: 50).allSatisfy { $0.columns <= 50 })
    }
  }

  @Test("every revision of every golden recording folds and can be shown", arguments: recordings)
  func folded(path: String) throws {
    let records = try SliceFile.read(path: path).records
    for (stream, records) in Dictionary(grouping: records, by: \.stream) {
      let flow = try EventCoding.decode(records)
      // Of varied flows, of which there are hundreds, every fifth revision.
      for record in flow where !path.contains("/varied-") || (record.revision + flow.count) % 5 == 0 {
        let state = try FoldedState(of: flow, stream: stream, at: record.revision)
        #expect(state.lines().allSatisfy { $0.columns <= 80 })
        #expect(state.json["revision"]?.int == record.revision)
      }
      // Parts of a long answer have revisions of their own.
      let last = try #require(flow.last).revision
      #expect(throws: FoldedState.Missing.revision(last: last)) {
        try FoldedState(of: flow, stream: stream, at: last + 1)
      }
      #expect(throws: FoldedState.Missing.self) { try FoldedState(of: flow, stream: stream, at: -1) }
    }
  }

  @Test("a status without a name has words of its own")
  func emptyStatus() throws {
    let path = try #require(Self.recordings.first { $0.hasSuffix("varied-authn.ndjson.lz4") })
    #expect(try lines(of: path).contains { $0.entries.contains { $0.words == "(empty status)" } })
  }

  @Test("the words say what happened")
  func words() throws {
    let path = try #require(Self.recordings.first { $0.hasSuffix("sms-wrong-code.ndjson.lz4") })
    let words = try #require(try lines(of: path).first).entries.map(\.words)
    #expect(words.contains { $0.hasPrefix("authenticate: username ") && $0.hasSuffix("password $secret.password.1$") })
    #expect(words.contains { $0.hasPrefix("HTTP 403 E0000068") })
    #expect(words.contains { $0.hasPrefix("verifyFactor failed: serverRespondedWithError (E0000068") })
    #expect(words.contains { $0.hasPrefix("MFA_CHALLENGE -> SUCCESS") })
    #expect(words.last == "success")
  }

  @Test("a flow of the Identity Engine says which form went out with which fields, and what came back")
  func identityEngine() throws {
    let path = try #require(Self.recordings.first { $0.hasSuffix("idx-policy-two-factors.ndjson.lz4") })
    let words = try #require(try lines(of: path).first).entries.map(\.words)
    #expect(words.contains("start -> identify or unlock-account"), "\(words)")
    #expect(words.contains { $0.hasPrefix("proceed: identify with identifier ") })
    #expect(words.contains("proceed: challenge-authenticator with credentials.passcode $secret.passcode.1$"))
    #expect(words.contains { $0.contains(" with credentials.passcode $secret.passcode.1$, stateHandle ") })
    #expect(words.contains { $0.hasPrefix("proceed: select-authenticator-authenticate with authenticator ") })
    #expect(words.contains { $0.hasPrefix("HTTP 200 offers ") })
    #expect(!words.contains { $0.hasSuffix("->") || $0.hasSuffix("-> ") || $0.contains("{") })
  }
}
