import EventStore
import Foundation

/// Reads or verifies a store again and again while another process writes it, until standard input ends. Says in the end
/// how often and how much, or `fault WHAT` at the first thing that is not as it should be.
struct Watcher {
  private let directory: String
  private let seed: Int
  private let ending = Ending()

  init(directory: String, settings: Settings) {
    self.directory = directory
    seed = settings.number("seed") ?? 0
  }

  /// Follows the log from its beginning, and between whiles begins in its middle or reads one stream.
  func read() -> Int32 {
    do {
      let reader = try LogReader(directory: directory)
      var following = try reader.cursor()
      var next: UInt64 = 0
      var rounds = 0
      var last: [Int: Int] = [:]
      while true {
        let isLast = ending.isThere
        while let record = try following.next() {
          guard record.position == next else { return fault("record \(record.position) was given for \(next)") }
          next += 1
          guard record.stream != EventLog.ownStream else { continue }
          guard let known = SubjectRecord(record) else { return fault("record \(next - 1) is no one's") }
          guard last[known.appender] ?? -1 < known.number else { return fault("record \(next - 1) is out of order") }
          last[known.appender] = known.number
        }
        rounds += 1
        if isLast { break }
        if let wrong = try lookAround(reader, size: next, round: rounds) { return fault(wrong) }
      }
      StoreSubject.say("read \(next) records in \(rounds) rounds")
      return 0
    } catch {
      return fault("\(error)")
    }
  }

  /// Starts again at some position, and reads some stream.
  private func lookAround(_ reader: LogReader, size: UInt64, round: Int) throws -> String? {
    guard size > 0 else { return nil }
    let start = UInt64(seed &* 7_919 &+ round &* 104_729) % size
    var cursor = try reader.cursor(from: start)
    for position in start..<min(size, start + 50) {
      guard let record = try cursor.next() else { return "record \(position) of \(size) is not there" }
      guard record.position == position else { return "record \(record.position) was given for \(position)" }
      if record.stream != EventLog.ownStream, SubjectRecord(record) == nil { return "record \(position) is no one's" }
    }
    guard round % 8 == seed % 8 else { return nil }
    let stream = SubjectRecord(appender: 0, number: round).stream
    for (revision, record) in try reader.records(of: stream).enumerated() where record.revision != revision {
      return "revision \(record.revision) of \(stream) was given for \(revision)"
    }
    return nil
  }

  /// Verifies over and over. The store must exist.
  func verify() -> Int32 {
    var rounds = 0
    var records: UInt64 = 0
    while true {
      let isLast = ending.isThere
      do {
        let report = try Verifier(directory: directory).run()
        guard report.verdict == .unanchored else { return fault("\(report.verdict): \(report.findings)") }
        guard report.records >= records else { return fault("\(report.records) records after \(records)") }
        records = report.records
        rounds += 1
      } catch {
        return fault("\(error)")
      }
      if isLast { break }
    }
    StoreSubject.say("verified \(records) records in \(rounds) rounds")
    return 0
  }

  private func fault(_ what: String) -> Int32 {
    StoreSubject.say("fault \(what)")
    return 1
  }
}

/// Sees that standard input has ended.
private final class Ending: @unchecked Sendable {  // guarded by `guardian`
  private let guardian = NSLock()
  private var hasCome = false

  init() {
    Thread.detachNewThread { [self] in
      _ = FileHandle.standardInput.readDataToEndOfFile()
      guardian.lock()
      hasCome = true
      guardian.unlock()
    }
  }

  var isThere: Bool {
    guardian.lock()
    defer { guardian.unlock() }
    return hasCome
  }
}
