// The facts of all flows in memory, updated from the log, so that each page costs only what is new.

package import EventStore
import FlowRecording
import Synchronization

/// A log with the facts of its flows in memory.
package final class LogBook: FactsBook {
  /// The log.
  package let log: LogReader
  private let state = Mutex<(facts: LogFacts, next: UInt64?)>((LogFacts(), nil))

  /// Creates a book for a log, without reading anything yet.
  package init(_ log: LogReader) { self.log = log }

  /// Calls `body` with the current facts.
  ///
  /// - Throws: `StoreError` if the log cannot be read, and the errors of `body`.
  package func read<Value>(_ body: (any FactsSource) throws -> Value) throws -> Value { try body(facts()) }

  private func facts() throws(StoreError) -> LogFacts {
    // Threads that call this at the same time wait for the one that reads.
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
