// The one writer of a store (DESIGN §4).

/// An open store that can be appended to. One process at a time has it; any number may read beside it.
///
/// Appending never waits for the disk: it assigns positions and queues the encoded lines. A barrier waits until they
/// are written. Records without a waiter are written within about 100 ms by the log's own thread.
///
/// All methods may be called from any thread. `barrier`, `flush`, `sync`, `checkpoint` and `close` block the thread
/// they are called on while they write; from asynchronous code call them off the cooperative pool.
public final class EventLog: Sendable {
  /// The options of a log.
  public typealias Options = LogOptions
  /// When a barrier lets its caller go on.
  public typealias Durability = EventStore.Durability
  /// What an append expects of the streams in its batch.
  public typealias Expectation = EventStore.Expectation
  /// The result of an append.
  public typealias Ticket = EventStore.Ticket
  /// How waiting for a ticket ended.
  public typealias BarrierOutcome = EventStore.BarrierOutcome

  /// The store's directory, as it was given.
  public let directory: String
  let engine: LogEngine

  /// Opens the store at `directory` for appending, and makes it if there is none (directories 0700, files 0600).
  ///
  /// A relative path starts from the process's directory as it is now, wherever the process goes later. A torn tail is
  /// moved to `quarantine/` and reported in a `log.recovered` record of the stream `log`, by the next opening if the
  /// process ends between; a store that was made or recovered gets a `log.opened` record. Reads the end of the log, not
  /// the log.
  ///
  /// - Throws: `locked` at once if another writer has it, `notAStore` if the directory holds something else,
  ///   `permission` if it is a backup, from which two writers could make two logs under one name, or if the directory
  ///   belongs to another user or can be written to by others, `altered` if bytes known to be synced are damaged,
  ///   `truncated` if the log is smaller than its last checkpoint, `missingSegment` if the store has lost all its
  ///   segments, `malformed` or `tooLarge` if `store.json` or the latest checkpoint cannot be read or a folder of the
  ///   store is a link, `unsupported` if a later version of the format wrote the store, `invalid` if the path is empty
  ///   or the origin breaks the rules for one. With a schedule of checkpoints also what `SigningKey.obtain` throws,
  ///   `truncated`, `forked` or `keyMismatch` if the key or the second place knows of another past, `locked` if
  ///   another process is using what either knows. Further what the disk throws: `permission`, `cannotCreate`,
  ///   `notFound`, `noSpace`, `io`, the last also if the system starts no thread for the log.
  public static func open(at directory: String, options: Options = Options()) throws(StoreError) -> EventLog {
    guard !directory.isEmpty else {
      throw StoreError(.invalid, "a store needs the path of a directory", advice: "give one")
    }
    var options = options
    // A daemon may change its directory while the log is open.
    if let disk = options.disk as? SystemDisk { options.disk = disk.fixed() }
    let layout = StoreLayout(directory)
    let creation = StoreCreation(layout: layout, disk: options.disk)
    try creation.prepareDirectory()
    try layout.refuseForeign(on: options.disk)
    let lock = try StoreLock(of: layout, on: options.disk)
    try creation.prepareFolders(marksNew: true)
    let (stored, isNew) = try creation.identity(origin: options.origin)
    try stored.refuseIfBackup(in: layout)
    let identity = try stored.completingHandover(in: layout, on: options.disk)
    let begun = options.observer.start
    let key = try options.checkpoints?.key(for: identity, store: directory)
    var recovered = try Recovery(layout: layout, disk: options.disk).run()
    // The former last segment may be in quarantine now.
    try lock.holdLast(on: options.disk)
    try refuseAnotherPast(recovered, layout: layout, identity: identity, key: key, options: options)
    recovered.damages += try Quarantine(layout: layout, disk: options.disk).unreported(besides: recovered.damages)
    let engine = try LogEngine(
      layout: layout, disk: options.disk, lock: lock, identity: identity, recovered: recovered, options: options,
      scheduledKey: key)
    try engine.startThread()
    // After the first segment is begun, whose draft counts until then.
    Leftovers(layout: layout, disk: options.disk).remove()
    let log = EventLog(directory: directory, engine: engine)
    if isNew || recovered.segment == nil || !recovered.damages.isEmpty {
      let story = openingRecords(identity: identity, damages: recovered.damages, at: options.clock())
      _ = try engine.append(story, expecting: .any)
      try log.flush()
    }
    options.observer.opened(recovered, size: log.size, in: directory, since: begun)
    return log
  }

