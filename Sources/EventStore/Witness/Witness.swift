// A witness: cosigns the checkpoints of logs that only grow, and remembers each before it answers.

/// Cosigns checkpoints (https://c2sp.org/tlog-witness, https://c2sp.org/tlog-cosignature).
///
/// Of each log it keeps the latest checkpoint that it cosigned, `<origin>.checkpoint` in its directory. It cosigns
/// another one only if a consistency proof leads from there to it. So a log that is rolled back or forked gets no
/// cosignature, even if an attacker has its key. `<origin>.cosigned` beside the checkpoint records that there is one: a
/// log with this mark but no checkpoint is not treated as new. May be used from any thread: one request is answered at
/// a time.
public final class Witness: Sendable {
  /// The key that verifies its cosignatures.
  public var verifier: VerifierKey { key.verifier }

  private let key: SigningKey
  private let logs: [VerifierKey]
  private let directory: String
  private let disk: any Disk
  private let clock: @Sendable () -> Timestamp
  private let monitor = Monitor()

  /// The witness of some logs.
  ///
  /// - Parameters:
  ///   - key: its key, for `cosignature`.
  ///   - logs: the public keys of the logs, whose names are their origins; a log may have several.
  ///   - directory: where it keeps what it cosigned; made by `begin`.
  ///   - clock: the time that stands in cosignatures.
  /// - Throws: `keyMismatch` if the key is not that of a witness, or not the one of the directory; `notFound` if the
  ///   directory was not begun: a witness that has lost its memory must not go on under the same key.
  public convenience init(
    key: SigningKey, logs: [VerifierKey], directory: String, clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) throws(StoreError) {
    try self.init(key: key, logs: logs, directory: directory, clock: clock, disk: SystemDisk())
  }

  package init(
    key: SigningKey, logs: [VerifierKey], directory: String, clock: @escaping @Sendable () -> Timestamp,
    disk: any Disk
  ) throws(StoreError) {
    try Self.refuseLogKey(key)
    self.key = key
    self.logs = logs
    self.directory = directory
    self.disk = disk
    self.clock = clock
    try checkDirectory()
  }

  /// The same witness with additional keys of logs.
  package func knowing(_ keys: [VerifierKey]) throws(StoreError) -> Witness {
    try Witness(
      key: key, logs: logs + keys.filter { !logs.contains($0) }, directory: directory, clock: clock, disk: disk)
  }

  /// Makes the directory of a new witness, durable when it returns.
  ///
  /// - Throws: `cannotCreate` if one is there, `keyMismatch` if the key is not that of a witness.
  public static func begin(_ directory: String, key: SigningKey) throws(StoreError) {
    try begin(directory, key: key, disk: SystemDisk())
  }

  package static func begin(_ directory: String, key: SigningKey, disk: any Disk) throws(StoreError) {
    try refuseLogKey(key)
    _ = try disk.makeDirectory(directory)
    guard try !disk.exists(mark(of: directory), in: directory) else {
      throw StoreError(.cannotCreate, "a witness has its state here", file: directory, advice: "give a new directory")
    }
    try disk.replace(mark(of: directory), with: Array("\(key.verifier)\n".utf8), in: directory)
  }

  /// Answers a request with the cosignature lines, or with the reason for a refusal. The cosigned checkpoint is durable
  /// in the witness's memory when this returns.
  ///
  /// - Throws: what reading and writing its directory throw, `locked` if another process is answering for the same log,
  ///   `malformed` if its memory cannot be read, `notFound` if that is gone: nothing is cosigned then.
  public func answer(_ request: WitnessRequest) throws(StoreError) -> Result<String, WitnessRefusal> {
    monitor.lock()
    defer { monitor.unlock() }
    let note = request.note
    let keys = logs.filter { $0.name.isSame(as: note.origin) }
    if keys.isEmpty { return .failure(.init(.unknownLog, "the witness does not know the log \(note.origin)")) }
    guard keys.contains(where: { note.standing(with: $0) == .valid }) else {
      return .failure(.init(.unsigned, "no key that the witness knows of \(note.origin) has signed the checkpoint"))
    }
    guard request.oldSize <= note.size else {
      return .failure(
        .init(.malformed, "the old size \(request.oldSize) is over that of the checkpoint, \(note.size)"))
    }
    try checkDirectory()
    let place = SecondPlace(directory: directory, origin: note.origin, disk: disk)
    let claim = try place.claim()
    if claim.found == nil {
      try refuseIfForgotten(note.origin, file: place.file)
    } else {
      // Not yet there if a version before this one made the checkpoint, or if the process ended before it was made.
      try markCosigned(note.origin)
    }
    if let refusal = Self.refusal(of: request, after: claim.found) { return .failure(refusal) }
    let ends = try handovers(of: note.origin)
    let signers = keys.filter { note.standing(with: $0) == .valid && note.size <= ends["\($0)"] ?? .max }
    guard !signers.isEmpty else {
      return .failure(
        .init(
          .unsigned, "the key that has signed the checkpoint of \(note.size) records had handed \(note.origin) over"))
    }
    // Before the checkpoint: a cosigned handover that was forgotten would let the old key sign on.
    try remember(handoverBy: signers, in: note, after: ends)
    let line = try note.cosignature(by: key, at: UInt64(max(clock().microseconds / 1_000_000, 1)))
    try place.put(note, under: claim)
    // After the checkpoint: a mark without one means that it was lost. Before the answer: the holder of a cosignature
    // can rely on the mark.
    try markCosigned(note.origin)
    return .success(line)
  }

