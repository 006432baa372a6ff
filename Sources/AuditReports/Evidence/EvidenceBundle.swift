// A bundle for a third party: records of a log, with proofs that the log contains them. `HowToCheck` lists the files
// and the purpose of each.

package import EventStore

/// The names of the files in a bundle.
enum EvidenceFile {
  static let howTo = "HOW-TO-CHECK.md"
  static let program = "check.py"
  static let checkpoint = "checkpoint.txt"
  static let manifest = "evidence.json"
  static let keys = "keys.txt"
  static let proofs = "proofs.json"
  static let records = "records.ndjson"
  static let timeLine = "time-line.html"
  static let consistency = "consistency.json"
  static let latest = "latest-checkpoint.txt"

  /// The files that every bundle has.
  static let fixed: Set<String> = [howTo, program, checkpoint, manifest, keys, proofs, records, timeLine]
  /// The files that a bundle has if its checkpoint is not the latest.
  static let later: Set<String> = [consistency, latest]
}

/// The selection that a bundle was made for, as the bundle states it.
package struct EvidenceSelection: Sendable, Equatable {
  /// The login whose flows were selected.
  package var user: String?
  /// Flows that began then or later.
  package var since: Timestamp?
  /// Flows that began then or before.
  package var until: Timestamp?

  /// A selection; all nil if flows were named.
  package init(user: String? = nil, since: Timestamp? = nil, until: Timestamp? = nil) {
    (self.user, self.since, self.until) = (user, since, until)
  }

  fileprivate var members: [(String, JSON?)] {
    [
      ("user", user.map(JSON.string)), ("since", since.map { .string($0.description) }),
      ("until", until.map { .string($0.description) }),
    ]
  }
}

/// Flows of one log with their proofs.
package struct EvidenceBundle {
  private let archive: ZipArchive
  /// How many records are in it.
  package let records: Int
  /// The size of the checkpoint that the proofs lead to.
  package let size: UInt64

  /// The bundle as a ZIP file. The same log, flows and checkpoints give the same bytes.
  ///
  /// - Throws: `tooLarge` if it would have over 1 GiB.
  package func encoded() throws(StoreError) -> [UInt8] { try archive.encoded() }

  /// Makes a bundle of flows.
  ///
  /// - Parameters:
  ///   - streams: the flows, at least one.
  ///   - log: the log that contains them.
  ///   - checkpoint: the checkpoint to prove them in; nil for the store's latest.
  ///   - selection: what was selected.
  /// - Throws: `noSuchPosition` if no checkpoint covers the records, `forked` if a checkpoint is not one of this log,
  ///   `keyMismatch` if no key of the store has signed it, and what reading the log throws.
  package init(
    of streams: [String], in log: LogReader, checkpoint: SignedNote? = nil, selection: EvidenceSelection = .init()
  ) throws {
    let flows = try streams.map { (stream: $0, records: try log.records(of: $0)) }
    if let empty = flows.first(where: { $0.records.isEmpty }) {
      throw StoreError(
        .notFound, "no records of \(empty.stream) are found, though it is known", file: log.directory,
        advice: "run auditctl verify")
    }
    let records = flows.flatMap(\.records).sorted { $0.position < $1.position }
    let proving = try EvidenceCheckpoints(of: log, asked: checkpoint, covering: records.last?.position ?? 0)
    let note = proving.note
    let proofs = try log.inclusionProofs(of: records.map(\.position), size: note.size)
    for (record, proof) in zip(records, proofs) where record.leafHash != proof.leafHash || proof.root != note.root {
      throw StoreError(
        proof.root != note.root ? .forked : .altered, "a record does not lead to the root of the checkpoint",
        file: log.directory, position: record.position, advice: "run auditctl verify")
    }
    var archive = ZipArchive([
      .init(name: EvidenceFile.howTo, bytes: Array(HowToCheck.text.utf8)),
      .init(name: EvidenceFile.program, bytes: Array(CheckProgram.text.utf8)),
      .init(name: EvidenceFile.checkpoint, bytes: Array(note.text.utf8)),
      .init(name: EvidenceFile.keys, bytes: Array(proving.keys.map { "\($0)\n" }.joined().utf8)),
      .init(name: EvidenceFile.proofs, bytes: Self.json(of: proofs, in: note)),
      .init(name: EvidenceFile.records, bytes: records.flatMap { $0.line + [UInt8(ascii: "\n")] }),
      .init(name: EvidenceFile.timeLine, bytes: Array(EvidencePage.html(flows, in: note).utf8)),
    ])
    if let (latest, proof) = proving.later {
      archive[EvidenceFile.latest] = Array(latest.text.utf8)
      archive[EvidenceFile.consistency] = Self.json(of: proof)
    }
    archive[EvidenceFile.manifest] = Self.manifest(
      of: archive,
      [
        ("schema", 1), ("bundle", .string(Self.form)), ("origin", .string(log.identity.origin)),
        ("store", .string(log.identity.id)), ("selection", .members(selection.members)),
        ("flows", .array(streams.map(JSON.string))), ("records", .int(records.count)),
        ("checkpoint", Self.json(of: note)), ("latest", proving.later.map { Self.json(of: $0.note) }),
      ])
    self.archive = archive
    self.records = records.count
    size = note.size
  }

  /// What `evidence.json` says that it belongs to.
  static let form = "flowrecorder-evidence-1"

  /// The members of `evidence.json`, in their order. `latest` is present if there is a later checkpoint.
  static let members = [
    "schema", "bundle", "origin", "store", "selection", "flows", "records", "checkpoint", "latest", "files",
  ]

  /// The document that lists the other files by their hashes.
  static func manifest(of archive: ZipArchive, _ about: [(String, JSON?)]) -> [UInt8] {
    let files = archive.members.filter { $0.name != EvidenceFile.manifest }.map { member -> JSON in
      let hash = TreeHash(sha256Of: member.bytes).hexadecimal()
      return ["name": .string(member.name), "size": .int(member.bytes.count), "sha256": .string(hash)]
    }
    return JSON.members(about + [("files", .array(files))]).bytes + [UInt8(ascii: "\n")]
  }

  /// How `evidence.json` names a checkpoint.
  static func json(of note: SignedNote) -> JSON {
    ["size": .number(String(note.size)), "root": .string(note.root.description)]
  }

  /// `proofs.json`: one proof per line, so that a person can find the proof of a record.
  static func json(of proofs: [InclusionProof], in note: SignedNote) -> [UInt8] {
    let lines = proofs.map { proof in
      JSON.members([
        ("position", .number(String(proof.leafIndex))), ("leafHash", .string(proof.leafHash.description)),
        ("hashes", .array(proof.hashes.map { .string($0.description) })),
      ]).text
    }
    return Array(
      "{\"schema\":1,\"treeSize\":\(note.size),\"root\":\"\(note.root)\",\"proofs\":[\n\(lines.joined(separator: ",\n"))\n]}\n"
        .utf8)
  }

  /// `consistency.json`.
  static func json(of proof: ConsistencyProof) -> [UInt8] {
    JSON.members([
      ("schema", 1), ("first", .number(String(proof.first))), ("second", .number(String(proof.second))),
      ("hashes", .array(proof.hashes.map { .string($0.description) })),
    ]).bytes + [UInt8(ascii: "\n")]
  }
}

