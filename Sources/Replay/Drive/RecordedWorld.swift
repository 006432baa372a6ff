// The world of a rerun: a transport, timers, a clock and awaited draws that give what was recorded, when it was
// recorded.

import EventStore
import FlowRecording

/// Makes the event that a reader of the log gets of one that was written, and of its bytes.
typealias EventReader = @Sendable (FlowEvent, EncodedEvent) -> FlowEvent

/// Keeps what the flow waits for, by the revision of the record that began it, and gives it the recorded end.
final class RecordedWorld: Transport, FlowTimers, FlowClock, Recorder, FlowJournal, RecordedAnswers {
  private struct State {
    var now: Timestamp
    /// The records since the last `take`.
    var step: [FlowRecord] = []
    /// Whether all records are written: nothing may be sent before.
    var isWritten = true
    /// Requests and timers of which records stand in the journal, in order, and which were not performed yet.
    var requestsToSend: [FlowRecord] = []
    var timersToStart: [(revision: Int, milliseconds: Int)] = []
    /// The timers that were started with another time than their record says, by revision.
    var wrongTimers: [Int: Int] = [:]
    var completions: [Int: @Sendable (Result<HTTPResponse, TransportError>) -> Void] = [:]
    var timers: [Int: @Sendable () -> Void] = [:]
    /// The timers that were stopped. One that was recorded to fire nevertheless does.
    var stopped: Set<Int> = []
    var answers: [Int: @Sendable (Result<JSON, DrawFailure>) -> Void] = [:]
    var sent: [SentRequest] = []
  }

  /// A request that left, and its record.
  struct SentRequest {
    var record: FlowRecord?
    var request: HTTPRequest
    /// Whether its record was written before.
    var wasWritten: Bool
  }

  private let state: Locked<State>

  private let read: EventReader

  /// A world.
  ///
  /// - Parameters:
  ///   - start: its time at first.
  ///   - read: makes the event that a reader of the log gets of one that was written.
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
          state.timersToStart.append((entry.record.revision, timer.milliseconds))
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

  /// Ends a request; does nothing if none waits.
  func complete(_ request: Int?, _ result: Result<HTTPResponse, TransportError>) {
    guard let request else { return }
    let completion = state.withLock { $0.completions.removeValue(forKey: request) }
    completion?(result)
  }

  /// Lets go of a request whose end comes another way.
  func forget(_ request: Int?) { state.withLock { state in request.map { state.completions[$0] = nil } } }

  /// Lets go of all that waits.
  func forgetAll() { state.withLock { ($0.completions, $0.timers, $0.answers) = ([:], [:], [:]) } }

  /// Ends a wait; does nothing if there is none.
  func fire(_ timer: Int?) {
    guard let timer else { return }
    let fire = state.withLock { $0.timers.removeValue(forKey: timer) }
    fire?()
  }

  /// Answers a draw; does nothing if none was asked for.
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

  /// The timers that were started since the last call with another time than their record says: their milliseconds by
  /// revision.
  func takeWrongTimers() -> [Int: Int] {
    state.withLock { state in
      defer { state.wrongTimers = [:] }
      return state.wrongTimers
    }
  }

  /// The requests that left since the last call, and the records of those that did not leave.
  func takeRequests() -> (sent: [SentRequest], unsent: [FlowRecord]) {
    state.withLock { state in
      defer { (state.sent, state.requestsToSend) = ([], []) }
      return (state.sent, state.requestsToSend)
    }
  }
}

/// Something that a recording ends.
private struct RecordedTask: TransportTask, TimerTask {
  let cancelled: @Sendable () -> Void

  func cancel() { cancelled() }
}
