import EventStore

@testable import store_subject

/// What the subject was promised by its log, from what it said.
struct Promises {
  /// Which record stands at which position.
  private(set) var records: [UInt64: SubjectRecord] = [:]
  /// How many of the records were said to be synced.
  private(set) var durable = 0
  /// The largest size that was said to be synced.
  private(set) var size: UInt64 = 0
  /// Errors that were reported.
  private(set) var errors: [String] = []
  /// What contradicts itself.
  private(set) var fault: String?

  /// Takes in the lines of one run.
  mutating func hear(_ lines: [String]) {
    for line in lines {
      let words = line.split(separator: " ")
      switch words.first {
      case "w", "d": hear(words)
      case "a": size = max(size, words.last.flatMap { UInt64($0) } ?? 0)
      case "e": errors.append(line)
      default: break
      }
    }
  }

  private mutating func hear(_ words: [Substring]) {
    let numbers = words.dropFirst().compactMap { UInt64($0) }
    guard numbers.count == 4, numbers[0] < numbers[1] else {
      fault = "not understood: \(words.joined(separator: " "))"
      return
    }
    for position in numbers[0]..<numbers[1] {
      let record = SubjectRecord(appender: Int(numbers[2]), number: Int(numbers[3] + position - numbers[0]))
      if let other = records.updateValue(record, forKey: position) {
        fault = "position \(position) was promised to \(other) and to \(record)"
      }
    }
    if words[0] == "d" { durable += Int(numbers[1] - numbers[0]) }
  }

  /// Looks at a store as it lies, opens it, looks again. Returns what is wrong, or nil.
  func fault(of store: String, key: VerifierKey?) -> String? {
    if let fault { return fault }
    do {
      if let report = try? Verifier(directory: store, pinnedKey: key).run(),
        ![.ok, .unanchored, .torn].contains(report.verdict)
      {
        return "before it was opened: \(report)"
      }
      let log = try EventLog.open(at: store, options: .init(origin: "subject"))
      if let wrong = try wrongRecord(in: store) { return wrong }
      try log.close()
      let report = try Verifier(directory: store, pinnedKey: key).run()
      guard report.verdict == .ok || report.verdict == .unanchored else { return "after it was closed: \(report)" }
      return report.records == log.size ? nil : "verify counts \(report.records) records, the log has \(log.size)"
    } catch {
      return "\(error)"
    }
  }

  /// A record that was lost, invented or is out of order.
  private func wrongRecord(in store: String) throws -> String? {
    var cursor = try LogReader(directory: store).cursor()
    var next: UInt64 = 0
    var last: [Int: Int] = [:]
    var kept = 0
    while let record = try cursor.next() {
      guard record.position == next else { return "record \(record.position) stands at \(next)" }
      next += 1
      guard record.stream != EventLog.ownStream else { continue }
      guard let known = SubjectRecord(record) else { return "record \(record.position) was invented" }
      guard last[known.appender] ?? -1 < known.number else { return "record \(record.position) is out of order" }
      last[known.appender] = known.number
      if let promised = records[record.position] {
        guard promised == known else { return "record \(record.position) is \(known), \(promised) was promised" }
        kept += 1
      }
    }
    guard kept == records.count else { return "\(records.count - kept) of \(records.count) promised records are lost" }
    return next >= size ? nil : "\(size) records were said to be synced, there are \(next)"
  }
}