/// The checkpoints that a bundle is based on.
private struct EvidenceCheckpoints {
  /// The one that the proofs lead to.
  let note: SignedNote
  /// The store's latest and the proof that leads to it, if that is another one.
  let later: (note: SignedNote, proof: ConsistencyProof)?
  /// The keys of the store that have signed either.
  let keys: [VerifierKey]

  init(of log: LogReader, asked: SignedNote?, covering last: UInt64) throws(StoreError) {
    let latest = try log.statistics().lastCheckpoint
    guard let note = asked ?? latest else {
      throw StoreError(
        .noSuchPosition, "the log has no checkpoint, so that nothing in it can be proved", file: log.directory,
        advice: "sign one with auditctl checkpoint")
    }
    guard note.origin.isSame(as: log.identity.origin) else {
      throw StoreError(
        .forked, "the checkpoint is one of \(note.origin), the log is \(log.identity.origin)", file: log.directory,
        advice: "give one of this log")
    }
    guard last < note.size else {
      throw StoreError(
        .noSuchPosition, "the checkpoint covers \(note.size) records, and not all that were asked for",
        file: log.directory, position: last, advice: "sign the log as it is with auditctl checkpoint")
    }
    self.note = note
    if let latest, latest.size > note.size {
      let proof = try log.consistencyProof(first: note.size, second: latest.size)
      guard proof.firstRoot == note.root, proof.secondRoot == latest.root else { throw Self.forked(log, note.size) }
      later = (latest, proof)
    } else {
      later = nil
    }
    guard try log.root(at: note.size) == note.root else { throw Self.forked(log, note.size) }
    let known = [log.identity.publicKey].compactMap { $0 } + log.identity.retiredKeys.reversed().map(\.key)
    let notes = [note] + (later.map { [$0.note] } ?? [])
    let keys = known.compactMap { try? VerifierKey(text: $0) }
    self.keys = keys.filter { key in notes.contains { $0.standing(with: key) == .valid } }
    for note in notes where !self.keys.contains(where: { note.standing(with: $0) == .valid }) {
      throw StoreError(
        .keyMismatch, "no key of the store has signed the checkpoint of \(note.size) records", file: log.directory,
        advice: "run auditctl verify")
    }
  }

  private static func forked(_ log: LogReader, _ size: UInt64) -> StoreError {
    StoreError(
      .forked, "the log does not agree with its checkpoint", file: log.directory, position: size,
      advice: "keep the store as it is, it is evidence, and run auditctl verify")
  }
}
