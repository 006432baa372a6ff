// That the records of a flow are in a checkpoint of their host.

import AuditReports
import EventStore
import Fleet

/// The proofs of inclusion of a flow's records in the newest checkpoint of its host.
struct FlowProof {
  private let host: Roster.Host
  private let note: SignedNote?
  private let proofs: [InclusionProof]
  private let count: Int
  /// Whose signatures were checked, and hold.
  private let signers: [String]

  /// Proves what can be proved.
  ///
  /// - Throws: exit 65 if the copy is damaged.
  init(of records: [StoredRecord], host: Roster.Host, in folder: FleetFolder) throws {
    self.host = host
    let log = try LogReader(directory: folder.host(host.store))
    let note = try log.statistics().lastCheckpoint
    if let note, try !log.isTrusted(note, from: host.key) {
      throw CommandFailure(
        .malformed,
        "no key of \(host.name.printable) has signed the newest checkpoint of its copy; run auditctl fleet verify")
    }
    self.note = note
    let witness = (try? folder.disk.contents(of: folder.witness + "/witness.pub", limit: 1 << 12))
      .flatMap { try? VerifierKey(text: String(decoding: $0, as: UTF8.self), as: .cosignature) }
    if let note, let witness, note.standing(with: witness) == .invalid {
      throw CommandFailure(
        .malformed,
        "the cosignature of the newest checkpoint of \(host.name.printable) does not hold; run auditctl collect again")
    }
    let keys = try log.trustedKeys(from: host.key) + (witness.map { [$0] } ?? [])
    signers = keys.filter { note?.standing(with: $0) == .valid }.map(\.name)
    let size = note?.size ?? 0
    count = records.count
    proofs = try records.filter { $0.position < size }.map { try log.inclusionProof(of: $0.position, size: size) }
    let covered = zip(records.filter { $0.position < size }, proofs)
    if let note, covered.contains(where: { $1.root != note.root || $0.leafHash != $1.leafHash }) {
      throw CommandFailure(
        .malformed, "the copy of \(host.name.printable) is not what its checkpoint states; run auditctl fleet verify")
    }
  }

  /// True if the checkpoint covers all of the records.
  var isWhole: Bool { count == proofs.count }

  /// The document.
  var json: JSON {
    .members([
      ("host", .string(host.name)), ("hostStore", .string(host.store)),
      ("publicKey", .string(host.key.description)), ("checkpoint", note.map { .string($0.text) } ?? .null),
      ("signers", .array(signers.map(JSON.string))),
      (
        "proofs",
        .array(
          proofs.map { proof in
            .members([
              ("leafIndex", .number(String(proof.leafIndex))), ("treeSize", .number(String(proof.treeSize))),
              ("leafHash", .string(proof.leafHash.description)), ("root", .string(proof.root.description)),
              ("hashes", .array(proof.hashes.map { .string($0.description) })),
            ])
          })
      ), ("complete", .bool(isWhole)),
    ])
  }

  /// The same for people.
  var lines: [String] {
    guard let note else { return ["", "\(host.name.printable) has signed no checkpoint."] }
    let names = signers.map(\.printable).joined(separator: ", ")
    return [
      "",
      "\(proofs.count) of \(count) records are in the checkpoint over \(note.size) records of \(host.name.printable),",
      "signed by \(names).",
    ]
  }
}
