// What stands behind `EventLog`: the queue, the right to write, and the log's own thread.
//
// `monitor` guards all of the state but `writer`; it is held for short, never across a disk operation. `writing` is the
// right to use `writer`: who finds it free takes it, lets go of the lock, works, and gives it back. Whoever waits at a
// barrier first becomes the leader so and writes for all; the log's own thread does it for those who do not wait.
import Dispatch

/// The state of an open log.
final class LogEngine: @unchecked Sendable {  // guarded as said above
  let layout: StoreLayout
  let disk: any Disk
  let durability: Durability
  let idleMilliseconds: Int
  let monitor = Monitor()
  /// Where the streams of the closed segments are.
  let catalog: SegmentCatalog
  /// What looks after the closed segments.
  let keeper: StoreKeeper
  /// The clock of the log's own records.
  let clock: @Sendable () -> Timestamp

  // Guarded by `monitor`.
  var writing = false
  var queue: AppendQueue
  var written: UInt64
  var synced: UInt64
  var settled: UInt64
  var closedFrames: UInt64
  var keptBytes = 0
  var file: any DiskFile
  var frameOpen = false
  var fatal: StoreError?
  var closed = false
  var lock: StoreLock?
  var waiters: [(end: UInt64, resume: @Sendable (StoreError?) -> Void)] = []
  var parked = false
  var queuedSince: UInt64 = 0
  var lastCommit: UInt64 = 0
  var lastSync: UInt64 = 0

  // Used only with the right to write.
  let writer: SegmentWriter
  var storedIdentity: StoreIdentity
  var lastCheckpoint: SignedNote?

  /// What waits in the queue at most before an append writes it itself: two commits of the largest size.
  static let queueLimit = 2 * FrameFormat.largestCommit
  /// How much is queued before the log's thread is woken ahead of its time.
  static let wakeSize = 1 << 20
  /// How long a record nobody waits for stays in the queue.
  static let flushMilliseconds = 50
  /// How much that is not durable is kept in memory before it is synced in any mode; see `SegmentWriter`.
  static let keptLimit = 4 << 20

  init(
    layout: StoreLayout, disk: any Disk, lock: StoreLock, identity: StoreIdentity, recovered: RecoveredLog,
    options: EventLog.Options
  ) throws(StoreError) {
    self.layout = layout
    self.disk = disk
    self.lock = lock
    catalog = SegmentCatalog(layout: layout, disk: disk)
    keeper = StoreKeeper(layout: layout, disk: disk, catalog: catalog, options: options)
    clock = options.clock
    durability = options.durability
    let idle = options.idleClose.components
    idleMilliseconds = Int(
      clamping: min(max(idle.seconds, 0), 1 << 31) * 1_000 + idle.attoseconds / 1_000_000_000_000_000)
    writer = try SegmentWriter(recovered, layout: layout, disk: disk, identity: identity, options: options)
    try writer.settle()
    storedIdentity = identity
    lastCheckpoint = recovered.checkpoint
    queue = AppendQueue(size: writer.size)
    written = writer.size
    synced = writer.synced
    settled = writer.settled
    closedFrames = writer.closed
    file = writer.file
  }

  // MARK: Asking

  /// How many records are written.
  var size: UInt64 { withMonitor { written } }

  /// How many records are durable, with all that belongs to them.
  var settledSize: UInt64 { withMonitor { min(synced, settled) } }

  /// What the store says of itself now.
  var identity: StoreIdentity { withRight { storedIdentity } }

  /// The tree over what is written.
  var frontier: MerkleFrontier { withRight { writer.frontier } }

  // MARK: Appending

  /// Queues a batch; see `EventLog.append`.
  func append(_ batch: [NewRecord], expecting: Expectation) throws(StoreError) -> Ticket {
    try AppendQueue.check(batch)
    monitor.lock()
    defer { monitor.unlock() }
    try refuseWhereClosed()
    while expecting != .fresh, let unknown = queue.firstUnknownStream(of: batch) {
      monitor.unlock()
      defer { monitor.lock() }
      try learnRevision(of: unknown)
    }
    try refuseWhereClosed()
    let wasEmpty = queue.waiting.isEmpty
    let ticket = try queue.enqueue(batch, expecting: expecting)
    if wasEmpty { queuedSince = Self.now() }
    if parked || queue.waiting.bytes.count >= Self.wakeSize {
      if !writing { monitor.tell(.work) }
    }
    while queue.waiting.bytes.count > Self.queueLimit, fatal == nil {
      if writing { monitor.wait(for: .writeRight) } else { lead() }
    }
    return ticket
  }

  /// Makes the next revision of a stream known, from disk where it has to be. Called without the lock.
  func learnRevision(of stream: String) throws(StoreError) {
    let lookup = RevisionLookup(layout: layout, disk: disk, writer: writer, catalog: catalog)
    if !withMonitor({ queue.knowsAllStreams }) {
      let older = try withRightThrowing { () throws(StoreError) in try lookup.older() }
      withMonitor { queue.learn(older: older) }
    }
    var next = 0
    if withMonitor({ queue.mayHave(stream) }) {
      // All that was queued before is on disk then; what comes after is in the cache, which `learn` leaves as it is.
      try drain()
      next = try withRightThrowing { () throws(StoreError) in try lookup.next(of: stream) }
    }
    withMonitor { queue.learn(next: next, of: stream) }
  }

  /// Milliseconds of a clock that does not step.
  static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds / 1_000_000 }
}
