// A host that is put back to an older copy of itself, log and keys, and goes on. Its log is whole and signed: only who
// noted a checkpoint before can see that records are gone.

public import EventStore
import Foundation

/// What a rollback took from a log.
public struct CompanyRollback: Sendable, Equatable {
  /// How many flows are gone.
  public var flows: Int
  /// The positions of the records that are gone: from the size of the copy to the size that was noted.
  public var records: Range<UInt64>

  /// As `auditctl simulate --company --json` lists it.
  var json: JSON {
    [
      "flows": .int(flows), "from": .number(String(records.lowerBound)), "to": .number(String(records.upperBound)),
    ]
  }
}

extension SimulatedCompany {
  /// The files of what an auditor kept from before a rollback.
  public static let noted = (key: "log.pub", checkpoint: "checkpoint.txt")

  /// Where the older copy of a store is until it is put back.
  public static func copy(of directory: String) -> String { URL(fileURLWithPath: directory).path + ".copy" }

  /// Makes a store of the company's flows whose host was put back to an older copy after about half of them.
  ///
  /// - Parameters:
  ///   - directory: where the store is to be; nothing must be there.
  ///   - kept: a folder that is made for what an auditor noted before: the public key, and a checkpoint of records that are gone.
  ///   - progress: is called now and then with flows done and flows in all.
  /// - Returns: the incidents that were planted, the rollback last.
  /// - Throws: `StoreError` if the log cannot be written, and what copying a folder throws.
  public func writeRolledBack(
    at directory: String, noting kept: String, progress: WorkProgress? = nil
  ) throws -> [CompanyIncident] {
    // Without the slash at its end that a shell may have put there: a copy is made beside it.
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
  /// How many flows a rollback takes at the most.
  private static let mostGone = 200

  /// Flows in a row, after the middle, that no incident is among: what a rollback takes.
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
