// The flow records after the events of recorders, for when not all records are read.

package import EventStore

extension [OwnEvent] {
  /// The events of one log; the last one of each recorder run has the time of the last record after it, and one that is
  /// followed by a late one also has the stretches without records between the two. Cost: for each run without a stop
  /// event, reads the records before its end; for each late event, those since the event before it.
  ///
  /// - Parameters:
  ///   - log: the log that contains the events.
  ///   - end: the number of its records to include.
  package func withRecords(of log: LogReader, before end: UInt64) throws(StoreError) -> [OwnEvent] {
    var events = self
    var pulse: RecorderPulse?
    let beats = indices.filter { RecorderRuns.types.contains(self[$0].type) }
    for (beat, index) in beats.enumerated() {
      let event = self[index]
      let next = beat + 1 < beats.count ? self[beats[beat + 1]] : nil
      var known = pulse ?? RecorderPulse(event)
      known.take(event)
      pulse = known
      guard event.type != "recorder.stopped" else { continue }
      let bound = Swift.min(next?.position ?? end, end)
      if let next, next.type != "recorder.started" {
        guard known.pause(from: known.latest, to: next.at) != nil else { continue }
        (events[index].recorded, events[index].pauses) = try log.records(behind: event.position, before: bound, known)
      } else {
        events[index].recorded = try log.lastRecord(behind: event.position, before: bound)
      }
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

  /// The same, and the stretches before and between these records that are too long.
  fileprivate func records(
    behind position: UInt64, before end: UInt64, _ pulse: RecorderPulse
  ) throws(StoreError) -> (last: Timestamp?, pauses: [RecorderRun.Stretch]) {
    guard position < end, end - position > 1 else { return (nil, []) }
    var (first, last): (Timestamp?, Timestamp?) = (nil, nil)
    var pauses: [RecorderRun.Stretch] = []
    var cursor = try reversed(from: end)
    while let record = try cursor.next(), record.position > position {
      guard record.stream != LogFacts.ownStream else { continue }
      if let first, let pause = pulse.pause(from: record.at, to: first) { pauses.append(pause) }
      first = record.at
      if last == nil { last = record.at }
    }
    if let first, let pause = pulse.pause(from: pulse.latest, to: first) { pauses.append(pause) }
    return (last, pauses.reversed())
  }
}
