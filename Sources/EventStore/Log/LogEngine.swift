// What stands behind `EventLog`: the queue, the right to write, and the log's own thread.
//
// `monitor` guards all of the state but `writer`; it is held for short, never across a disk operation. `writing` is the
// right to use `writer`: who finds it free takes it, lets go of the lock, works, and gives it back. Whoever waits at a
// barrier first becomes the leader so and writes for all; the log's own thread does it for those who do not wait.
import Foundation

/// The state of an open log.
final class LogEngine: @unchecked Sendable {  // guarded as said above
  let layout: StoreLayout
  let disk: any Disk
  private let durability: Durability
  private let idleMilliseconds: Int
  private let monitor = Monitor()
  /// Where the streams of the closed segments are.
  let catalog: SegmentCatalog

  // Guarded by `monitor`.
  private var writing = false
  private var queue: AppendQueue
  private var written: UInt64
  private var synced: UInt64
  private var settled: UInt64
  private var closedFrames: UInt64
  private var keptBytes = 0
  private var file: any DiskFile
  private var frameOpen = false
  private var fatal: StoreError?
  private var closed = false
  private var lock: StoreLock?
  private var waiters: [(end: UInt64, resume: @Sendable (StoreError?) -> Void)] = []
  private var parked = false
  private var queuedSince: UInt64 = 0
  private var lastCommit: UInt64 = 0
  private var lastSync: UInt64 = 0

  // Used only with the right to write.
  private let writer: SegmentWriter
  private var storedIdentity: StoreIdentity
  private var lastCheckpoint: SignedNote?

  /// What waits in the queue at most before an append writes it itself: two commits of the largest size.
  private static let queueLimit = 2 * FrameFormat.largestCommit
  /// How much is queued before the log's thread is woken ahead of its time.
  private static let wakeSize = 1 << 20
  /// How long a record nobody waits for stays in the queue.
  private static let flushMilliseconds = 50
  /// How much that is not durable is kept in memory before it is synced in any mode; see `SegmentWriter`.
  private static let keptLimit = 4 << 20

