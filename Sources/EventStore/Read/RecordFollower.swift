// Reading a log as it grows: a separate thread reads ahead a bounded amount, and waits if there is nothing new.
/// The state that the reading thread shares with the caller that asks for records.
final class RecordFollower: @unchecked Sendable {  // guarded by `monitor`
  /// Read-ahead limits, in records and in bytes of lines. A single record may exceed the byte limit.
  private static let aheadRecords = 1_024
  private static let aheadBytes = 1 << 20

  private let reader: LogReader
  private let range: RecordSequence.Bounds
  private let monitor = Monitor()
  private let watch: DirectoryWatch
  private var ready: [StoredRecord] = []
  private var given = 0
  private var end: Result<Void, StoreError>?
  private var isStopped = false
  private var asking: CheckedContinuation<Result<StoredRecord?, StoreError>, Never>?

  init(_ reader: LogReader, _ range: RecordSequence.Bounds) {
    self.reader = reader
    self.range = range
    // Begun before the first look, so that nothing falls between the two.
    watch = DirectoryWatch(of: [reader.layout.segments], isReal: reader.disk is SystemDisk)
  }

  /// Begins to read. If the system starts no thread, the first `next` returns that error.
  func start() {
    do throws(StoreError) {
      try startThread("LogFollower", stackSize: 1 << 20) { self.run() }
    } catch {
      finish(.failure(error))
    }
  }

  /// Ends the thread; a waiting `next` returns nil.
  func stop() {
    monitor.lock()
    isStopped = true
    let waiting = asking
    asking = nil
    monitor.tell(.work)
    monitor.unlock()
    watch.wake()
    waiting?.resume(returning: .success(nil))
  }

  /// The next record, nil at the end or once it is stopped.
  func next() async -> Result<StoredRecord?, StoreError> {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        monitor.lock()
        let answer = answer()
        if answer == nil { asking = continuation }
        monitor.unlock()
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      stop()
    }
  }

  /// The result that `next` can return now. Called with the lock.
  private func answer() -> Result<StoredRecord?, StoreError>? {
    if isStopped { return .success(nil) }
    if given < ready.count {
      given += 1
      let record = ready[given - 1]
      if given == ready.count {
        ready.removeAll(keepingCapacity: true)
        given = 0
        monitor.tell(.work)
      }
      return .success(record)
    }
    guard let end else { return nil }
    self.end = .success(())  // an error is reported once; the loop ends with it
    return end.map { nil }
  }

  private func run() {
    do throws(StoreError) {
      var cursor = try reader.cursor(from: range.first)
      while true {
        var records: [StoredRecord] = []
        let reach: Reach
        do throws(StoreError) {
          reach = try read(&cursor, into: &records)
        } catch {
          // The records before the damage are good.
          if deliver(records, isEnd: false) { finish(.failure(error)) }
          return
        }
        guard deliver(records, isEnd: reach == .last) else { return }
        if reach == .end { watch.wait() }
      }
    } catch {
      finish(.failure(error))
    }
  }

  /// How far a piece goes.
  private enum Reach {
    /// There may be more.
    case partway
    /// To the end of the log as it is.
    case end
    /// To the last record that is wanted.
    case last
  }

  /// Reads a piece of what is there.
  private func read(_ cursor: inout RecordCursor, into records: inout [StoredRecord]) throws(StoreError) -> Reach {
    var bytes = 0
    var looked = 0
    while records.count < Self.aheadRecords, bytes < Self.aheadBytes, looked < 1 << 16 {
      guard let record = try cursor.next() else { return range.ends ? .last : .end }
      looked += 1
      if let last = range.last, record.position > last { return .last }
      if range.has(record) {
        // Records of one stream are far apart: none should keep its neighbors in memory.
        records.append(range.stream == nil ? record : record.alone)
        bytes += record.bytes.count
      }
      if record.position == range.last { return .last }
    }
    return .partway
  }

  /// Hands records over after the previous ones were taken. False if there is nothing more to do.
  private func deliver(_ records: [StoredRecord], isEnd: Bool) -> Bool {
    monitor.lock()
    while !isStopped, !ready.isEmpty { monitor.wait(for: .work) }
    if isStopped {
      monitor.unlock()
      return false
    }
    ready = records
    given = 0
    if isEnd { end = .success(()) }
    resumeAndUnlock()
    return !isEnd
  }

  private func finish(_ result: Result<Void, StoreError>) {
    monitor.lock()
    while !isStopped, !ready.isEmpty { monitor.wait(for: .work) }
    end = result
    resumeAndUnlock()
  }

  private func resumeAndUnlock() {
    let waiting = asking
    let answer = waiting == nil ? nil : answer()
    if answer != nil { asking = nil }
    monitor.unlock()
    if let answer { waiting?.resume(returning: answer) }
  }
}
