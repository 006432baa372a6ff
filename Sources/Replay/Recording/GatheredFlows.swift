// Builds the flows of a recording record by record, without keeping the records.

import EventStore
import FlowKinds
import FlowRecording

/// Gathers records by their streams, and reads them as events at once.
struct GatheredFlows {
  private let name: String
  private let kinds: KindRegistry
  /// The streams in the order in which they begin.
  private var streams: [(name: String, decoder: EventDecoder)] = []
  private var places: [ByteName: Int] = [:]
  /// The stream of the last record: the next record usually has the same.
  private var last = 0
  /// How many bytes of data there were, and how many values in the counted part.
  private var (bytes, values) = (0, 0)
  /// The values in this many bytes take less memory than the program itself, and are not counted.
  private static let uncounted = 2 << 20
  private static let mostValues = 1_000_000

  /// Before the first record.
  ///
  /// - Parameter name: what messages call the recording.
  init(of name: String, _ kinds: KindRegistry) { (self.name, self.kinds) = (name, kinds) }

  /// Adds the next record.
  ///
  /// - Throws: `malformed` if it is not a record of a flow, or does not follow the previous one; `tooLarge` if the
  ///   records have implausibly many values for their size: packed into a small file, they would take gigabytes of
  ///   memory.
  mutating func add(_ record: StoredRecord) throws(StoreError) {
    bytes += record.data.count
    if bytes > Self.uncounted {
      values += JSONCount.values(in: record.data, upTo: .max)
      guard values <= Self.mostValues + bytes / 6 else {
        throw StoreError(
          .tooLarge, "\(bytes) bytes of data have over \(values) values, which no flow's have", file: name,
          position: record.position, advice: "export the flow again from its log")
      }
    }
    let stream = record.stream
    if !streams.indices.contains(last) || !ByteName.isSame(streams[last].name, stream) {
      last = places[ByteName(stream)] ?? streams.count
      if last == streams.count {
        places[ByteName(stream)] = last
        streams.append((stream, EventDecoder(allowingGaps: true)))
      }
    }
    do throws(StreamError) {
      try streams[last].decoder.add(record)
    } catch {
      throw malformed(error)
    }
  }

  /// The flows among the streams.
  ///
  /// - Throws: `malformed` if the last event of a flow is incomplete, an event does not fit its kind, or an event
  ///   occurs twice.
  consuming func flows() throws(StoreError) -> [RecordedFlow] {
    var flows: [RecordedFlow] = []
    for (stream, decoder) in streams {
      do throws(StreamError) {
        let records = try decoder.finish()
        // The store's own stream, and those that only an application appends to, are no flows: there is nothing to run
        // again.
        guard records.contains(where: \.event.isOfFlow) else { continue }
        try Self.refuseRepeats(in: records, of: stream)
        try kinds.check(records, of: stream)
        flows.append(RecordedFlow(stream: stream, records: records))
      } catch {
        throw malformed(error)
      }
    }
    return flows
  }

  /// In an edited recording, revisions may be missing, and records may be out of order.
  private static func refuseRepeats(in records: [FlowRecord], of stream: String) throws(StreamError) {
    // Nearly all are in order, which needs no memory.
    guard zip(records, records.dropFirst()).contains(where: { $0.revision >= $1.revision }) else { return }
    var revisions: Set<Int> = []
    for record in records where !revisions.insert(record.revision).inserted {
      throw StreamError.repeated(record.revision, in: stream)
    }
  }

  private func malformed(_ error: StreamError) -> StoreError {
    StoreError(.malformed, error.description, file: name, advice: "export the flow again from its log")
  }
}
