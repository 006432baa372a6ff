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

  /// Proves what can be proved.
  ///
  /// - Throws: exit 65 if the copy is damaged.
  init(of records: [StoredRecord], host: Roster.Host, directory: String) throws {
    self.host = host
    let log = try LogReader(directory: directory)
    note = try log.statistics().lastCheckpoint
    let size = note?.size ?? 0
    count = records.count
    proofs = try records.filter { $0.position < size }.map { try log.inclusionProof(of: $0.position, size: size) }
    if let proof = proofs.first, let note, proof.root != note.root {
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
    let signers = note.signatures.map(\.name.printable).joined(separator: ", ")
    return [
      "",
      "\(proofs.count) of \(count) records are in the checkpoint over \(note.size) records of \(host.name.printable),",
      "signed by \(signers).",
    ]
  }
}
