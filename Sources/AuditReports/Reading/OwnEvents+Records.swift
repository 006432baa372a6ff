// The last records of recorder runs, for when not all records are read.

package import EventStore

extension [OwnEvent] {
  /// The events of one log; the last one of each recorder run has the time of the last record after it. Cost: for each
  /// run without a stop event, reads the records before its end.
  ///
  /// - Parameters:
  ///   - log: the log that contains the events.
  ///   - end: the number of its records to include.
  package func withRecords(of log: LogReader, before end: UInt64) throws(StoreError) -> [OwnEvent] {
    var events = self
    var next: (type: String, position: UInt64)?
    for (index, event) in self.enumerated().reversed() where RecorderRuns.types.contains(event.type) {
      if event.type != "recorder.stopped", next.map({ $0.type == "recorder.started" }) ?? true {
        let bound = Swift.min(next?.position ?? end, end)
        events[index].recorded = try log.lastRecord(behind: event.position, before: bound)
      }
      next = (event.type, event.position)
    }
    return events
  }
}

extension LogReader {
  /// The time of the last record between two positions that is not the store's own; nil if there is none.
  fileprivate func lastRecord(behind position: UInt64, before end: UInt64) throws(StoreError) -> Timestamp? {
    guard position < end, end - position > 1 else { return nil }
    var cursor = try reversed(from: end)
    while let record = try cursor.next(), record.position > position {
      if record.stream != LogFacts.ownStream { return record.at }
    }
    return nil
  }
}
