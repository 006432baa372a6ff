// Flows of recording files that were edited: records may be missing, and may be out of order. A replay takes such a
// flow, and refers to what show and debug print of it.

import AuditReports
import EventStore
import FlowRecording

/// What is missing of a flow in a recording file, and what is out of order.
struct FlowDisorder {
  /// The ranges of missing revisions, in order.
  private(set) var missing: [ClosedRange<Int>] = []
  /// The first two neighbors that stand in the wrong order.
  private(set) var swapped: (first: Int, second: Int)?

  /// - Parameter records: the flow's records in the order of the file.
  /// - Throws: `StreamError` if a revision stands there twice.
  init(_ records: [StoredRecord]) throws(StreamError) {
    swapped = zip(records, records.dropFirst()).first { $0.revision > $1.revision }.map { ($0.revision, $1.revision) }
    var next = 0
    for record in records.sorted(by: { $0.revision < $1.revision }) {
      guard record.revision >= next else { throw StreamError.repeated(record.revision, in: record.stream) }
      if record.revision > next { missing.append(next...record.revision - 1) }
      next = record.revision + 1
    }
  }

  /// How many ranges are named.
  private static let named = 5

  /// What a person should know before reading on; nil if the flow is whole and in order.
  var words: String? {
    var parts: [String] = []
    if let last = missing.last {
      var ranges = missing.prefix(Self.named).map { range in
        range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
      }
      if missing.count > Self.named { ranges.append("others up to \(last.upperBound)") }
      let list = ranges.joined(separator: ", ")
      let isOne = missing.count == 1 && last.count == 1
      parts.append(isOne ? "revision \(list) is missing" : "revisions \(list) are missing")
    }
    if let swapped { parts.append("revision \(swapped.first) stands before revision \(swapped.second)") }
    return parts.isEmpty ? nil : parts.joined(separator: ", and ")
  }
}

extension FoundFlow where Log == LogSource {
  /// Whether the flow may be shown with records missing or out of order: a file may have been edited, a store was not.
  var mayBeEdited: Bool { if case .recording = log { true } else { false } }

  /// Says on stderr what is missing or out of order in a recording file.
  ///
  /// - Throws: `StreamError` if a revision stands there twice.
  func sayDisorder() throws {
    guard mayBeEdited, let words = try FlowDisorder(records).words else { return }
    Messages.say("\(log.directory): \(words) in \(stream); what is there is shown in the order of the file.".printable)
  }
}
