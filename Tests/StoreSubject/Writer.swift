import EventStore
import Foundation

/// Appends, syncs, signs and closes, and says what the log promised:
///
///     w FIRST END BY NUMBER   records FIRST ..< END are written: those of appender BY from NUMBER on
///     d FIRST END BY NUMBER   and a sync has covered them
///     a SIZE                  all records before SIZE are synced
///     e WHAT                  an error; no promise
struct Writer: Sendable {
  private let directory: String
  private let settings: Settings
  private let appenders: Int
  private let batches: Int
  private let mode: EventLog.Durability
  private let key: SigningKey?
  private let deadline: Date

  init(directory: String, settings: Settings) {
    self.directory = directory
    self.settings = settings
    appenders = settings.number("appenders") ?? 1
    batches = settings.number("batches") ?? .max
    deadline = settings.number("seconds").map { Date(timeIntervalSinceNow: TimeInterval($0)) } ?? .distantFuture
    mode =
      switch settings.text("mode") {
      case "each": .each
      case "group": .group(milliseconds: 2)
      default: .os
      }
    key = settings.text("signing").flatMap { try? SigningKey.load(path: $0) }
  }

  /// Runs the sessions. 0, or 1 where some call of the log threw.
  func run() -> Int32 {
    var options = EventLog.Options(durability: mode, origin: "subject", idleClose: .milliseconds(50))
    options.segmentBytes = settings.number("segment") ?? 4 << 10
    options.frameBytes = settings.number("frame") ?? 900
    var status: Int32 = 0
    let counters = Counters(first: settings.number("from") ?? 0, count: appenders)
    for _ in 0..<(settings.number("sessions") ?? 1) {
      do {
        let log = try EventLog.open(at: directory, options: options)
        StoreSubject.say("open")
        let threads = (0..<appenders).map { appender in
          Self.thread { self.append(to: log, as: appender, counters: counters) }
        }
        for ended in threads { ended.wait() }
        try log.close()
        StoreSubject.say("a \(log.size)")
      } catch {
        status = 1
        StoreSubject.say("e \(error)")
      }
    }
    return status
  }

  private static func thread(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
    let ended = DispatchSemaphore(value: 0)
    let thread = Thread {
      body()
      ended.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    return ended
  }

  /// One appender. Goes on after an error as long as the log takes anything.
  private func append(to log: EventLog, as appender: Int, counters: Counters) {
    for batch in 0..<batches {
      if Date() > deadline { return }
      do {
        // One appender does what belongs to the whole log.
        if appender == 0, batch % 8 == 5 {
          try log.sync()
          StoreSubject.say("a \(log.size)")
        }
        if appender == 0, batch % 16 == 9, let key { StoreSubject.say("a \(try log.checkpoint(with: key).size)") }
        try append(batch: batch, to: log, as: appender, counters: counters)
      } catch {
        StoreSubject.say("e \(error)")
        if (try? log.append([], expecting: .fresh)) == nil { return }
      }
    }
  }

  private func append(batch: Int, to log: EventLog, as appender: Int, counters: Counters) throws {
    let records = counters.take(1 + batch % 3, of: appender)
    let ticket = try log.append(
      records.map { NewRecord(at: .now(), stream: $0.stream, type: "subject.record", data: $0.data) })
    let promise = "\(ticket.positions.lowerBound) \(ticket.positions.upperBound) \(appender) \(records[0].number)"
    let done = DispatchSemaphore(value: 0)
    let isEach = mode == .each
    let outcome = log.barrier(ticket) { error in
      // Said where it is heard: nothing can be synced between the two that was not when it was heard.
      StoreSubject.say(error.map { "e \($0)" } ?? "d \(promise)")
      done.signal()
    }
    switch outcome {
    case .passed: StoreSubject.say((isEach ? "d " : "w ") + promise)
    case .pending: done.wait()
    case .failed(let error): throw error
    }
  }
}

/// How many records each appender has offered.
private final class Counters: @unchecked Sendable {  // guarded by `guardian`
  private let guardian = NSLock()
  private var next: [Int]

  init(first: Int, count: Int) { next = Array(repeating: first, count: count) }

  func take(_ count: Int, of appender: Int) -> [SubjectRecord] {
    guardian.lock()
    defer { guardian.unlock() }
    let first = next[appender]
    next[appender] += count
    return (first..<next[appender]).map { SubjectRecord(appender: appender, number: $0) }
  }
}
