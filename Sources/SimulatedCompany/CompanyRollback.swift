// A host whose log and keys are rolled back to an older copy, after which it continues. Its log is complete and signed:
// only an auditor who noted an earlier checkpoint can detect that records are missing.

public import EventStore
import Foundation

/// What a rollback removed from a log.
public struct CompanyRollback: Sendable, Equatable {
  /// The number of removed flows.
  public var flows: Int
  /// The positions of the removed records: from the size of the copy to the size that was noted.
  public var records: Range<UInt64>

  /// The rollback as listed by `auditctl simulate --company --json`.
  var json: JSON {
    [
      "flows": .int(flows), "from": .number(String(records.lowerBound)), "to": .number(String(records.upperBound)),
    ]
  }
}

extension SimulatedCompany {
  /// The files that an auditor kept from before the rollback.
  public static let noted = (key: "log.pub", checkpoint: "checkpoint.txt")

  /// The path of the older copy of a store until it is restored.
  public static func copy(of directory: String) -> String { URL(fileURLWithPath: directory).path + ".copy" }

  /// Creates a store of the company's flows whose host is rolled back to an older copy after about half of them.
  ///
  /// - Parameters:
  ///   - directory: the path of the new store, which must not exist.
  ///   - kept: the folder to create for the auditor's notes: the public key, and a checkpoint that covers the removed
  ///     records.
  ///   - progress: called repeatedly with the flows done and the total.
  /// - Returns: the planted incidents, with the rollback last.
  /// - Throws: `StoreError` if the log cannot be written, and errors from copying a folder.
  public func writeRolledBack(
    at directory: String, noting kept: String, progress: WorkProgress? = nil
  ) throws -> [CompanyIncident] {
    // Without a trailing slash, which a shell may have added, because a copy is created next to it.
    let directory = URL(fileURLWithPath: directory).path
    let plan = plan
    let gone = plan.quietFlows
    let options = EventLog.Options(durability: .os)
    var writer = CompanyWriter(seed: seed, CompanyRecorder(plan))
    let copy = Self.copy(of: directory)

    let before = try EventLog.open(at: directory, options: options)
    let key = try SigningKey(name: try LogReader(directory: directory).identity.origin)
    try append(0..<gone.lowerBound, of: plan, to: before, by: &writer, progress)
    let start = try before.checkpoint(with: key).size
    try before.close()
    try FileManager.default.copyItem(atPath: directory, toPath: copy)

    let lost = try EventLog.open(at: directory, options: options)
    try append(gone, of: plan, to: lost, by: &writer, progress)
    let note = try lost.checkpoint(with: key)
    try lost.close()
    try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
    try write(key.verifier.description + "\n", to: kept + "/" + Self.noted.key)
    try write(note.text, to: kept + "/" + Self.noted.checkpoint)

    try FileManager.default.removeItem(atPath: directory)
    try FileManager.default.moveItem(atPath: copy, toPath: directory)
    let after = try EventLog.open(at: directory, options: options)
    try append(gone.upperBound..<plan.flows.count, of: plan, to: after, by: &writer, progress)
    _ = try after.checkpoint(with: key)
    try after.close()
    return plan.incidents + [
      CompanyIncident(
        kind: .rollback, place: nil, user: nil, first: plan.flows[gone.lowerBound].at,
        last: plan.flows[gone.upperBound - 1].at, entered: [],
        rollback: CompanyRollback(flows: gone.count, records: start..<note.size))
    ]
  }

  private func write(_ text: String, to path: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }
}

extension CompanyPlan {
  /// The maximum number of flows that a rollback removes.
  private static let mostGone = 200

  /// Consecutive flows without an incident, in the second half; a rollback removes these.
  var quietFlows: Range<Int> {
    let length = max(1, min(flows.count / 100, Self.mostGone))
    let middle = flows.count / 2
    let hour: Int64 = 3_600_000_000
    let busy = incidents.map { $0.first.microseconds - hour...$0.last.microseconds + hour }
    func isQuiet(_ start: Int) -> Bool {
      flows[start..<start + length].allSatisfy { flow in
        flow.tokens == nil && !busy.contains { $0.contains(flow.at.microseconds) }
      }
    }
    let start = (middle..<max(middle + 1, flows.count - 2 * length)).first(where: isQuiet) ?? middle
    return start..<min(start + length, flows.count)
  }
}
