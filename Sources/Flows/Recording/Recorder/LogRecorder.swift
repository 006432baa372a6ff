// Records flows into an event log, and decides what happens if the log cannot be written (DESIGN §2 rule 6).

public import EventStore

/// What a flow does when it cannot be recorded.
public enum Auditing: Sendable, Hashable {
  /// Nothing is sent, and the caller gets an error that says what to do.
  case required
  /// The flow goes on. Lost events are counted, and `log.gap` records it once the store is writable.
  case bestEffort
}

/// Records flows into one log. Opens it when the first flow begins, and again with a new flow after a failure.
///
/// A log that takes nothing more, since its disk failed in a way that could not be mended, is closed and opened again,
/// at most once in `reopenInterval`. Until that succeeds, `required` refuses, and `bestEffort` counts what is lost.
///
/// The log signs checkpoints on a schedule, and keeps the latest at a second place, if `options.checkpoints` says so.
///
/// Logs its own start, heartbeats, and stop, so gaps are visible: `recorder.started` when the log is opened,
/// `recorder.heartbeat` in each `heartbeat` while it is open, `recorder.stopped` when it is closed (docs/EVENTS.md §8).
/// A process that died left no `recorder.stopped`. Call `open()` when the application starts if the log is to show how
/// long no one signed in.
public final class LogRecorder: Recorder {
  /// Where the log lies.
  public let directory: String
  /// What happens if it cannot be written.
  public let auditing: Auditing
  private let options: EventLog.Options
  private let signingKey: SigningKey?
  private let clock: any FlowClock
  private let timers: any FlowTimers
  /// How often the log says that the recorder runs; nil: never. A second at least, a year at most.
  public let heartbeat: Duration?
  /// How long after a broken log could not be opened again it is tried the next time.
  public let reopenInterval: Duration
  private let state = Locked(State())

  private struct State {
    var log: EventLog?
    var isClosed = false
    var gap = Gap()
    /// When opening a broken log again failed last, and why.
    var refusal: (at: Timestamp, error: StoreError)?
    /// True from when the log broke until it is open again.
    var isBroken = false
    /// Why a log broke that is being closed at this moment.
    var closing: StoreError?
    /// The timer of the next heartbeat.
    var heart: (any TimerTask)?

    /// Takes out a log that broke, to be closed; nil if there is none, or another thread closes it.
    mutating func takeBroken() -> EventLog? {
      guard !isClosed, closing == nil, let broken = log, let failure = broken.failure else { return nil }
      closing = failure
      log = nil
      isBroken = true
      return broken
    }
  }

  /// Makes a recorder. Nothing is opened yet: a log that cannot be opened shows with the first flow, as the
  /// auditing says, or with `open()`.
  ///
  /// - Parameters:
  ///   - directory: the store; made if it is missing.
  ///   - auditing: what happens if it cannot be written.
  ///   - options: durability and sizes.
  ///   - signingKey: signs a checkpoint when the recorder is closed; nil signs none.
  ///   - clock: gives the times of the recorder's own records.
  ///   - timers: wake the recorder for its heartbeats.
  ///   - heartbeat: how often the log says that the recorder runs, from a second to a year; nil: never.
  ///   - reopenInterval: how often, at most, a log that broke is opened again.
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

  /// Opens the log now, if it is not open yet, or broke. A broken log that could not be opened again a moment ago is
  /// not tried: the error is that of the last time.
  ///
  /// - Returns: the log, for appending events of the application's own beside the flows.
  /// - Throws: `StoreError` if it cannot be opened or the recorder is closed.
  @discardableResult
  public func open() throws(StoreError) -> EventLog {
    // Closing a log calls back the flows that wait for its records, and they come here to count what is lost: so the
    // lock is not held meanwhile. A thread that opens while another closes gets the error of the log that broke.
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

  /// Opens the log. One that broke is closed: that has given its lock back.
  private func reopen(_ state: inout State) throws(StoreError) -> EventLog {
    let now = clock.now()
    // Broke since it was looked at.
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

  /// True if `then` is less than the interval ago. A clock that was set back is no reason to wait.
  private func isRecent(_ then: Timestamp, _ now: Timestamp) -> Bool {
    let (passed, overflowed) = now.microseconds.subtractingReportingOverflow(then.microseconds)
    return !overflowed && passed >= 0 && .microseconds(passed) < reopenInterval
  }

  /// Tries to open a log that broke, and records the gap once that succeeds.
  func mend() {
    guard state.withLock({ $0.isBroken || $0.log?.failure != nil }) else { return }
    recordGap()
  }

  /// The events lost so far that no `log.gap` records yet.
  public var lost: Int { state.withLock { $0.gap.events } }

  /// Writes what is queued, a gap that is open and `recorder.stopped`, signs a checkpoint if there is a key, and closes
  /// the log.
  ///
  /// - Throws: `StoreError` if one of these fails; the lock on the store is given back all the same.
  public func close() throws(StoreError) { _ = try end(signingKey) }

  /// Closes as `close()` does, and signs with a key that the recorder was not made with.
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

  // MARK: What it says of itself

  /// Appends a record of the recorder's own life.
  private func append(_ event: RecorderEvent, to log: EventLog) throws(StoreError) {
    _ = try log.append([event.record(at: clock.now())])
  }

  /// Sets the timer of the next heartbeat. With the lock.
  private func scheduleHeartbeat(_ state: inout State) {
    state.heart?.cancel()
    state.heart = heartbeat.map { interval in
      timers.schedule(milliseconds: Int(interval / .milliseconds(1))) { [weak self] in self?.beat() }
    }
  }

  /// Says that the recorder runs. A log that broke gets none: it says so when it is open again.
  private func beat() {
    let log: EventLog? = state.withLock { state in
      guard !state.isClosed, let log = state.log, log.failure == nil else { return nil }
      scheduleHeartbeat(&state)
      return log
    }
    if let log { try? append(.heartbeat, to: log) }
  }

  // MARK: Losses

  /// Events that were lost and not recorded yet.
  struct Gap {
    var events = 0
    var flows: [String] = []
    var since: Timestamp?
    var reason = ""

    /// Puts back a gap that could not be recorded.
    mutating func join(earlier gap: Gap) {
      events += gap.events
      flows = gap.flows + flows.filter { !gap.flows.contains($0) }
      since = gap.since ?? since
      reason = gap.reason
    }
  }

  /// Counts events that could not be written. The first reason is the one that is recorded.
  func lose(_ events: Int, of stream: String, reason: String) {
    let now = clock.now()
    state.withLock { state in
      state.gap.events += events
      if state.gap.flows.last != stream, state.gap.flows.count < 50 { state.gap.flows.append(stream) }
      if state.gap.since == nil {
        state.gap.since = now
        state.gap.reason = reason
      }
    }
  }

  /// Records an open gap, if the log can be written again.
  func recordGap() {
    guard lost > 0, let log = try? open() else { return }
    // Taken, so that only one thread records it.
    let gap = state.withLock { state in
      defer { state.gap = Gap() }
      return state.gap
    }
    guard gap.events > 0 else { return }
    let data: JSON = .members([
      ("lost", .int(gap.events)), ("flows", .array(gap.flows.map(JSON.string))),
      ("since", gap.since.map { .string($0.description) }), ("reason", .string(gap.reason)),
    ])
    let record = NewRecord(
      at: clock.now(), stream: "log", id: nil, type: "log.gap", version: 1, cause: nil, data: data.bytes)
    guard (try? log.append([record])) != nil, (try? log.flush()) != nil else {
      return state.withLock { $0.gap.join(earlier: gap) }
    }
  }
}
