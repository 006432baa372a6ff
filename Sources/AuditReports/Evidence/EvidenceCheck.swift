// The verdict on a bundle, matching the one of its `check.py`. Both run the same steps in the same order.

package import EventStore
import FlowRecording

/// The result of checking a bundle.
package struct EvidenceCheck: Sendable, Equatable {
  /// The verdict: `ok`, `unanchored`, `altered`, `forked` or `badSignature`.
  package let verdict: VerifyReport.Verdict
  /// Why, in one sentence without a full stop.
  package let reason: String
  /// How many records are proved; 0 unless the verdict is `ok` or `unanchored`.
  package let records: Int
  /// The flows that these records belong to.
  package let flows: [String]
  /// The flows whose end is not among the records: the bundle does not show what happened later.
  package let open: [String]
  /// The log's name, if it could be read.
  package let origin: String
  /// The size of the checkpoint that the proofs lead to.
  package let size: UInt64

  /// Checks a bundle.
  ///
  /// - Parameters:
  ///   - file: the bytes of the ZIP file.
  ///   - key: the public key that the caller trusts; nil for none.
  /// - Throws: `malformed` if it is not a bundle, `tooLarge` if it has over 1 GiB.
  package init(_ file: [UInt8], pinned key: VerifierKey?) throws(StoreError) {
    let contents = try EvidenceContents(file)
    (origin, size) = (contents.note.origin, contents.note.size)
    do throws(Finding) {
      (flows, open) = try contents.proved()
    } catch {
      (verdict, reason, records, flows, open) = (error.verdict, error.reason, 0, [], [])
      return
    }
    records = contents.lines.count
    let said =
      "\(Quantity.count(records, "record")) of \(Quantity.count(flows.count, "flow")) are in the log of "
      + "\(size) records of \(origin)"
    guard let key else {
      (verdict, reason) = (.unanchored, "\(said), as the keys in the bundle say; give the public key that you trust")
      return
    }
    (verdict, reason) = contents.judged(by: key, said)
  }

  /// One document of `auditctl evidence verify --json`.
  package var json: JSON {
    [
      "verdict": .string(verdict.rawValue), "reason": .string(reason), "records": .int(records),
      "flows": .array(flows.map(JSON.string)), "open": .array(open.map(JSON.string)),
      "checkpoint": ["origin": .string(origin), "size": .number(String(size))],
    ]
  }

  /// A failed check.
  struct Finding: Error {
    let verdict: VerifyReport.Verdict
    let reason: String

    init(_ verdict: VerifyReport.Verdict, _ reason: String) { (self.verdict, self.reason) = (verdict, reason) }
  }
}

/// The contents of a bundle.
private struct EvidenceContents {
  let archive: ZipArchive
  let manifest: JSON
  let note: SignedNote
  let latest: SignedNote?
  let consistency: [TreeHash]
  let keys: [VerifierKey]
  let lines: [ArraySlice<UInt8>]
  let proofs: [(position: UInt64, hashes: [TreeHash])]

  var notes: [SignedNote] { [note] + (latest.map { [$0] } ?? []) }

