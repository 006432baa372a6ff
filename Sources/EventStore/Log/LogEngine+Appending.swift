// Appending: what has to be known and waited for before a batch can be queued.

extension LogEngine {
  /// Queues a batch; see `EventLog.append`.
  func append(_ batch: [NewRecord], expecting: Expectation) throws(StoreError) -> Ticket {
    let hasIds = try AppendQueue.check(batch)
    let appended = try withMonitorThrowing { () throws(StoreError) in
      while let obstacle = try obstacle(to: batch, expecting: expecting, hasIds: hasIds) { try clear(obstacle) }
      return try enqueue(batch, expecting: expecting, hasIds: hasIds)
    }
    return told(appended)
  }

  /// Queues a batch where that needs no wait for the disk; nil where it does, and nothing is queued then.
  func appendAtOnce(_ batch: [NewRecord], expecting: Expectation) throws(StoreError) -> Ticket? {
    let hasIds = try AppendQueue.check(batch)
    let appended = try withMonitorThrowing { () throws(StoreError) -> Appended? in
      guard try obstacle(to: batch, expecting: expecting, hasIds: hasIds) == nil else { return nil }
      return try enqueue(batch, expecting: expecting, hasIds: hasIds)
    }
    return appended.map(told)
  }

  /// A batch that was queued, and how full the queue is now.
  private struct Appended {
    var ticket: Ticket
    var bytes: Int
    var queuedRecords: Int
    var queuedBytes: Int
  }

  /// Tells the metrics of a batch; without the lock.
  private func told(_ appended: Appended) -> Ticket {
    observer.metrics?.record(
      .appended(
        records: appended.ticket.isRepeat ? 0 : appended.ticket.positions.count, bytes: appended.bytes,
        queuedRecords: appended.queuedRecords, queuedBytes: appended.queuedBytes))
    return appended.ticket
  }

  /// What an append has to wait for.
  private enum Obstacle: Equatable {
    case fullQueue
    case unknownIds
    case unknownStream(String)
  }

  private func obstacle(
    to batch: [NewRecord], expecting: Expectation, hasIds: Bool
  ) throws(StoreError) -> Obstacle? {
    try refuseWhereClosed()
    if queue.isFull { return .fullQueue }
    if hasIds, !queue.ids.isComplete { return .unknownIds }
    if expecting != .fresh, let unknown = queue.firstUnknownStream(of: batch) { return .unknownStream(unknown) }
    return nil
  }

  /// Called with the lock; lets go of it meanwhile.
  private func clear(_ obstacle: Obstacle) throws(StoreError) {
    if obstacle == .fullQueue {
      if writing { monitor.wait(for: .writeRight) } else { lead() }
      return
    }
    monitor.unlock()
    defer { monitor.lock() }
    switch obstacle {
    case .fullQueue: break
    case .unknownIds: try learnIds()
    case .unknownStream(let stream): try learnRevision(of: stream)
    }
  }

  /// Called with the lock.
  private func enqueue(
    _ batch: [NewRecord], expecting: Expectation, hasIds: Bool
  ) throws(StoreError) -> Appended {
    let bytesBefore = queue.waiting.bytes.count
    let earlier = hasIds ? try queue.repetition(of: batch) : nil
    let ticket: Ticket
    if let earlier {
      ticket = earlier
    } else {
      let wasEmpty = queue.waiting.isEmpty
      ticket = try queue.enqueue(batch, expecting: expecting)
      if hasIds { queue.noteIds(of: batch, at: ticket.positions.lowerBound) }
      if wasEmpty { queuedSince = Self.now() }
      if parked || queue.waiting.bytes.count >= Self.wakeSize {
        if !writing { monitor.tell(.work) }
      }
    }
    return Appended(
      ticket: ticket, bytes: queue.waiting.bytes.count - bytesBefore, queuedRecords: queue.waiting.lines.count,
      queuedBytes: queue.waiting.bytes.count)
  }

  /// Makes the ids of the last records known that were on disk at opening. Called without the lock.
  private func learnIds() throws(StoreError) {
    let end = withMonitor { queue.ids.opened }
    let kept = try SegmentPruner(layout: layout, disk: disk).firstKept()
    let from = max(end - min(end, RecentIds.window), kept, try layout.segmentList(on: disk).first ?? 0)
    var older: [String: RecentIds.Entry] = [:]
    let reading = try SegmentReading(layout: layout, disk: disk, position: from)
    while let record = try reading.next(), record.position < end {
      guard let id = record.id else { continue }
      older[id] = .init(position: record.position, content: RecentIds.content(of: record))
    }
    withMonitor { queue.ids.complete(with: older) }
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
}