  /// Throws if the signing key or the second place of checkpoints knows of more than the log has, or of another log. A
  /// second place that cannot be reached is reported, and is no reason to refuse.
  private static func refuseAnotherPast(
    _ recovered: RecoveredLog, layout: StoreLayout, identity: StoreIdentity, key: SigningKey?, options: Options
  ) throws(StoreError) {
    let frontier = recovered.segment?.tail.frontier ?? MerkleFrontier()
    let root = { (size: UInt64) throws(StoreError) -> TreeHash in
      if size == frontier.size { return frontier.root }
      return try RootLookup(layout: layout, disk: options.disk).frontier(at: size).root
    }
    guard let key else { return }
    if let directory = options.checkpoints?.also {
      let place = SecondPlace(directory: directory, origin: identity.origin, disk: options.disk)
      var claim: SecondPlace.Claim?
      do throws(StoreError) {
        claim = try place.claim()
      } catch {
        guard error.isPlaceUnreachable else { throw error }
        options.observer.checkpointFailed(error)
      }
      if let found = claim?.found {
        try place.compare(found, size: frontier.size, key: key.verifier, identity: identity, root: root)
      }
      if let claim { place.removeDraft(under: claim) }
    }
    guard let memory = key.memory else { return }
    try memory.read()?.check(identity, key: key.verifier, size: frontier.size, file: memory.file, root: root)
  }

  private init(directory: String, engine: LogEngine) {
    self.directory = directory
    self.engine = engine
    engine.begin()
  }

  deinit { try? engine.close() }

  /// The records about the opening itself, in the stream `log`.
  private static func openingRecords(
    identity: StoreIdentity, damages: [RecoveredDamage], at time: Timestamp
  ) -> [NewRecord] {
    let recovered = damages.map { damage in
      let data =
        "{\"segment\":\"\(damage.segment)\",\"offset\":\(damage.offset),\"bytes\":\(damage.bytes),"
        + "\"quarantine\":\"\(damage.quarantine)\"}"
      return NewRecord(at: time, stream: ownStream, type: OwnRecords.recovered, data: Array(data.utf8))
    }
    let data = "{\"store\":\"\(identity.id)\",\"origin\":\"\(identity.origin)\",\"format\":\(identity.format)}"
    return recovered + [NewRecord(at: time, stream: ownStream, type: OwnRecords.opened, data: Array(data.utf8))]
  }

  /// The stream of the store's own records.
  public static let ownStream = Envelope.ownStream

  // MARK: Appending

  /// Queues a batch, whole or not at all, of one stream or of several. Assigns positions and revisions. Never waits for
  /// the disk, unless 2 MiB or 65,536 records are queued already, or streams or ids that were not written lately must
  /// be looked up. A batch is never split over two commits.
  ///
  /// - Throws: `tooLarge` over 4 MiB a batch or 65,535 bytes a line, `conflict` if `expecting` does not hold of some
  ///   stream of the batch, `invalid` if a record breaks the rules of `NewRecord` or is one that the store itself
  ///   writes, `closed`, and after a failure that could not be mended that failure. Nothing of the batch is queued
  ///   then.
  public func append(_ batch: [NewRecord], expecting: Expectation = .any) throws(StoreError) -> Ticket {
    try OwnRecords.refuse(batch)
    return try engine.append(batch, expecting: expecting)
  }

