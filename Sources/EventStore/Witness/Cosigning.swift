// The log's side of a witness: what to ask, and where the answer goes.

/// Gets the newest checkpoint of a store cosigned. It may be done beside the store's writer.
public struct Cosigning: Sendable {
  private let layout: StoreLayout
  private let disk: any Disk

  /// The cosigning of the store at `directory`.
  public init(store directory: String) {
    self.init(store: directory, disk: SystemDisk())
  }

  package init(store directory: String, disk: any Disk) {
    layout = StoreLayout(directory)
    self.disk = disk
  }

  /// What to ask a witness: to cosign the newest checkpoint.
  ///
  /// - Parameters:
  ///   - witness: its public key.
  ///   - size: the size that it cosigned last, if it has reported it; by default the newest size for which the store
  ///     has its cosignature.
  /// - Throws: `keyMissing` if nothing was signed, `truncated` if the witness has cosigned more than the store has,
  ///   `altered` if the log is not what its checkpoint says, `malformed` or `tooLarge` if the newest checkpoint cannot
  ///   be read, and what reading throws.
  public func request(to witness: VerifierKey, from size: UInt64? = nil) throws(StoreError) -> WitnessRequest {
    let (notes, hidden) = try published()
    // An older one in its place would leave records without a cosignature, or make the log look truncated.
    if let hidden { throw hidden }
    guard let newest = notes.first else {
      throw StoreError(
        .keyMissing, "the store has no checkpoint that a witness could cosign", file: layout.root,
        advice: "sign one with auditctl checkpoint")
    }
    let old = size ?? notes.first { $0.standing(with: witness) == .valid }?.size ?? 0
    guard old <= newest.size else {
      throw StoreError(
        .truncated,
        "the log is truncated: its checkpoint covers \(newest.size) records, the witness has cosigned \(old)",
        file: layout.root, advice: "keep it as evidence and run auditctl verify")
    }
    let proof = try LogReader(directory: layout.root, disk: disk).consistencyProof(first: old, second: newest.size)
    guard proof.secondRoot == newest.root else {
      throw StoreError(
        .altered, "the log is not the one that its checkpoint of \(newest.size) records states", file: layout.root,
        advice: "keep it as evidence and run auditctl verify")
    }
    return WitnessRequest(oldSize: old, proof: proof.hashes, note: newest)
  }

  /// Adds a witness's answer to the checkpoint that it covers, durable when it returns: to `checkpoints/<size>`, and to
  /// `latest` unless a writer, which may be replacing it, has the store open. Returns the checkpoint.
  ///
  /// - Throws: `malformed` if a line is not a signature line, `keyMismatch` if it is not a cosignature by that witness
  ///   of a checkpoint of the store, and what reading and writing throw.
  public func add(_ answer: String, from witness: VerifierKey) throws(StoreError) -> SignedNote {
    var failure: StoreError?
    for note in try published().notes {
      do throws(StoreError) {
        let cosigned = try note.cosigned(answer, by: witness)
        try put(cosigned)
        return cosigned
      } catch {
        guard error.code == .keyMismatch else { throw error }
        failure = error
      }
    }
    throw failure
      ?? StoreError(.keyMissing, "the store has no checkpoint", file: layout.root, advice: "sign one first")
  }

  /// True if some checkpoint of the store has a cosignature of that witness. Checkpoints that cannot be read have none.
  package func isCosigned(by witness: VerifierKey) throws(StoreError) -> Bool {
    let sizes: [UInt64]
    do throws(StoreError) {
      sizes = try layout.checkpointSizes(on: disk)
    } catch {
      guard error.code == .notFound else { throw error }
      return false
    }
    // Each is read by itself: an unreadable one does not affect the others.
    for path in [layout.latestCheckpoint] + sizes.map({ layout.checkpoint($0) }) {
      if let note = try layout.readableNote(at: path, on: disk), note.standing(with: witness) == .valid { return true }
    }
    return false
  }

  private func put(_ note: SignedNote) throws(StoreError) {
    let bytes = Array(note.text.utf8)
    try disk.replace(layout.checkpoint(note.size), with: bytes, in: layout.checkpoints)
    let lock: StoreLock
    do throws(StoreError) {
      lock = try StoreLock(of: layout, on: disk)
    } catch {
      guard error.code == .locked else { throw error }
      return
    }
    let latest = try layout.readableNote(at: layout.latestCheckpoint, on: disk)
    if let latest, latest.size == note.size, latest.root == note.root {
      try disk.replace(layout.latestCheckpoint, with: bytes, in: layout.checkpoints)
    }
    withExtendedLifetime(lock) {}
  }

  /// The checkpoints of the store that can be read, the newest first; of each the copy with the most signatures.
  /// `hidden` is the error of a file that cannot be read and, by its name, covers more records than all of them.
  ///
  /// - Throws: `malformed` or `tooLarge` if there are checkpoints and none can be read.
  private func published() throws(StoreError) -> (notes: [SignedNote], hidden: StoreError?) {
    var found: [UInt64: SignedNote] = [:]
    var failures: [(size: UInt64, error: StoreError)] = []
    let sizes = try layout.checkpointSizes(on: disk)
    for (path, size) in [(layout.latestCheckpoint, UInt64(0))] + sizes.map({ (layout.checkpoint($0), $0) }) {
      do throws(StoreError) {
        guard let note = try layout.note(at: path, on: disk),
          note.signatures.count > found[note.size]?.signatures.count ?? 0
        else { continue }
        found[note.size] = note
      } catch {
        // A file that cannot be read says nothing of the others; `verify` reports it.
        guard error.isOfContent else { throw error }
        failures.append((size, error))
      }
    }
    if found.isEmpty, let failure = failures.first { throw failure.error }
    let notes = found.values.sorted { $0.size > $1.size }
    let largest = notes.first?.size ?? 0
    return (notes, failures.first { $0.size > largest }?.error)
  }
}
