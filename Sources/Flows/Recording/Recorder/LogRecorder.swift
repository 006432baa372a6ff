// Records flows into an event log, and decides what happens if the log cannot be written (DESIGN §2 rule 6).

public import EventStore

/// What a flow does when it cannot be recorded.
public enum Auditing: Sendable, Hashable {
  /// Nothing is sent, and the caller receives an error that explains what to do.
  case required
  /// The flow continues. Lost events are counted, and `log.gap` records their number once the store is writable.
  case bestEffort
}

/// Records flows into one log. Opens it when the first flow begins, and again with a new flow after a failure.
///
/// After a disk failure that cannot be repaired, the log is closed and reopened, at most once per `reopenInterval`.
/// Until that succeeds, `required` refuses, and `bestEffort` counts lost events.
///
/// If `options.checkpoints` specifies it, the log signs checkpoints on a schedule and keeps the latest at a second
/// place.
///
/// It records its own start, heartbeats and stop, so that gaps are visible: `recorder.started` when the log is opened,
/// `recorder.heartbeat` in each `heartbeat` while it is open, `recorder.stopped` when it is closed (docs/EVENTS.md §8).
/// A process that died leaves no `recorder.stopped`. Call `open()` when the application starts if the log should show
/// periods without sign-ins.
public final class LogRecorder: Recorder {
  /// The directory of the log.
  public let directory: String
  /// What happens if it cannot be written.
  public let auditing: Auditing
  private let options: EventLog.Options
  private let signingKey: SigningKey?
  private let clock: any FlowClock
  private let timers: any FlowTimers
  /// The heartbeat interval, from a second to a year; nil for no heartbeats.
  public let heartbeat: Duration?
  /// The time between attempts to reopen a log that failed.
  public let reopenInterval: Duration
  private let state = Locked(State())

  private struct State {
    var log: EventLog?
    var isClosed = false
    var gap = LogGap()
    /// When and why the last attempt to reopen a failed log failed.
    var refusal: (at: Timestamp, error: StoreError)?
    /// True from the failure of the log until it is open again.
    var isBroken = false
    /// Why the log that is currently being closed failed.
    var closing: StoreError?
    /// The timer of the next heartbeat.
    var heart: (any TimerTask)?

    /// Takes a failed log, to be closed; nil if there is none, or if another thread closes it.
    mutating func takeBroken() -> EventLog? {
      guard !isClosed, closing == nil, let broken = log, let failure = broken.failure else { return nil }
      closing = failure
      log = nil
      isBroken = true
      return broken
    }
  }

  /// Makes a recorder without opening the log. Failures to open it are reported by `open()`, or with the first flow
  /// according to `auditing`.
  ///
  /// - Parameters:
  ///   - directory: the store; created if it is missing.
  ///   - auditing: what happens if it cannot be written.
  ///   - options: durability and sizes.
  ///   - signingKey: signs a checkpoint when the recorder is closed; nil for none.
  ///   - clock: provides the times of the recorder's own records.
  ///   - timers: schedule the recorder's heartbeats.
  ///   - heartbeat: the heartbeat interval, from a second to a year; nil for no heartbeats.
  ///   - reopenInterval: the minimum time between attempts to reopen a failed log.
  public init(
    directory: String, auditing: Auditing = .required, options: EventLog.Options = EventLog.Options(),
    signingKey: SigningKey? = nil, clock: any FlowClock = SystemClock(), timers: any FlowTimers = DispatchTimers(),
    heartbeat: Duration? = .seconds(900), reopenInterval: Duration = .seconds(5)
  ) {
    self.directory = directory
    self.auditing = auditing
    self.options = options
    self.signingKey = signingKey
    self.clock = clock
    self.timers = timers
    self.heartbeat = heartbeat.map { min(max($0, .seconds(1)), .seconds(31_536_000)) }
    self.reopenInterval = reopenInterval
  }

  deinit { state.withLock { $0.heart?.cancel() } }

