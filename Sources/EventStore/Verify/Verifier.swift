// `auditctl verify`: trusts the bytes of the store and what the caller pins, and nothing that the writer keeps in
// memory. Shares with the writer the constants and the decoder of the format.
import Foundation

/// Checks a store: each block checksum, CRC, envelope, position, revision, hash, link, directory and signature.
///
/// May run beside a writer; then half a commit at the end is not a finding, and findings are checked again: a check
/// reads a store piece by piece, and a writer may write between two pieces. Cost: reads and decodes the whole log once;
/// memory for the next revision of each stream, and of the streams of two segments a thread.
public struct Verifier: Sendable {
  private let directory: String
  private let pinnedKey: VerifierKey?
  private let pinnedCheckpoint: SignedNote?
  private let remembered: SignedNote?
  private let disk: any Disk

  /// A check of the store at `directory`, against a public key and a checkpoint that the caller has from elsewhere.
  /// Without a key nothing can be anchored. `remembered` is one that this caller has verified before (`VerifiedState`):
  /// the log must contain it, no matter which key signed it.
  public init(
    directory: String, pinnedKey: VerifierKey? = nil, pinnedCheckpoint: SignedNote? = nil,
    remembered: SignedNote? = nil
  ) {
    self.init(
      directory: directory, pinnedKey: pinnedKey, pinnedCheckpoint: pinnedCheckpoint, remembered: remembered,
      disk: SystemDisk())
  }

  package init(
    directory: String, pinnedKey: VerifierKey? = nil, pinnedCheckpoint: SignedNote? = nil,
    remembered: SignedNote? = nil, disk: any Disk
  ) {
    self.remembered = remembered
    self.directory = directory
    self.pinnedKey = pinnedKey
    self.pinnedCheckpoint = pinnedCheckpoint
    self.disk = disk
  }

  /// Runs the check. A fault of the log is a result, not an error.
  ///
  /// - Parameters:
  ///   - threads: how many threads check at a time, a segment each; nil is one per processor, 8 at most. The report is
  ///     the same with any number.
  ///   - progress: receives how many bytes of how many were checked, about once a MiB with one thread, else once a
  ///     segment. Starts over if the store is checked again.
  /// - Throws: `notFound`, `notAStore` or `malformed` (its `store.json`) if there is no store to check; `permission` or
  ///   `io` if it cannot be read.
  public func run(
    threads: Int? = nil, progress: WorkProgress? = nil
  ) throws(StoreError) -> VerifyReport {
    var left = Self.looks
    while true {
      let moment = StoreMoment(of: StoreLayout(directory), on: disk)
      left -= 1
      do throws(StoreError) {
        let report = try look(threads: threads, progress: progress)
        guard left > 0, report.isFault, moment.mayHaveChanged else { return report }
      } catch {
        // A file that was listed may have been replaced since.
        guard left > 0, error.code == .notFound, moment.mayHaveChanged else { throw error }
      }
    }
  }

  /// How often a store that is being written is checked before its findings count.
  private static let looks = 3