  init(_ file: [UInt8]) throws(StoreError) {
    let archive = try ZipArchive(file)
    let names = Set(archive.members.map(\.name))
    guard names == EvidenceFile.fixed || names == EvidenceFile.fixed.union(EvidenceFile.later) else {
      throw Self.malformed("has not the files that one has")
    }
    func text(_ name: String) throws(StoreError) -> String {
      guard let text = String(validating: archive[name] ?? [], as: UTF8.self) else {
        throw Self.malformed("has a \(name) that is not UTF-8")
      }
      return text
    }
    let records = archive[EvidenceFile.records] ?? []
    let count = records.count(where: { $0 == 0x0A })
    // A record has over 60 bytes; many short lines would take many times their size.
    guard count <= 1_000 + records.count / 32 else {
      throw Self.malformed("has shorter lines in records.ndjson than records are")
    }
    func json(_ name: String, values: Int) throws(StoreError) -> JSON {
      guard JSONCount.values(in: archive[name] ?? [], upTo: values) <= values else {
        throw Self.malformed("has a \(name) of more values than one has")
      }
      do {
        return try JSON(parsing: archive[name] ?? [])
      } catch {
        throw Self.malformed("has a \(name) that is no JSON")
      }
    }
    self.archive = archive
    // Each flow has a record.
    manifest = try json(EvidenceFile.manifest, values: Self.fixedValues + count)
    note = try SignedNote(text: try text(EvidenceFile.checkpoint))
    latest = names.contains(EvidenceFile.latest) ? try SignedNote(text: try text(EvidenceFile.latest)) : nil
    consistency = latest == nil ? [] : try Self.hashes(json(EvidenceFile.consistency, values: Self.fixedValues))
    var keys: [VerifierKey] = []
    var seen: Set<VerifierKey> = []
    // Compared by bytes: Swift treats CRLF as one character.
    let named = try text(EvidenceFile.keys).utf8
    guard named.last ?? 0x0A == 0x0A else { throw Self.malformed("has a keys.txt that does not end with a line end") }
    guard named.count(where: { $0 == 0x0A }) <= Self.mostKeys else {
      throw Self.malformed("has more keys in keys.txt than sign two checkpoints")
    }
    for bytes in named.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
      let line = String(decoding: bytes, as: UTF8.self)
      let key = try VerifierKey(text: line)
      guard key.description.isSame(as: line) else { throw Self.malformed("has more in a line of keys.txt than a key") }
      // A signature is checked for each.
      if seen.insert(key).inserted { keys.append(key) }
    }
    self.keys = keys
    var lines = records.split(separator: 0x0A, omittingEmptySubsequences: false)
    // Without a final line end the file was truncated: nothing in it counts.
    if lines.popLast()?.isEmpty != true { lines = [] }
    self.lines = lines
    let size = archive[EvidenceFile.proofs]?.count ?? 0
    guard size <= Self.longestProof * (count + 1) else {
      throw Self.malformed("has a proofs.json that is longer than proofs of its records are")
    }
    // A hash takes 46 bytes; the rest of a proof has five values at most.
    let values = Self.fixedValues + 5 * count + size / 46
    guard let listed = try json(EvidenceFile.proofs, values: values)["proofs"]?.array else {
      throw Self.malformed("has no proofs")
    }
    var proofs: [(position: UInt64, hashes: [TreeHash])] = []
    for proof in listed {
      guard case .number(let text)? = proof["position"], let position = UInt64(text) else {
        throw Self.malformed("has a proof without a position")
      }
      proofs.append((position, try Self.hashes(proof)))
    }
    self.proofs = proofs
  }

  /// More values than a file of a bundle has besides those that belong to its records: a file of many small values
  /// takes many times its size in memory. A consistency proof has at most 124 hashes.
  private static let fixedValues = 1_000
  /// The keys that have signed one of two checkpoints are four at most, unless several keys signed them.
  private static let mostKeys = 16
  /// The most bytes of a proof: a tree of 2^62 records has 62 hashes on a path, and each takes 47 bytes.
  private static let longestProof = 4_096

  private static func hashes(_ proof: JSON) throws(StoreError) -> [TreeHash] {
    guard let list = proof["hashes"]?.array else { throw malformed("has a proof without hashes") }
    var hashes: [TreeHash] = []
    for text in list {
      guard let hash = text.string.flatMap({ TreeHash(base64: $0) }) else { throw malformed("has a hash that is none") }
      hashes.append(hash)
    }
    return hashes
  }

  private static func malformed(_ what: String) -> StoreError {
    StoreError(.malformed, "the bundle \(what)", advice: "take it again from who made it")
  }

  // MARK: Checks

  /// The flows of the records, and those without an end, after all checks except that of the pinned key.
  func proved() throws(EvidenceCheck.Finding) -> (flows: [String], open: [String]) {
    // Other readers would interpret duplicate names or names with escapes differently.
    let names = manifest.object?.members.map(\.key) ?? []
    guard names == EvidenceBundle.members.filter({ $0 != "latest" || latest != nil }),
      archive[EvidenceFile.manifest] == manifest.bytes + [0x0A]
    else { throw .init(.altered, "evidence.json has other members than a bundle's, or is written otherwise") }
    let (listed, found) = (manifest["files"]?.array ?? [], listing["files"]?.array ?? [])
    guard listed.count == found.count, Set(listed) == Set(found) else {
      throw .init(.altered, "a file is not the one that evidence.json lists")
    }
    for one in notes {
      guard manifest["origin"] == .string(one.origin) else {
        throw .init(.altered, "a checkpoint is one of another log")
      }
      guard keys.allSatisfy({ $0.name.isSame(as: one.origin) }) else {
        throw .init(.badSignature, "keys.txt has the key of another log")
      }
      guard keys.contains(where: { one.standing(with: $0) == .valid }) else {
        throw .init(.badSignature, "a checkpoint's signature does not hold")
      }
    }
    if let latest {
      let proof = ConsistencyProof(
        first: note.size, second: latest.size, firstRoot: note.root, secondRoot: latest.root, hashes: consistency)
      guard note.size > 0, note.size < latest.size, proof.isValid else {
        throw .init(.forked, "the later checkpoint is not one of the same log")
      }
      guard archive[EvidenceFile.consistency] == EvidenceBundle.json(of: proof) else {
        throw .init(.altered, "consistency.json has more than the proof, or is written otherwise")
      }
    }
    guard lines.count == proofs.count, !lines.isEmpty else {
      throw .init(.altered, "\(lines.count) records have \(proofs.count) proofs")
    }
    let flows = try provedFlows()
    let stated: [(name: String, value: JSON?)] = [
      ("schema", 1), ("bundle", .string(EvidenceBundle.form)), ("records", .int(lines.count)),
      ("checkpoint", EvidenceBundle.json(of: note)), ("latest", latest.map { EvidenceBundle.json(of: $0) }),
    ]
    guard stated.allSatisfy({ manifest[$0.name] == $0.value }), manifest["store"]?.string != nil, hasSelection else {
      throw .init(.altered, "evidence.json says of the bundle what is not so")
    }
    for (name, text) in [(EvidenceFile.howTo, HowToCheck.text), (EvidenceFile.program, CheckProgram.text)]
    where archive[name] != Array(text.utf8) {
      throw .init(.altered, "\(name) is not the one that this version puts into a bundle")
    }
    return (flows, try endless(of: flows))
  }

  /// Whether `evidence.json` states a selection in the expected form. No step proves the statement itself.
  private var hasSelection: Bool {
    guard let members = manifest["selection"]?.object?.members else { return false }
    let names = members.map(\.key)
    return names == ["user", "since", "until"].filter(names.contains) && members.allSatisfy { $0.value.string != nil }
  }

  /// The verdict by the pinned key on a bundle in which everything else is valid. A key signs only for the log that has
  /// its name: the key of another log proves nothing. The later checkpoint counts if it is signed by the pinned key, or
  /// by the one that the first checkpoint hands the log over to. It then vouches for the first checkpoint too, whoever
  /// signed it, because the first is the beginning of the same log. A checkpoint that does not count may be forged:
  /// whoever made the bundle wrote `keys.txt`.
  func judged(by key: VerifierKey, _ said: String) -> (VerifyReport.Verdict, String) {
    guard key.name.isSame(as: note.origin) else {
      return (.badSignature, "the pinned key is that of \(key.name), and the bundle is of \(note.origin)")
    }
    let hasFirst = note.standing(with: key) == .valid
    var heir: VerifierKey?
    // Whether `keys.txt` lists it or not: whoever made the bundle could leave it out.
    if hasFirst, let next = note.nextKey, next != key, note.standing(with: next) == .valid {
      heir = next
    }
    let hasLater = latest.map { $0.standing(with: heir ?? key) == .valid } ?? false
    guard hasFirst || hasLater else {
      return (.badSignature, "no checkpoint of the bundle was signed by the pinned key")
    }
    guard let latest else { return (.ok, "\(said), which the pinned key has signed") }
    guard hasFirst else {
      return (.ok, "\(said), the beginning of that of \(latest.size) records, which the pinned key has signed")
    }
    guard hasLater else {
      return (
        .unanchored,
        "\(said), which the pinned key has signed; no key that it leads to has signed the later checkpoint of "
          + "\(latest.size) records: do not count on that one"
      )
    }
    let signer = heir == nil ? "it has signed too" : "the key that it hands over to has signed"
    return (.ok, "\(said), which the pinned key has signed, and in that of \(latest.size) records, which \(signer)")
  }

  /// The flows whose end is not in the bundle, after checking that the page matches the records.
  private func endless(of flows: [String]) throws(EvidenceCheck.Finding) -> [String] {
    var records: [ByteName: [StoredRecord]] = [:]
    for line in lines {
      guard let record = try? StoredRecord(line: Array(line)) else { continue }
      records[ByteName(record.stream), default: []].append(record)
    }
    let parts = flows.map { (stream: $0, records: records[ByteName($0)] ?? []) }
    guard archive[EvidenceFile.timeLine] == Array(EvidencePage.html(parts, in: note).utf8) else {
      throw .init(.altered, "\(EvidenceFile.timeLine) is not the page that this version makes of the records")
    }
    return parts.filter { part in
      part.records.first?.type == FlowStarted.type && !part.records.contains { $0.type == FlowEnded.type }
    }.map(\.stream)
  }

  /// What the manifest must list.
  private var listing: JSON {
    (try? JSON(parsing: EvidenceBundle.manifest(of: archive, []))) ?? .null
  }

  private func provedFlows() throws(EvidenceCheck.Finding) -> [String] {
    var before: UInt64?
    var revisions: [ByteName: Int] = [:]
    var proved: [InclusionProof] = []
    for (line, proof) in zip(lines, proofs) {
      guard proof.position < note.size, before.map({ $0 < proof.position }) ?? true else {
        throw .init(.altered, "position \(proof.position) is out of order")
      }
      before = proof.position
      let record = try? StoredRecord(line: Array(line))
      let path = record.map { record in
        InclusionProof(
          leafIndex: proof.position, treeSize: note.size, leafHash: record.leafHash, root: note.root,
          hashes: proof.hashes)
      }
      guard let record, let path, path.isValid else {
        throw .init(.altered, "the record at position \(proof.position) is not in the log")
      }
      proved.append(path)
      guard record.position == proof.position else {
        throw .init(.altered, "position \(proof.position) holds the record of another")
      }
      let stream = ByteName(record.stream)
      guard record.revision == revisions[stream, default: 0] else {
        throw .init(.altered, "a record of \(record.stream) is missing before position \(proof.position)")
      }
      revisions[stream] = record.revision + 1
    }
    guard archive[EvidenceFile.proofs] == EvidenceBundle.json(of: proved, in: note) else {
      throw .init(.altered, "proofs.json has more than the proofs, or is written otherwise")
    }
    let listed = manifest["flows"]?.array ?? []
    let named = listed.compactMap(\.string)
    guard named.count == listed.count, Set(named.map { ByteName($0) }) == Set(revisions.keys),
      named.count == revisions.count
    else {
      throw .init(.altered, "the flows are not those that evidence.json names")
    }
    return named
  }
}
