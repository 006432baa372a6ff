import FlowRecording
import Foundation
import Replay
import Testing

/// Every fault at every request of every golden recording.
@Suite struct FaultSweepTests {
  /// Of so many faults of a recording one is tried; `make torture` tries each, as `auditctl replay Recordings/*.ndjson.lz4
  /// --sweep` does.
  private static let each = Int(ProcessInfo.processInfo.environment["FLOWRECORDER_SWEEP"] ?? "") ?? 89

  @Test("no fault makes a flow hang, loop or end unnamed", arguments: GoldenRecordings.names)
  func sweep(name: String) throws {
    let swept = try FaultSweep.run(GoldenRecordings.read(name), each: name == "push-approved" ? 1 : Self.each)
    let findings = swept.filter(\.ending.isFinding)
    #expect(findings.isEmpty, "\(findings.map { "\($0.revision) \($0.request) \($0.fault): \($0.ending)" })")
    if name == "push-approved" {
      #expect(swept.count > 60)
      #expect(Set(swept.map(\.fault)).count >= 13, "\(Set(swept.map(\.fault)))")
    }
  }
}