  private func look(threads: Int?, progress: WorkProgress?) throws(StoreError) -> VerifyReport {
    let layout = StoreLayout(directory)
    let identity = try StoreIdentity(of: layout, on: disk)
    var findings: [VerifyReport.Finding] = []
    let published = try publishedNotes(layout, findings: &findings)
    let notes = NoteCheck(
      identity: identity, pinned: pinnedKey, published: published.map(\.note),
      kept: [pinnedCheckpoint, remembered].compactMap { $0 })
    let said = IdentityCheck(
      identity: identity, notes: notes, pinnedKey: pinnedKey, published: published.map(\.note),
      segments: (try? layout.segmentList(on: disk)) ?? [])
    findings = said.keyFindings() + findings
    findings += try IdentityCheck.strangers(in: layout, on: disk)
    findings += try StrayCheck(layout: layout, disk: disk).findings()
    let sizes =
      published.map(\.note.size) + [pinnedCheckpoint, remembered].compactMap { $0?.size }
      + IdentityCheck.sizes(of: identity)
    var check = LogCheck(layout: layout, disk: disk, identity: identity, notes: notes, wanted: Set(sizes))
    check.progress = progress
    try check.run(threads: threads ?? min(ProcessInfo.processInfo.activeProcessorCount, 8))
    findings += check.findings

    var anchors: [SignedNote] = []
    for (file, note) in published {
      let faults = faults(of: note, in: file, notes: notes, check: check)
      findings += faults
      if faults.isEmpty, check.roots[note.size] != nil {
        let isTrusted = notes.isTrusted(note)
        check.take(signed: (note.size, isTrusted ? note.size : nil))
        if isTrusted, pinnedKey != nil { anchors.append(note) }
      }
    }
    if let note = pinnedCheckpoint {
      let faults = pinnedFaults(of: note, identity: identity, notes: notes, check: check)
      findings += faults
      if faults.isEmpty, pinnedKey != nil, check.roots[note.size] != nil {
        check.take(signed: (note.size, note.size))
        anchors.append(note)
      }
    }
    if let note = remembered {
      let faults = pinnedFaults(of: note, as: "remembered", identity: identity, notes: notes, check: check)
      findings += faults
      if faults.isEmpty, pinnedKey != nil, notes.isTrusted(note), check.roots[note.size] != nil {
        check.take(signed: (note.size, note.size))
        anchors.append(note)
      }
    }
    // A checkpoint inside the log that anchors it is remembered as well, even if its file is gone.
    if pinnedKey != nil, let note = check.newest { anchors.append(note) }
    let anchored = pinnedKey == nil ? nil : check.signed.trusted
    findings += check.pruned(coveredTo: (pinnedKey == nil ? check.signed.any : check.signed.trusted) ?? 0)
    findings += said.pastFindings(check)
    // A backup that was taken before the first checkpoint has one in its last segment at most, and names no key.
    findings += latestFindings(published, signed: identity.publicKey == nil ? nil : check.signed.any)
    if pinnedKey != nil, anchored == nil, findings.allSatisfy({ $0.kind == .pruned || $0.kind == .ok }) {
      findings.append(
        .init(
          kind: .unanchored, segment: nil, offset: nil, position: nil,
          message: "There is no checkpoint that the pinned key has signed."))
    }
    let size = check.intact.size
    return VerifyReport(
      verdict: Self.verdict(of: findings, isAnchored: anchored != nil), records: size,
      root: check.intact.root.description, findings: findings, anchoredSize: anchored,
      recordsAfterAnchor: anchored.map { size >= $0 ? size - $0 : 0 }, restoredFrom: identity.restoredFrom,
      anchors: anchors)
  }

  /// The gravest of what was found (CLI.md).
  private static func verdict(of findings: [VerifyReport.Finding], isAnchored: Bool) -> VerifyReport.Verdict {
    let order: [VerifyReport.Verdict] = [.badSignature, .forked, .truncated, .missingSegment, .altered, .torn]
    let kinds = Set(findings.map(\.kind))
    return order.first { kinds.contains($0) } ?? (isAnchored ? kinds.contains(.pruned) ? .pruned : .ok : .unanchored)
  }

  /// Reports if `checkpoints/latest` is not the newest checkpoint: an interrupted writer leaves it so, too.
  private func latestFindings(
    _ published: [(file: String, note: SignedNote)], signed: UInt64?
  ) -> [VerifyReport.Finding] {
    let latest = published.first { $0.file == "checkpoints/latest" }?.note.size
    // One in a segment may be newer in a backup that was taken while the log was written.
    let others = published.map(\.note.size) + (latest == nil ? [signed].compactMap { $0 } : [])
    guard let newest = others.max(), latest ?? 0 < newest else { return [] }
    let message =
      latest.map { "It is of \($0) records; there is a checkpoint of \(newest)." }
      ?? "It is not there; there is a checkpoint of \(newest) records."
    return [.init(kind: .ok, segment: "checkpoints/latest", offset: nil, position: newest, message: message)]
  }

