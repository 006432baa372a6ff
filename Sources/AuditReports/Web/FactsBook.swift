// What the pages read, wherever it comes from: memory, or an index.

package import EventStore

/// A log with the facts of its flows.
package protocol FactsBook: Sendable {
  /// The log.
  var log: LogReader { get }
  /// Calls `body` with the facts as of now. Cost: the records that were appended since the last time.
  func read<Value>(_ body: (any FactsSource) throws -> Value) throws -> Value
}
