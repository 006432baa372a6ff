// What the pages read: the facts of all flows, kept up to date from the log, so that a page costs what is new.

package import EventStore
import FlowRecording
import Synchronization

/// A log with the facts of its flows in memory.
package final class LogBook: Sendable {
  /// The log.
  package let log: LogReader
  private let state = Mutex<(facts: LogFacts, next: UInt64?)>((LogFacts(), nil))

  /// A book of a log; nothing is read yet.
  package init(_ log: LogReader) { self.log = log }

  /// The facts as of now. Cost: the records that were appended since the last time.
  package func facts() throws(StoreError) -> LogFacts {
    // Threads that ask at once wait for the one that reads.
    let result: Result<LogFacts, StoreError> = state.withLock { state in
      do throws(StoreError) {
        var cursor = try log.cursor(from: state.next)
        while let record = try cursor.next() {
          state.facts.add(record)
          state.next = record.position + 1
        }
        return .success(state.facts)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
