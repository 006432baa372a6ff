// Checks a signed statement against the log it is about.

package import EventStore
import FlowRecording

/// The check of a signed statement against a log.
package struct StatementCheck: Sendable, Equatable {
  /// `ok`, `unanchored`, `altered` (it says what the log does not), `truncated`, `forked`, `badSignature`, or `pruned`
  /// (only size and roots can be compared).
  package let verdict: VerifyReport.Verdict
  /// Why, in one sentence without a full stop.
  package let reason: String
  /// The first line that differs, in the statement and in the log.
  package let difference: Difference?

  /// A line that differs.
  package struct Difference: Sendable, Equatable {
    package let said: String?
    package let found: String?
  }

  /// Checks a statement.
  ///
  /// - Parameters:
  ///   - text: the signed note.
  ///   - log: the log it is about.
  ///   - key: the public key that the caller trusts; nil for the one that the store names.
  /// - Throws: `malformed` if it is not a statement, and what reading the log throws.
  package init(_ text: SignedText, of log: LogReader, pinned key: VerifierKey?) throws {
    let claims = try Claims(text)
    func end(
      _ verdict: VerifyReport.Verdict, _ reason: String, _ difference: Difference? = nil
    ) -> (VerifyReport.Verdict, String, Difference?) { (verdict, reason, difference) }
    func found() throws -> (VerifyReport.Verdict, String, Difference?) {
      guard
        let trusted = try key ?? log.identity.publicKey.map({ text throws(StoreError) in try VerifierKey(text: text) })
      else { return end(.badSignature, "the log has no key, so it cannot have signed this") }
      guard text.standing(with: trusted) == .valid else {
        guard text.standing(with: trusted) == .absent else {
          return end(
            .badSignature, "its signature does not hold: it was not made by the key that it names, or was changed")
        }
        return end(.badSignature, "it was not signed by \(key == nil ? "the log's key" : "the pinned key")")
      }
      guard claims.origin.isSame(as: log.identity.origin) else {
        return end(.forked, "it is about the log \(claims.origin), and this is \(log.identity.origin)")
      }
      guard trusted.name.isSame(as: claims.origin) else {
        return end(.badSignature, "it was signed by the key of the log \(trusted.name)")
      }
      // The handover is signed, store.json is not.
      let listed = log.identity.retiredKeys.first { $0.key.isSame(as: trusted.description) }?.until
      if let until = try log.handover(of: trusted) ?? listed, claims.with.size > until {
        return end(.badSignature, "it was signed by a key that was retired at \(until) records")
      }
      guard claims.store.isSame(as: log.identity.id) else {
        return end(.forked, "it is about the store \(claims.store)")
      }
      let records = try log.statistics().records
      for (size, root) in [claims.before, claims.with] {
        guard size <= records else {
          return end(.truncated, "the log has \(records) records, the statement knows of \(size)")
        }
        let now = try log.root(at: size)
        guard now.description == root else {
          return end(
            .forked, "the log's root at \(size) records is another",
            Difference(said: root, found: now.description))
        }
      }
      let kept = try log.firstKept()
      guard claims.pruned <= kept else {
        return end(.altered, "it says that \(claims.pruned) records were pruned, and \(kept) are")
      }
      guard kept == claims.pruned else {
        return end(.pruned, "size and roots hold; records were pruned since, so the counts cannot be made again")
      }
      func made(seesLater: Bool) throws -> [String] {
        try PeriodStatement(
          of: log, since: claims.since, until: claims.until, bound: claims.with.size, seesLater: seesLater
        ).lines
      }
      let lines = try made(seesLater: true)
      // It may have been made before the recorder was restarted.
      if lines != claims.lines, try made(seesLater: false) != claims.lines {
        let index = zip(lines, claims.lines).prefix { $0 == $1 }.count
        return end(
          .altered, "it says what the log does not",
          Difference(
            said: claims.lines.dropFirst(index).first, found: lines.dropFirst(index).first))
      }
      return key == nil
        ? end(
          .unanchored, "it says what the log says, and the key that the store names has signed it; pin the public key")
        : end(.ok, "it says what the log says, and the pinned key has signed it")
    }
    (verdict, reason, difference) = try found()
  }

  /// The document of `auditctl statement verify --json`.
  package var json: JSON {
    .members([
      ("verdict", .string(verdict.rawValue)), ("reason", .string(reason)),
      (
        "difference",
        difference.map { ["said": $0.said.map(JSON.string) ?? .null, "found": $0.found.map(JSON.string) ?? .null] }
      ),
    ])
  }

  /// The claims of a statement.
  private struct Claims {
    let lines: [String]
    let origin: String
    let store: String
    let since: Timestamp?
    let until: Timestamp?
    let before: (size: UInt64, root: String)
    let with: (size: UInt64, root: String)
    let pruned: UInt64

    init(_ text: SignedText) throws(StoreError) {
      lines = text.body.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      guard lines.count >= 8, lines[0] == PeriodStatement.title else {
        throw StoreError(.malformed, "this is no statement about a log", advice: "give what auditctl statement wrote")
      }
      let lines = lines
      func words(_ index: Int, _ name: String, _ count: Int) throws(StoreError) -> [Substring] {
        let words = lines[index].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == count + 1, words[0] == name else { throw Self.malformed(index) }
        return Array(words.dropFirst())
      }
      func time(_ index: Int, _ name: String) throws(StoreError) -> Timestamp? {
        let word = try words(index, name, 1)[0]
        if word == "-" { return nil }
        guard let time = Timestamp(String(word)) else { throw Self.malformed(index) }
        return time
      }
      func tree(_ index: Int, _ name: String) throws(StoreError) -> (size: UInt64, root: String) {
        let parts = try words(index, name, 2)
        guard let size = UInt64(parts[0]) else { throw Self.malformed(index) }
        return (size, String(parts[1]))
      }
      origin = String(try words(1, "log", 1)[0])
      store = String(try words(2, "store", 1)[0])
      since = try time(3, "since")
      until = try time(4, "until")
      before = try tree(5, "before")
      with = try tree(6, "with")
      guard let size = UInt64(try words(7, "pruned", 1)[0]) else { throw Self.malformed(7) }
      pruned = size
      guard before.size <= with.size else { throw Self.malformed(6) }
    }

    private static func malformed(_ index: Int) -> StoreError {
      StoreError(
        .malformed, "line \(index + 1) of the statement is not what stands there",
        advice: "give what auditctl statement wrote")
    }
  }
}
