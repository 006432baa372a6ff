import AuditReports
import EventStore
import ReadModel

/// The facts of flows in an index, so that pages of a large log need little memory.
struct IndexBook: FactsBook {
  let log: LogReader
  private let file: String

  /// The book of a log whose index is there.
  init(_ log: LogReader, at file: String) {
    self.log = log
    self.file = file
  }

  /// Calls `body` with the updated index.
  ///
  /// - Throws: `StoreError` if the log cannot be read, `ReadModelError` if the index cannot be written, and what `body`
  ///   throws.
  func read<Value>(_ body: (any FactsSource) throws -> Value) throws -> Value {
    guard let index = try FlowIndex.open([log], at: file, mode: .make) else {
      throw CommandFailure(.notFound, "\(file) is gone; build it again by auditctl index")
    }
    return try body(index)
  }
}
