// The report `devices`.

import EventStore
import FlowRecording

/// `devices`
struct DevicesTally: ReportTally {
  static let parts: FlowParts = [.changes, .memory]
  private var challenges: [[ReportTable.Cell]] = []
  private var changes: [[ReportTable.Cell]] = []
  private var outcomes = Counts()

  mutating func add(_ flow: FlowFacts) {
    guard flow.kind == "device" else { return }
    let memory = flow.signIn.memory
    if flow.signIn.purpose == .challenge {
      outcomes.add(flow.status ?? flow.outcome)
      challenges.append([
        .time(flow.started), .text(flow.user), .text(memory["transaction"]), .text(memory["answer"]),
        .text(flow.status), .text(memory["keyType"]), .text(memory["key"]), .text(memory["verification"]),
        .text(flow.reason?.rawValue), .text(flow.stream),
      ])
    }
    for change in flow.signIn.changes {
      changes.append([
        .time(change.at), .text(flow.user), .text(change.kind == .factorEnrolled ? "enrolled" : "removed"),
        .text(flow.stream),
      ])
    }
  }

  var tables: [ReportTable] {
    [
      outcomes.table("outcomes", "Challenges, by how they ended", of: .init("status", "status")),
      ReportTable(
        "challenges", "Challenges",
        [
          .at, .user, .init("transaction", "transaction"), .init("answer", "answer"), .init("status", "ended"),
          .init("keyType", "key of"), .init("key", "key"), .init("verification", "verification"),
          .init("reason", "reason"), .flow.minor,
        ], challenges),
      ReportTable(
        "changes", "Devices set up and removed", [.at, .user, .init("change", "change"), .flow], changes),
    ]
  }
}
