import EventStore
import Foundation

/// What a store is before the program is started.
enum Start: String, CaseIterable, CustomStringConvertible {
  /// It is not there.
  case fresh
  /// Its writer was killed in the middle of a write, and before that one in the middle of signing: there is a torn tail
  /// to mend, and a draft to remove.
  case torn

  var description: String { rawValue }
}

/// Where the program plays before the shim, each time from the same start.
final class FaultStage {
  /// What came of one run.
  struct Outcome {
    var end: Subject.End
    var promises: Promises
    /// How many calls of each kind it made on the store.
    var calls: [String: Int]
    /// True where the fault came.
    var hasStruck: Bool
    /// What is wrong with the store, or nil.
    var fault: String?
  }

  let folder: Folder
  private let shim: FaultShim
  private let key: SigningKey
  private let start: Start
  private var before = Promises()
  private var keyPath: String { folder.path + "/key" }
  private var template: String { folder.path + "/template" }

  init(_ start: Start) throws {
    self.start = start
    // What is tried is what the program makes of its calls; the disk behind them only takes time.
    folder = try Folder(inMemory: true)
    shim = try FaultShim(in: folder)
    key = try SigningKey.create(path: folder.path + "/key", name: "subject")
    guard start == .torn else { return }
    // The fifth rename is that of checkpoints/latest: store.json, a segment, store.json with the key and the checkpoint
    // under its size come first.
    try prepare(["batches=12", "segment=9000", "signing=\(keyPath)"], "rename", 5, .killBefore)
    try prepare(["batches=20", "segment=9000", "from=1000"], "pwrite64", 20, .killHalfway)
    try FileManager.default.moveItem(atPath: folder.store, toPath: template)
    try FileManager.default.moveItem(atPath: keyPath + ".state", toPath: template + ".state")
  }

  private func prepare(_ arguments: [String], _ call: String, _ number: Int, _ fault: FaultShim.Fault) throws {
    let subject = try Subject(
      ["write", folder.store, "mode=each"] + arguments, environment: try shim.environment(call, number: number, fault))
    let (lines, end) = subject.end()
    guard end == .signal(SIGKILL) else { throw CocoaError(.featureUnsupported) }
    before.hear(lines)
  }

  /// Runs the program, two sessions with small segments and checkpoints, then looks at the store.
  func play(
    mode: String, _ call: String = "", number: Int = 0, _ fault: FaultShim.Fault? = nil, before command: [String] = []
  ) throws -> Outcome {
    folder.clear()
    // What the key remembers goes with the store: it signs no other one.
    try? FileManager.default.removeItem(atPath: keyPath + ".state")
    if start == .torn {
      try FileManager.default.copyItem(atPath: template, toPath: folder.store)
      try FileManager.default.copyItem(atPath: template + ".state", toPath: keyPath + ".state")
    }
    let subject = try Subject(
      [
        "write", folder.store, "mode=\(mode)", "batches=22", "sessions=2", "segment=3000", "from=2000",
        "signing=\(keyPath)", "limit=30",
      ], environment: try shim.environment(call, number: number, fault), before: command)
    let (lines, end) = subject.end()
    var promises = before
    promises.hear(lines)
    let (calls, hasStruck) = try shim.counters()
    return Outcome(
      end: end, promises: promises, calls: calls, hasStruck: hasStruck,
      fault: promises.fault(of: folder.store, key: key.verifier))
  }
}