  // MARK: Memory

  /// True if the witness knows that it has cosigned the log of that origin.
  package func remembers(_ origin: String) throws(StoreError) -> Bool {
    if try content(of: cosignedMark(of: origin)) != nil { return true }
    // A version before this one made no marks.
    return try content(of: SecondPlace(directory: directory, origin: origin, disk: disk).file) != nil
  }

  private static let lost = "put it back; if it is lost, begin a witness with a new key (auditctl witness init)"

  /// Throws if the directory is not, or is no longer, that of this witness.
  private func checkDirectory() throws(StoreError) {
    let mark = Self.mark(of: directory)
    guard let bytes = try content(of: mark) else {
      throw StoreError(.notFound, "the witness has no state here", file: mark, advice: Self.lost)
    }
    guard bytes.elementsEqual("\(key.verifier)\n".utf8) else {
      throw StoreError(
        .keyMismatch, "the state is that of a witness with another key", file: mark, advice: "give its own directory")
    }
  }

  /// Throws if the witness has cosigned a log of which it has no checkpoint. `file` is where that belongs.
  private func refuseIfForgotten(_ origin: String, file: String) throws(StoreError) {
    guard try content(of: cosignedMark(of: origin)) != nil else { return }
    throw StoreError(
      .notFound, "the witness has cosigned \(origin), and its memory of that is gone", file: file, advice: Self.lost)
  }

  /// Notes that a log was cosigned, durable when it returns.
  private func markCosigned(_ origin: String) throws(StoreError) {
    let mark = cosignedMark(of: origin)
    guard try content(of: mark) == nil else { return }
    try disk.replace(mark, with: Array("\(key.verifier)\n".utf8), in: directory)
  }

  /// The sizes at which keys handed a log over, in checkpoints that were cosigned, by the text of the key: they sign no
  /// later ones (FORMAT.md §6).
  private func handovers(of origin: String) throws(StoreError) -> [String: UInt64] {
    let file = handoverFile(of: origin)
    var ends: [String: UInt64] = [:]
    for line in String(decoding: try content(of: file) ?? [], as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let size = UInt64(parts[0]) else {
        throw StoreError(
          .malformed, "what the witness knows of handovers cannot be read", file: file, advice: Self.lost)
      }
      ends[String(parts[1])] = size
    }
    return ends
  }

  /// Notes a handover that a checkpoint states and the next key has signed, durable when it returns.
  private func remember(
    handoverBy signers: [VerifierKey], in note: SignedNote, after ends: [String: UInt64]
  ) throws(StoreError) {
    guard let next = note.nextKey, note.standing(with: next) == .valid else { return }
    let old = signers.filter { $0 != next && ends["\($0)"] == nil }
    guard !old.isEmpty else { return }
    var all = ends
    for key in old { all["\(key)"] = note.size }
    let text = all.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)\n" }.joined()
    try disk.replace(handoverFile(of: note.origin), with: Array(text.utf8), in: directory)
  }

  private func handoverFile(of origin: String) -> String {
    directory + "/" + FileName.name(of: origin) + ".handovers"
  }

  /// The path of the mark that the witness has cosigned a log. Only its existence counts, not its content. The lock
  /// beside the checkpoint proves nothing: it is also made for refused requests.
  private func cosignedMark(of origin: String) -> String {
    directory + "/" + FileName.name(of: origin) + ".cosigned"
  }

  /// The content of a small file; nil if it is not there.
  private func content(of path: String) throws(StoreError) -> [UInt8]? {
    do throws(StoreError) {
      return try disk.contents(of: path, limit: 1 << 16)
    } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }

  /// Why a request cannot follow what was cosigned last, or nil.
  private static func refusal(of request: WitnessRequest, after found: SignedNote?) -> WitnessRefusal? {
    let note = request.note
    let latest = found?.size ?? 0
    func refuse(_ reason: WitnessRefusal.Reason, _ what: String) -> WitnessRefusal {
      WitnessRefusal(reason, "\(what); \(latest) records of \(note.origin) are cosigned", latest: latest)
    }
    if note.size < latest { return refuse(.truncated, "the log is truncated: the checkpoint has \(note.size) records") }
    if note.size == latest, let found, note.root != found.root {
      return refuse(.forked, "the log is forked: the checkpoint of \(note.size) records has another root")
    }
    if request.oldSize != latest { return refuse(.stale, "the proof begins at \(request.oldSize) records") }
    let proof = ConsistencyProof(
      first: latest, second: note.size, firstRoot: found?.root ?? MerkleTree.empty, secondRoot: note.root,
      hashes: request.proof)
    guard proof.isValid else {
      return refuse(.badProof, "the proof does not lead to the checkpoint of \(note.size) records")
    }
    return nil
  }

  private static func refuseLogKey(_ key: SigningKey) throws(StoreError) {
    guard key.verifier.algorithm == .cosignature else {
      throw StoreError(
        .keyMismatch, "this is the key of a log, not of a witness", advice: "make one with auditctl witness init")
    }
  }

  /// The file that identifies the owner of a directory: the public key.
  private static func mark(of directory: String) -> String { directory + "/witness.pub" }
}