  /// The checkpoints that the store publishes, with their paths relative to the store.
  private func publishedNotes(
    _ layout: StoreLayout, findings: inout [VerifyReport.Finding]
  ) throws(StoreError) -> [(file: String, note: SignedNote)] {
    var found: [(file: String, note: SignedNote)] = []
    let names: [String]
    do throws(StoreError) {
      names = try disk.names(in: layout.checkpoints).sorted()
    } catch {
      if error.code == .notFound { return [] }
      throw error
    }
    for name in names where StoreFolder.checkpoints.has(name) {
      let file = "checkpoints/" + name
      do throws(StoreError) {
        guard let note = try layout.note(at: layout.checkpoints + "/" + name, on: disk) else { continue }
        found.append((file, note))
        if let size = UInt64(name), size != note.size {
          findings.append(
            .init(
              kind: .altered, segment: file, offset: nil, position: note.size,
              message: "The checkpoint is of \(note.size) records, its name says \(size)."))
        }
      } catch {
        guard error.code == .malformed || error.code == .tooLarge else { throw error }
        findings.append(
          .init(
            kind: .badSignature, segment: file, offset: nil, position: nil,
            message: "The checkpoint cannot be read: \(error.message)."))
      }
    }
    return found
  }

  private func faults(
    of note: SignedNote, in file: String, notes: NoteCheck, check: LogCheck
  ) -> [VerifyReport.Finding] {
    var found: [VerifyReport.Finding] = []
    func find(_ kind: VerifyReport.Verdict, _ message: String) {
      found.append(.init(kind: kind, segment: file, offset: nil, position: note.size, message: message))
    }
    if let fault = notes.fault(of: note) { find(.badSignature, fault) }
    if let (kind, message) = disagreement(of: note, with: check) { find(kind, message) }
    return found
  }

  private func pinnedFaults(
    of note: SignedNote, as what: String = "pinned", identity: StoreIdentity, notes: NoteCheck, check: LogCheck
  ) -> [VerifyReport.Finding] {
    var found: [VerifyReport.Finding] = []
    func find(_ kind: VerifyReport.Verdict, _ message: String) {
      found.append(.init(kind: kind, segment: nil, offset: nil, position: note.size, message: message))
    }
    guard identity.isOf(note.origin) else {
      find(.forked, "The \(what) checkpoint is of \(note.origin), the store of \(identity.origin).")
      return found
    }
    if let before = identity.restoredFrom.first(where: { $0.origin.isSame(as: note.origin) }),
      note.size > before.size, !note.origin.isSame(as: identity.origin), notes.isOfEarlier(note, of: before)
    {
      find(
        .truncated, "The \(what) checkpoint covers \(note.size) records, the store was restored with \(before.size).")
    }
    // A checkpoint that was verified before needs no signature that is trusted now: a key may have been handed over
    // since.
    if what == "pinned" {
      if pinnedKey != nil {
        if !notes.isTrusted(note) { find(.badSignature, "The pinned checkpoint is not signed by the pinned key.") }
      } else if found.isEmpty, identity.hasKey(for: note.origin), let fault = notes.fault(of: note) {
        find(.badSignature, "Pinned: \(fault)")
      }
    }
    if !found.contains(where: { $0.kind == .truncated }), let (kind, message) = disagreement(of: note, with: check) {
      find(kind, what.prefix(1).uppercased() + what.dropFirst() + ": " + message)
    }
    return found
  }

  /// The finding if the log does not match a checkpoint.
  private func disagreement(of note: SignedNote, with check: LogCheck) -> (VerifyReport.Verdict, String)? {
    if note.size > check.reach {
      return (.truncated, "The checkpoint covers \(note.size) records, the log has \(check.reach).")
    }
    guard let root = check.roots[note.size] else { return nil }  // after damage that was reported
    return root == note.root
      ? nil : (.forked, "The checkpoint of \(note.size) records has root \(note.root), the log \(root).")
  }
}
