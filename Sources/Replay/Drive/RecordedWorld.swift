// The world of a rerun: a transport, timers, a clock and awaited draws that return the recorded results at the recorded
// times.

import EventStore
import FlowRecording

/// Makes the event that a reader of the log reads, from the written event and its bytes.
typealias EventReader = @Sendable (FlowEvent, EncodedEvent) -> FlowEvent

/// Keeps the operations that the flow waits for, by the revision of the record that began them, and completes them as
/// recorded.
final class RecordedWorld: Transport, FlowTimers, FlowClock, Recorder, FlowJournal, RecordedAnswers {
  private struct State {
    var now: Timestamp
    /// The records since the last `take`.
    var step: [FlowRecord] = []
    /// Whether all records are written: nothing may be sent before.
    var isWritten = true
    /// Requests and timers that are recorded in the journal but not performed yet, in order.
    var requestsToSend: [FlowRecord] = []
    var timersToStart: [(revision: Int, milliseconds: Int)] = []
    /// The timers that were started with a different duration than their record states, by revision.
    var wrongTimers: [Int: Int] = [:]
    var completions: [Int: @Sendable (Result<HTTPResponse, TransportError>) -> Void] = [:]
    var timers: [Int: @Sendable () -> Void] = [:]
    /// The timers that were stopped. A stopped timer still fires if the recording says so.
    var stopped: Set<Int> = []
    var answers: [Int: @Sendable (Result<JSON, DrawFailure>) -> Void] = [:]
    var sent: [SentRequest] = []
  }

  /// A request that was sent, and its record.
  struct SentRequest {
    var record: FlowRecord?
    var request: HTTPRequest
    /// True if its record was written before it was sent.
    var wasWritten: Bool
  }

  private let state: Locked<State>

  private let read: EventReader

  /// A world.
  ///
  /// - Parameters:
  ///   - start: its time at first.
  ///   - read: makes the event that a reader of the log reads from a written one.
  init(at start: Timestamp, reading read: @escaping EventReader) {
    state = Locked(State(now: start))
    self.read = read
  }

  // MARK: What the flow asks

  func journal(for stream: String) -> any FlowJournal { self }

  func now() -> Timestamp { state.withLock { $0.now } }

  func append(_ entries: [JournalEntry]) throws(AuditError) {
    let step = entries.map { entry in
      var record = entry.record
      record.event = read(entry.record.event, entry.encoded)
      return record
    }
    state.withLock { state in
      state.step += step
      for entry in entries {
        state.isWritten = false
        if case .requestSent = entry.record.event { state.requestsToSend.append(entry.record) }
        if case .timerSet(let timer) = entry.record.event {
          state.timersToStart.append((entry.record.revision, timer.duration))
        }
      }
    }
  }

  func barrier(resume: @escaping @Sendable (AuditError?) -> Void) -> JournalBarrier {
    state.withLock { $0.isWritten = true }
    return .passed
  }

  func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    state.withLock { state in
      let record = state.requestsToSend.isEmpty ? nil : state.requestsToSend.removeFirst()
      state.sent.append(SentRequest(record: record, request: request, wasWritten: state.isWritten))
      if let record { state.completions[record.revision] = completion }
    }
    return RecordedTask {}
  }

  func schedule(milliseconds: Int, fire: @escaping @Sendable () -> Void) -> any TimerTask {
    let timer: Int? = state.withLock { state in
      guard !state.timersToStart.isEmpty else { return nil }
      let timer = state.timersToStart.removeFirst()
      state.timers[timer.revision] = fire
      if timer.milliseconds != milliseconds { state.wrongTimers[timer.revision] = milliseconds }
      return timer.revision
    }
    return RecordedTask { [self] in
      if let timer { state.withLock { _ = $0.stopped.insert(timer) } }
    }
  }

  func ask(_ revision: Int, answer: @escaping @Sendable (Result<JSON, DrawFailure>) -> Void) {
    state.withLock { $0.answers[revision] = answer }
  }

  // MARK: What the recording gives

  /// Sets the time.
  func turn(to time: Timestamp) { state.withLock { $0.now = time } }

  /// Completes a request; has no effect if none is waiting.
  func complete(_ request: Int?, _ result: Result<HTTPResponse, TransportError>) {
    guard let request else { return }
    let completion = state.withLock { $0.completions.removeValue(forKey: request) }
    completion?(result)
  }

  /// Forgets a request that ends in another way.
  func forget(_ request: Int?) { state.withLock { state in request.map { state.completions[$0] = nil } } }

  /// Forgets all waiting operations.
  func forgetAll() { state.withLock { ($0.completions, $0.timers, $0.answers) = ([:], [:], [:]) } }

  /// Ends a timer's wait; has no effect if there is none.
  func fire(_ timer: Int?) {
    guard let timer else { return }
    let fire = state.withLock { $0.timers.removeValue(forKey: timer) }
    fire?()
  }

  /// Answers a draw; has no effect if none was requested.
  func answer(_ asked: Int?, _ result: Result<JSON, DrawFailure>) {
    guard let asked else { return }
    let answer = state.withLock { $0.answers.removeValue(forKey: asked) }
    answer?(result)
  }

  // MARK: What the flow did

  /// The records since the last call.
  func take() -> [FlowRecord] {
    state.withLock { state in
      defer { state.step = [] }
      return state.step
    }
  }

  /// Whether there are records since the last `take`.
  var hasRecords: Bool { state.withLock { !$0.step.isEmpty } }

  /// The timers that run, by the revisions of their `timer.set`.
  var runningTimers: Set<Int> { state.withLock { Set($0.timers.keys).subtracting($0.stopped) } }

  /// The timers that were started since the last call with a different duration than their record states: their
  /// milliseconds by revision.
  func takeWrongTimers() -> [Int: Int] {
    state.withLock { state in
      defer { state.wrongTimers = [:] }
      return state.wrongTimers
    }
  }

  /// The requests that were sent since the last call, and the records of those that were not sent.
  func takeRequests() -> (sent: [SentRequest], unsent: [FlowRecord]) {
    state.withLock { state in
      defer { (state.sent, state.requestsToSend) = ([], []) }
      return (state.sent, state.requestsToSend)
    }
  }
}

/// An operation that the recording ends.
private struct RecordedTask: TransportTask, TimerTask {
  let cancelled: @Sendable () -> Void

  func cancel() { cancelled() }
}