  /// Opens the log now if it is not open or has failed. Within `reopenInterval` of a failed attempt to reopen it, this
  /// does not try again and throws the previous error.
  ///
  /// - Returns: the log, for appending the application's own events.
  /// - Throws: `StoreError` if it cannot be opened or the recorder is closed.
  @discardableResult
  public func open() throws(StoreError) -> EventLog {
    // Closing a log calls back the flows that wait for its records, which then count their losses here, so the lock
    // must not be held meanwhile. A thread that opens while another closes receives the error of the failed log.
    while let broken = state.withLock({ $0.takeBroken() }) {
      try? broken.close()  // it has said already what is wrong
      state.withLock { $0.closing = nil }
    }
    let result: Result<EventLog, StoreError> = state.withLock { state in
      if let log = state.log, log.failure == nil { return .success(log) }
      do throws(StoreError) {
        guard !state.isClosed else {
          throw StoreError(.closed, "the recorder is closed", file: directory, advice: "make a new one")
        }
        if let failure = state.closing { throw failure }
        return .success(try reopen(&state))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Opens the log. A failed one has already been closed and has released its lock.
  private func reopen(_ state: inout State) throws(StoreError) -> EventLog {
    let now = clock.now()
    // It failed in the meantime.
    if let failure = state.log?.failure { throw failure }
    if state.isBroken, let refusal = state.refusal, isRecent(refusal.at, now) { throw refusal.error }
    do throws(StoreError) {
      let log = try EventLog.open(at: directory, options: options)
      do throws(StoreError) {
        try append(.started(auditing, heartbeat: heartbeat, afterFailure: state.isBroken), to: log)
      } catch {
        try? log.close()
        throw error
      }
      state.log = log
      scheduleHeartbeat(&state)
      state.isBroken = false
      state.refusal = nil
      return log
    } catch {
      state.refusal = (now, error)
      throw error
    }
  }

  /// True if `then` is less than the interval ago. A clock that was set back does not delay the next attempt.
  private func isRecent(_ then: Timestamp, _ now: Timestamp) -> Bool {
    let (passed, overflowed) = now.microseconds.subtractingReportingOverflow(then.microseconds)
    return !overflowed && passed >= 0 && .microseconds(passed) < reopenInterval
  }

  /// Tries to reopen a failed log, and records the gap if that succeeds.
  func mend() {
    guard state.withLock({ $0.isBroken || $0.log?.failure != nil }) else { return }
    recordGap()
  }

  /// The number of lost events not yet recorded by a `log.gap`.
  public var lost: Int { state.withLock { $0.gap.events } }

  /// Writes queued records, any open gap and `recorder.stopped`, signs a checkpoint if there is a key, and closes the
  /// log.
  ///
  /// - Throws: `StoreError` if one of these fails; the lock on the store is released in any case.
  public func close() throws(StoreError) { _ = try end(signingKey) }

  /// Closes as `close()` does, but signs with the given key.
  ///
  /// - Returns: the checkpoint; nil if the log was not open.
  /// - Throws: what `close()` throws, and what `EventLog.checkpoint(with:)` does.
  public func close(signing key: SigningKey) throws(StoreError) -> SignedNote? { try end(key) }

  private func end(_ key: SigningKey?) throws(StoreError) -> SignedNote? {
    recordGap()
    let (log, lost) = state.withLock { state in
      state.isClosed = true
      state.heart?.cancel()
      state.heart = nil
      defer { state.log = nil }
      return (state.log, state.gap.events)
    }
    guard let log else { return nil }
    var failure: StoreError?
    do throws(StoreError) { try append(.stopped(lost: lost), to: log) } catch { failure = error }
    var note: SignedNote?
    if let key {
      do throws(StoreError) { note = try log.checkpoint(with: key) } catch { failure = failure ?? error }
    }
    do throws(StoreError) { try log.close() } catch { failure = failure ?? error }
    if let failure { throw failure }
    return note
  }

  /// The journal of a new flow.
  public func journal(for stream: String) -> any FlowJournal {
    recordGap()
    return LogJournal(recorder: self, stream: stream)
  }

  // MARK: Own records

  /// Appends a record about the recorder itself.
  private func append(_ event: RecorderEvent, to log: EventLog) throws(StoreError) {
    _ = try log.append([event.record(at: clock.now())])
  }

  /// Sets the timer of the next heartbeat. Requires the lock.
  private func scheduleHeartbeat(_ state: inout State) {
    state.heart?.cancel()
    state.heart = heartbeat.map { interval in
      timers.schedule(milliseconds: Int(interval / .milliseconds(1))) { [weak self] in self?.beat() }
    }
  }

  /// Records a heartbeat. A failed log gets none; the recorder reports the failure when it is open again.
  private func beat() {
    let log: EventLog? = state.withLock { state in
      guard !state.isClosed, let log = state.log, log.failure == nil else { return nil }
      scheduleHeartbeat(&state)
      return log
    }
    if let log { try? append(.heartbeat, to: log) }
  }

  // MARK: Losses

  /// Counts events that could not be written. The first reason is recorded.
  func lose(_ events: Int, of stream: String, reason: String) {
    let now = clock.now()
    state.withLock { $0.gap.lose(events, of: stream, at: now, reason: reason) }
  }

  /// Records an open gap, if the log can be written again.
  func recordGap() {
    guard lost > 0, let log = try? open() else { return }
    // Removed from the state, so that only one thread records it.
    let gap = state.withLock { state in
      defer { state.gap = LogGap() }
      return state.gap
    }
    guard gap.events > 0 else { return }
    let record = NewRecord(
      at: clock.now(), stream: "log", id: nil, type: "log.gap", version: 1, cause: nil, data: gap.data.bytes)
    guard (try? log.append([record])) != nil, (try? log.flush()) != nil else {
      return state.withLock { $0.gap.join(earlier: gap) }
    }
  }
}