  /// Waits until `write` has returned for the ticket's records; the first caller that waits writes for all that wait.
  ///
  /// With durability `os` and `group` the answer is `passed` or `failed`. With `each` it is `pending` unless the
  /// records are synced already: `resume` is called once fdatasync covered them, on the log's own thread or on that of
  /// a `sync`, `checkpoint` or `close` that did it, with the error if the sync failed. `resume` must not block.
  public func barrier(
    _ ticket: Ticket, resume: @escaping @Sendable (StoreError?) -> Void
  ) -> BarrierOutcome {
    engine.barrier(ticket, resume: resume)
  }

  /// Waits until everything that was appended before is written.
  ///
  /// - Throws: `closed`, or the error that kept some of it from being written.
  public func flush() throws(StoreError) { try engine.drain() }

  /// Waits until everything that was appended before is written and synced; the frame is closed, its directory written.
  ///
  /// - Throws: what `flush` throws, and `noSpace` or `io` if the sync failed.
  public func sync() throws(StoreError) { try engine.sync() }

  // MARK: Signing and closing

  /// Signs the log as it is: syncs the records, signs, syncs the checkpoint, publishes it as `checkpoints/<size>`,
  /// `checkpoints/latest` and in the segment. The first one writes the public key into `store.json`. Asked again at the
  /// same size, it gives the same note.
  ///
  /// A key that was read from its file remembers what it signs: it is written down, durable, before the checkpoint is
  /// published.
  ///
  /// - Throws: `keyMismatch` if the key is not the store's, `truncated` if the log is smaller than an earlier
  ///   checkpoint, in the store, in the key's memory or at the second place, `forked` if one of them is of another log,
  ///   `altered` if the records do not lead to the tree that the log states or no signed record says that some were
  ///   pruned, `missingSegment` if records are not there, `malformed` if what the key remembers, the second place or a
  ///   segment cannot be read, `locked` if another process is using what the key remembers or the second place;
  ///   `closed`, what `sync` throws, and what the disk throws.
  public func checkpoint(with key: SigningKey) throws(StoreError) -> SignedNote {
    try engine.checkpoint(with: key)
  }

  /// Hands the log over from one key to the next: appends a `log.rekeyed` record, then signs a checkpoint that names
  /// the new key with both keys. From then on `store.json` names the new key, and the old one as retired at that size.
  /// Anyone who pinned the old key verifies the log as before, since that checkpoint vouches for the new one.
  ///
  /// - Throws: `keyMismatch` if `old` is not the store's key, if `new` has not the store's origin as its name, or has
  ///   signed the log before; and what `checkpoint` throws. If the disk fails, the log may be handed over all the same:
  ///   then only the new key signs, and the next signing or opening completes the rest.
  public func handOver(
    from old: SigningKey, to new: SigningKey, at time: Timestamp = .now()
  ) throws(StoreError) -> SignedNote {
    try engine.handOver(from: old, to: new, at: time)
  }

  /// Writes and syncs what is queued, signs a checkpoint if the schedule says so, closes the frame, and releases the
  /// store. Later appends throw `closed`. Closing twice does nothing; the log closes itself when it is deallocated.
  ///
  /// - Throws: the error of writing or syncing, else that of signing; the store is released all the same.
  public func close() throws(StoreError) { try engine.close() }

  // MARK: Asking

  /// The error after which the log accepts nothing more, although it was not closed; nil if it still accepts records.
  /// This is permanent: close the log, fix what the error reports, and open it again.
  public var failure: StoreError? { engine.failure }

  /// How many records are written.
  public var size: UInt64 { engine.size }

  /// The Merkle root over them: 32 bytes (RFC 6962 §2.1). Cost: a few hashes; waits for a write that is going on.
  public var rootHash: [UInt8] { engine.frontier.root.bytes }

  /// The store's identity.
  public var identity: StoreIdentity { engine.identity }
}
