import Foundation
import Testing

@testable import AuditReports
@testable import EventStore

/// Which keys a signed statement counts of.
@Suite struct StatementCheckTests {
  /// A log that one key handed over to another, and that has records behind that.
  private final class Handed {
    let folder = NSTemporaryDirectory() + "/statement-" + UUID().uuidString
    let old: SigningKey
    let new: SigningKey
    var path: String { folder + "/audit" }

    init() throws {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let log = try EventLog.open(at: folder + "/audit")
      old = try SigningKey(name: log.identity.origin)
      new = try SigningKey(name: log.identity.origin)
      let at = try #require(Timestamp("2026-11-21T12:00:00Z"))
      func append() throws {
        _ = try log.append([NewRecord(at: at, stream: "a/1", type: "note", data: Array("{}".utf8))])
      }
      try append()
      _ = try log.checkpoint(with: old)
      _ = try log.handOver(from: old, to: new, at: at)
      try append()
      _ = try log.checkpoint(with: new)
      try log.close()
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func edit(_ change: (inout StoreIdentity) -> Void) throws {
      var identity = try StoreIdentity(of: StoreLayout(path), on: SystemDisk())
      change(&identity)
      try identity.save(to: StoreLayout(path), on: SystemDisk())
    }

    /// The verdict on a true statement about all of the log.
    func verdict(signedBy key: SigningKey, pinned: VerifierKey?) throws -> VerifyReport.Verdict {
      let log = try LogReader(directory: path)
      let lines = try PeriodStatement(of: log, since: nil, until: nil).lines
      let text = try SignedText(body: lines.map { $0 + "\n" }.joined(), signedBy: [key])
      return try StatementCheck(text, of: log, pinned: pinned).verdict
    }
  }

  @Test("a key that handed the log over signs no later statement, whatever store.json says of it")
  func retired() throws {
    let handed = try Handed()
    let (old, new) = (handed.old, handed.new)
    #expect(try handed.verdict(signedBy: new, pinned: new.verifier) == .ok)
    #expect(try handed.verdict(signedBy: old, pinned: old.verifier) == .badSignature)
    try handed.edit { $0.retiredKeys[0].until = 1_000 }
    #expect(try handed.verdict(signedBy: old, pinned: old.verifier) == .badSignature)
    try handed.edit { $0.retiredKeys = [] }
    #expect(try handed.verdict(signedBy: old, pinned: old.verifier) == .badSignature)
    try handed.edit { $0.publicKey = old.verifier.description }
    for pinned in [old.verifier, nil] {
      #expect(try handed.verdict(signedBy: old, pinned: pinned) == .badSignature)
    }
  }

  @Test("a key of another name is that of another log")
  func name() throws {
    let handed = try Handed()
    let other = try SigningKey(name: "bank-a")
    #expect(try handed.verdict(signedBy: other, pinned: other.verifier) == .badSignature)
  }
}
