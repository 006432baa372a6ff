// Calls that only wait. A flow may have thousands, and each state lists the open ones: thousands of states with
// thousands of calls.

import EventStore
import FlowRecording

/// Finds calls without any result.
enum IdleCalls {
  /// The revisions of calls that no record refers to except their own unanswered requests, and a `call.returned` that
  /// reports their cancellation. A number in the data of a record counts as a reference, whatever it means there.
  static func revisions(in records: ArraySlice<FlowRecord>) -> Set<Int> {
    // Maps calls and their requests to the call.
    var calls: [Int: Int] = [:]
    for record in records {
      if case .callMade(let made) = record.event, !made.isControl { calls[record.revision] = record.revision }
      if case .requestSent = record.event, let cause = record.cause, calls[cause] == cause {
        calls[record.revision] = cause
      }
    }
    var busy: Set<Int> = []
    for record in records {
      let own = calls[record.revision]
      func refer(to revision: Int) {
        if let call = calls[revision], call != own { busy.insert(call) }
      }
      if let cause = record.cause { refer(to: cause) }
      if case .callReturned(let returned) = record.event, returned.outcome == .cancelled { continue }
      forEachNumber(in: record.event.data, refer)
    }
    return Set(calls.values).subtracting(busy)
  }

  /// Calls `body` with each whole number in a value, including those in texts and names.
  static func forEachNumber(in json: JSON, _ body: (Int) -> Void) {
    switch json {
    case .number(let text), .string(let text): if let number = Int(text) { body(number) }
    case .array(let elements): for element in elements { forEachNumber(in: element, body) }
    case .object(let object):
      for member in object.members {
        if let number = Int(member.key) { body(number) }
        forEachNumber(in: member.value, body)
      }
    case .null, .bool: break
    }
  }
}
