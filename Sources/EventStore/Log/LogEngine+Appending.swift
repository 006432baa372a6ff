// Appending: what has to be known and waited for before a batch can be queued.

extension LogEngine {
  /// Queues a batch; see `EventLog.append`.
  func append(_ batch: [NewRecord], expecting: Expectation) throws(StoreError) -> Ticket {
    let hasIds = try AppendQueue.check(batch)
    let appended = try withMonitorThrowing { () throws(StoreError) in
      while true {
        switch try offer(batch, expecting: expecting, hasIds: hasIds) {
        case .taken(let ticket, let bytes): return noted(ticket, bytes: bytes)
        case .obstacle(let obstacle): try clear(obstacle)
        }
      }
    }
    return told(appended)
  }

  /// Queues a batch if that needs no wait for the disk; nil if it does, and nothing is queued then.
  func appendAtOnce(_ batch: [NewRecord], expecting: Expectation) throws(StoreError) -> Ticket? {
    let hasIds = try AppendQueue.check(batch)
    let appended = try withMonitorThrowing { () throws(StoreError) -> Appended? in
      guard case .taken(let ticket, let bytes) = try offer(batch, expecting: expecting, hasIds: hasIds) else {
        return nil
      }
      return noted(ticket, bytes: bytes)
    }
    return appended.map(told)
  }

  /// Queues a batch; or, if something must be done first, does it once, queues nothing and returns nil.
  func appendOrPrepare(_ batch: [NewRecord], expecting: Expectation) throws(StoreError) -> Ticket? {
    let hasIds = try AppendQueue.check(batch)
    let appended = try withMonitorThrowing { () throws(StoreError) -> Appended? in
      switch try offer(batch, expecting: expecting, hasIds: hasIds) {
      case .taken(let ticket, let bytes): return noted(ticket, bytes: bytes)
      case .obstacle(let obstacle):
        try clear(obstacle)
        return nil
      }
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

  /// Reports a batch to the metrics. Called without the lock.
  private func told(_ appended: Appended) -> Ticket {
    guard let metrics = observer.metrics else { return appended.ticket }
    metrics.record(
      .appended(
        records: appended.ticket.isRepeat ? 0 : appended.ticket.positions.count, bytes: appended.bytes,
        queuedRecords: appended.queuedRecords, queuedBytes: appended.queuedBytes))
    return appended.ticket
  }

  private func offer(
    _ batch: [NewRecord], expecting: Expectation, hasIds: Bool
  ) throws(StoreError) -> AppendQueue.Offer {
    try refuseWhereClosed()
    return try queue.offer(batch, expecting: expecting, hasIds: hasIds)
  }

  /// Called with the lock; releases it meanwhile.
  private func clear(_ obstacle: AppendQueue.Obstacle) throws(StoreError) {
    if obstacle == .fullQueue {
      if writing { monitor.wait(for: .writeRight) } else { lead() }
      return
    }
    monitor.unlock()
    defer { monitor.lock() }
    switch obstacle {
    case .fullQueue: break
    case .unknownIds: try learnIds()
    case .unknownStreams(let streams): try learnRevisions(of: streams)
    }
  }

  /// Records that a batch was queued, and wakes the log's own thread if necessary. Called with the lock.
  private func noted(_ ticket: Ticket, bytes: Int) -> Appended {
    let (queuedRecords, queuedBytes) = queue.load
    if queuedBytes == bytes, bytes > 0 { queuedSince = Self.now() }
    if bytes > 0, parked || queuedBytes >= Self.wakeSize, !writing { monitor.tell(.work) }
    return Appended(ticket: ticket, bytes: bytes, queuedRecords: queuedRecords, queuedBytes: queuedBytes)
  }

  /// Loads the ids of the last records that were on disk at opening. Called without the lock.
  private func learnIds() throws(StoreError) {
    let end = withMonitor { queue.ids.opened }
    let kept = try PrunedSegments(layout: layout, disk: disk).firstKept()
    let from = max(end - min(end, RecentIds.window), kept, try layout.segmentList(on: disk).first ?? 0)
    var older: [ByteName: RecentIds.Entry] = [:]
    let reading = try SegmentReading(layout: layout, disk: disk, position: from)
    while let record = try reading.next(), record.position < end {
      guard let id = record.id else { continue }
      older[ByteName(id)] = .init(position: record.position, content: RecentIds.content(of: record))
    }
    withMonitor { queue.ids.complete(with: older) }
  }

  /// Loads the next revisions of streams, from disk if they may be there. Called without the lock.
  private func learnRevisions(of streams: [String]) throws(StoreError) {
    let lookup = RevisionLookup(layout: layout, disk: disk, writer: writer, catalog: catalog)
    let forgettings = withMonitor { queue.forgettings }
    if !withMonitor({ queue.knowsAllStreams }) {
      let older = try withRightThrowing { () throws(StoreError) in try lookup.older() }
      withMonitor { queue.learn(older: older) }
    }
    var next = streams.map { (stream: $0, revision: 0) }
    let known = withMonitor { queue.older(besides: streams) }
    let onDisk = next.indices.filter { index in
      guard let known else { return true }
      return known.begun.contains(streams[index].hashValue) || known.streams.mayHave(streams[index])
    }
    if !onDisk.isEmpty {
      // All that was queued before is on disk then; what comes after is in the cache, which `learn` leaves as it is.
      try drain()
      let found = try withRightThrowing { () throws(StoreError) in try lookup.next(of: onDisk.map { streams[$0] }) }
      for (index, revision) in zip(onDisk, found) { next[index].revision = revision }
    }
    withMonitor { queue.learn(next: next, asOf: forgettings) }
  }
}
