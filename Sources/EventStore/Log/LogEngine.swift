// The implementation of `EventLog`: the queue, the right to write, and the log's own thread.
//
// `monitor` guards all of the state but `writer`; it is held only briefly, never across a disk operation. `writing` is
// the right to use `writer`: a thread that finds it free takes it, releases the lock, works, and gives it back. So the
// first caller that waits at a barrier becomes the leader and writes for all; the log's own thread does it for callers
// that do not wait.
import Dispatch

/// The state of an open log.
final class LogEngine: @unchecked Sendable {  // guarded as described above
  let layout: StoreLayout
  let disk: any Disk
  let durability: Durability
  let idleMilliseconds: Int
  let monitor = Monitor()
  /// Where the streams of the closed segments are.
  let catalog: SegmentCatalog
  let observer: LogObserver
  let schedule: CheckpointSchedule?
  /// Maintains the closed segments.
  let keeper: StoreKeeper
  /// The clock of the log's own records.
  let clock: @Sendable () -> Timestamp

  // Guarded by `monitor`.
  /// True once the log's own thread may start working.
  var hasBegun = false
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
  var waiters: [Waiter] = []
  var nextWaiter: UInt64 = 0
  var rollDue = false
  var rollRetry: UInt64 = 0
  var clockWatch: ClockWatch?
  var clockSteps: [ClockStep] = []
  var recordsClockSteps = false
  /// Errors found by a leader, reported to metrics and the logger by the log's own thread.
  var news: [(error: StoreError, isFatal: Bool)] = []
  /// The key that the schedule signs with; replaced when it hands the log over.
  var scheduledKey: SigningKey?
  /// When, and at how many records, the next checkpoint of the schedule is due.
  var signAt: UInt64 = 0
  var signedSize: UInt64 = 0
  var signSize: UInt64 = .max
  var parked = false
  var queuedSince: UInt64 = 0
  var lastCommit: UInt64 = 0
  var lastSync: UInt64 = 0
  var gathering = Gathering()

  // Used only with the right to write.
  let writer: SegmentWriter
  var storedIdentity: StoreIdentity
  var lastCheckpoint: SignedNote?
  /// Whether the records lead to the tree that is written on: counted before the first signature.
  var treeCount = TreeCount.open
  /// The position before which this program prunes: an unsigned record may say that these records were pruned. With the
  /// right to write.
  var confirmedPruning: UInt64 = 0

  /// How much is queued before the log's thread is woken ahead of its time.
  static let wakeSize = 1 << 20
  /// How long a record without a waiter stays in the queue.
  static let flushMilliseconds = 50
  /// How much that is not durable is kept in memory, as it is stored, before it is synced in any mode; see
  /// `SegmentWriter`.
  static let keptLimit = 1 << 20

  init(
    layout: StoreLayout, disk: any Disk, lock: StoreLock, identity: StoreIdentity, recovered: RecoveredLog,
    options: EventLog.Options, scheduledKey: SigningKey? = nil
  ) throws(StoreError) {
    self.layout = layout
    self.disk = disk
    self.lock = lock
    catalog = SegmentCatalog(layout: layout, disk: disk)
    keeper = StoreKeeper(layout: layout, disk: disk, catalog: catalog, options: options)
    durability = options.durability
    let idle = options.idleClose.components
    idleMilliseconds = Int(
      clamping: min(max(idle.seconds, 0), 1 << 31) * 1_000 + idle.attoseconds / 1_000_000_000_000_000)
    writer = try SegmentWriter(
      recovered, layout: layout, disk: disk, identity: identity, options: options, lock: lock)
    try writer.settle()
    try writer.completeHandover(recovered.checkpoint, knowing: catalog)
    storedIdentity = identity
    observer = options.observer
    clock = options.clock
    schedule = options.checkpoints
    self.scheduledKey = scheduledKey
    if let steady = options.steadyClock { clockWatch = ClockWatch(wall: options.clock, steady: steady) }
    lastCheckpoint = recovered.checkpoint
    queue = AppendQueue(size: writer.size)
    written = writer.size
    synced = writer.synced
    settled = writer.settled
    closedFrames = writer.closed
    file = writer.file
    planSigning(after: lastCheckpoint?.size ?? 0)
  }

  // MARK: Asking

  /// Why nothing can be written any more.
  var failure: StoreError? { withMonitor { fatal } }

  /// How many records are written.
  var size: UInt64 { withMonitor { written } }

  /// How many records are durable, with all that belongs to them.
  var settledSize: UInt64 { withMonitor { min(synced, settled) } }

  /// The store's current identity.
  var identity: StoreIdentity { withRight { storedIdentity } }

  /// The tree over what is written.
  var frontier: MerkleFrontier { withRight { writer.frontier } }

  /// Milliseconds of a clock that does not step.
  static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds / 1_000_000 }
}