  init(
    layout: StoreLayout, disk: any Disk, lock: StoreLock, identity: StoreIdentity, recovered: RecoveredLog,
    options: EventLog.Options
  ) throws(StoreError) {
    self.layout = layout
    self.disk = disk
    self.lock = lock
    catalog = SegmentCatalog(layout: layout, disk: disk)
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

  /// Begins the log's own thread. It ends after `close`.
  func start() {
    let thread = Thread { self.run() }
    thread.name = "EventLog"
    thread.stackSize = 1 << 20
    thread.start()
  }

  // MARK: Asking

  /// How many records are written.
  var size: UInt64 { withMonitor { written } }

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
  private func learnRevision(of stream: String) throws(StoreError) {
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

  // MARK: Writing

  /// Waits for a ticket; see `EventLog.barrier`.
  func barrier(_ ticket: Ticket, resume: @escaping @Sendable (StoreError?) -> Void) -> BarrierOutcome {
    monitor.lock()
    defer { monitor.unlock() }
    if let error = waitUntilWritten(ticket) { return .failed(error) }
    guard durability == .each, synced < ticket.positions.upperBound else { return .passed }
    if let fatal { return .failed(fatal) }
    waiters.append((ticket.positions.upperBound, resume))
    monitor.tell(.work)
    return .pending
  }

  /// Writes what is queued now. Throws where some of it did not get into the log.
  func drain() throws(StoreError) {
    monitor.lock()
    defer { monitor.unlock() }
    if let error = waitUntilWritten(queue.everything) { throw error }
  }

  /// Leads or follows until the ticket's records are written. Called with the lock. Returns why they are not.
  private func waitUntilWritten(_ ticket: Ticket) -> StoreError? {
    while true {
      if let error = queue.error(of: ticket) { return error }
      if written >= ticket.positions.upperBound { return nil }
      if let fatal { return fatal }
      if writing {
        monitor.wait(for: .writeRight)
      } else if queue.waiting.isEmpty {
        return StoreError(.noSuchPosition, "the ticket is not one of this log", position: ticket.positions.upperBound)
      } else {
        lead()
      }
    }
  }

  /// Writes all that is queued, as few commits as fit. Called with the lock and without anyone writing; lets go of the
  /// lock meanwhile.
  private func lead() {
    takeRight()
    let taken = queue.take()
    monitor.unlock()

    var start = CommitQueue.Mark(bytes: 0, lines: 0)
    var failure: StoreError?
    var mark = 0
    while mark < taken.marks.count, failure == nil {
      let next = taken.commitEnd(after: start, from: mark)
      let end = taken.marks[next - 1]
      do throws(StoreError) {
        try writer.commit(
          taken.bytes.span.extracting(start.bytes..<end.bytes), lines: taken.lines[start.lines..<end.lines],
          streams: taken.streams)
        start = end
        mark = next
      } catch {
        failure = error
      }
    }

    monitor.lock()
    if let failure { queue.drop(taken, from: start.lines, size: writer.size, because: failure) }
    queue.reuse(taken)
    giveBack()
  }

  /// Gives the right to write back and tells what came of it. Called with the lock.
  private func giveBack() {
    written = writer.size
    synced = max(synced, writer.synced)
    settled = max(settled, writer.settled)
    closedFrames = writer.closed
    keptBytes = writer.keptBytes
    file = writer.file
    frameOpen = writer.hasOpenFrame
    if let broken = writer.broken, fatal == nil { fatal = broken }
    lastCommit = Self.now()
    writing = false
    monitor.tell(.writeRight)
    if !waiters.isEmpty || parked { monitor.tell(.work) }
  }

  /// Runs `body` with the right to write, without the lock.
  private func withRightThrowing<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    monitor.lock()
    while writing { monitor.wait(for: .writeRight) }
    takeRight()
    monitor.unlock()
    defer {
      monitor.lock()
      giveBack()
      monitor.unlock()
    }
    return try body()
  }

  private func withRight<Result>(_ body: () -> Result) -> Result {
    monitor.lock()
    while writing { monitor.wait(for: .writeRight) }
    defer { monitor.unlock() }
    return body()
  }

  private func withMonitor<Result>(_ body: () -> Result) -> Result {
    monitor.lock()
    defer { monitor.unlock() }
    return body()
  }

  private func refuseWhereClosed() throws(StoreError) {
    if let fatal { throw fatal }
    if closed {
      throw StoreError(.closed, "the log has been closed", file: layout.root, advice: "open it again")
    }
  }

  // MARK: Syncing, signing, closing

  /// Writes and syncs what is queued; see `EventLog.sync`.
  func sync() throws(StoreError) {
    try drain()
    try withRightThrowing { () throws(StoreError) in try writer.sync() }
    resumeWaiters(with: nil)
  }

  /// Signs the log as it is; see `EventLog.checkpoint`.
  func checkpoint(with key: SigningKey) throws(StoreError) -> SignedNote {
    try withMonitorThrowing { () throws(StoreError) in try refuseWhereClosed() }
    try drain()
    let note = try withRightThrowing { () throws(StoreError) in try sign(with: key) }
    resumeWaiters(with: nil)
    return note
  }

  private func withMonitorThrowing(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    monitor.lock()
    defer { monitor.unlock() }
    try body()
  }

  /// Sync the records, sign, sync the checkpoint, publish (DESIGN §4). With the right to write.
  private func sign(with key: SigningKey) throws(StoreError) -> SignedNote {
    guard key.verifier.name == storedIdentity.origin else {
      throw StoreError(
        .keyMismatch, "the key is of \(key.verifier.name), the store of \(storedIdentity.origin)", file: layout.root,
        advice: "give the store's own key")
    }
    let text = key.verifier.description
    guard storedIdentity.publicKey == nil || storedIdentity.publicKey == text else {
      throw StoreError(
        .keyMismatch, "the key is not the one that store.json names", file: layout.identity,
        advice: "give the store's own key")
    }
    let size = writer.size
    if let last = lastCheckpoint {
      guard last.size <= size else {
        throw StoreError(
          .truncated, "the log has \(size) records, its checkpoint covers \(last.size)", file: layout.root,
          advice: "keep it as evidence and begin a store with a new origin")
      }
      if last.size == size, last.root == writer.frontier.root, last.standing(with: key.verifier) == .valid {
        return last
      }
    }
    try writer.sync()
    let note = try SignedNote(
      origin: storedIdentity.origin, size: size, root: writer.frontier.root, signedBy: key)
    if storedIdentity.publicKey == nil {
      var named = storedIdentity
      named.publicKey = text
      try named.save(to: layout, on: disk)
      storedIdentity = named
    }
    try disk.replace(layout.checkpoint(size), with: Array(note.text.utf8), in: layout.checkpoints)
    try writer.append(note)
    try disk.replace(layout.latestCheckpoint, with: Array(note.text.utf8), in: layout.checkpoints)
    lastCheckpoint = note
    return note
  }

  /// Ends writing; see `EventLog.close`.
  func close() throws(StoreError) {
    monitor.lock()
    let first = !closed
    closed = true
    monitor.unlock()
    guard first else { return }
    var failure: StoreError?
    do throws(StoreError) {
      try drain()
      try withRightThrowing { () throws(StoreError) in
        if writer.hasOpenFrame || writer.synced < writer.size { try writer.syncWhole() }
      }
    } catch {
      failure = error
    }
    resumeWaiters(with: failure)
    monitor.lock()
    lock = nil
    monitor.tell(.work)
    monitor.unlock()
    if let failure { throw failure }
  }

  /// Calls back those who wait for a sync and have it, or, with an error, all of them.
  private func resumeWaiters(with error: StoreError?) {
    monitor.lock()
    let limit = error == nil ? synced : UInt64.max
    let done = waiters.filter { $0.end <= limit }
    waiters.removeAll { $0.end <= limit }
    monitor.unlock()
    for waiter in done { waiter.resume(error) }
  }

  // MARK: The log's own thread

  private func run() {
    monitor.lock()
    lastSync = Self.now()
    while lock != nil {
      let now = Self.now()
      if let fatal, !waiters.isEmpty {
        // Nothing will be synced any more: who waits for it hears so, instead of waiting for ever.
        monitor.unlock()
        resumeWaiters(with: fatal)
        monitor.lock()
      } else if fatal == nil, !writing, syncIsDue(at: now) {
        syncOnThread()
      } else if fatal == nil, !writing, !queue.waiting.isEmpty, flushIsDue(at: now) {
        lead()
      } else if fatal == nil, !writing, frameOpen, queue.waiting.isEmpty, now >= lastCommit + UInt64(idleMilliseconds) {
        closeIdleFrame()
      } else {
        rest(at: now)
      }
    }
    monitor.unlock()
  }

  private func syncIsDue(at now: UInt64) -> Bool {
    guard synced < written else { return false }
    if keptBytes >= Self.keptLimit { return true }
    switch durability {
    case .each: return !waiters.isEmpty
    case .group(let milliseconds): return now >= lastSync + UInt64(max(milliseconds, 1))
    case .os: return false
    }
  }

  private func flushIsDue(at now: UInt64) -> Bool {
    queue.waiting.bytes.count >= Self.wakeSize || now >= queuedSince + UInt64(interval)
  }

  /// How long a record stays in the queue.
  private var interval: Int {
    if case .group(let milliseconds) = durability { return min(max(milliseconds, 1), Self.flushMilliseconds) }
    return Self.flushMilliseconds
  }

  /// Syncs what is written, without holding up who writes. Called with the lock; lets go of it meanwhile.
  private func syncOnThread() {
    let target = written
    let frames = closedFrames
    let current = file
    monitor.unlock()
    var failure: StoreError?
    do throws(StoreError) {
      try current.sync()
    } catch {
      failure = error
    }
    monitor.lock()
    if let failure {
      leave(current, because: failure)
    } else {
      synced = max(synced, target)
      settled = max(settled, frames)
    }
    lastSync = Self.now()
    let end = fatal
    monitor.unlock()
    resumeWaiters(with: end)
    monitor.lock()
  }

  /// Goes on in another segment where a sync of `failed` did not succeed and nobody else has left it. Called with the lock;
  /// lets go of it meanwhile.
  private func leave(_ failed: any DiskFile, because error: StoreError) {
    while writing { monitor.wait(for: .writeRight) }
    guard file === failed, fatal == nil else { return }
    takeRight()
    monitor.unlock()
    try? writer.leaveFile(because: error)  // where it fails, `broken` says so
    monitor.lock()
    giveBack()
  }

  /// Takes the right to write, and tells the writer what was synced. Called with the lock and without anyone writing.
  private func takeRight() {
    writing = true
    writer.synced = max(writer.synced, synced)
    writer.settled = max(writer.settled, settled)
  }

  /// Closes a frame that nobody has written to for a while. Called with the lock; lets go of it meanwhile.
  private func closeIdleFrame() {
    takeRight()
    monitor.unlock()
    try? writer.closeFrame()  // where it fails, it is tried again later
    monitor.lock()
    giveBack()
  }

  /// Sleeps until something is due or told. Called with the lock.
  private func rest(at now: UInt64) {
    var due: UInt64?
    func at(_ time: UInt64) { due = min(due ?? time, time) }
    if fatal == nil {
      if !queue.waiting.isEmpty { at(queuedSince + UInt64(interval)) }
      // A frame that is open means that something happened lately: look again soon, so that appends need not wake us.
      if frameOpen { at(min(lastCommit + UInt64(idleMilliseconds), now + UInt64(interval))) }
      if case .group(let milliseconds) = durability, synced < written { at(lastSync + UInt64(max(milliseconds, 1))) }
    }
    parked = due == nil
    // While someone writes, what is due waits for the right to come back, which is told.
    monitor.wait(for: .work, milliseconds: due.map { writing ? 5 : Int(clamping: max($0, now + 1) - now) })
    parked = false
  }

  /// Milliseconds of a clock that does not step.
  private static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds / 1_000_000 }
}
