// The data that pages are created from, whether it is kept in memory or in an index.

package import EventStore

/// A log with the facts of its flows.
package protocol FactsBook: Sendable {
  /// The log.
  var log: LogReader { get }
  /// Calls `body` with the current facts. Cost: reads the records that were appended since the last call.
  func read<Value>(_ body: (any FactsSource) throws -> Value) throws -> Value
}
