// Reads the records of one stream as events, one record at a time, so that the original text need not be kept.

package import EventStore

/// Reads the records of a stream in their order.
package struct EventDecoder {
  /// The number of records that are read independently. Long streams are those that poll: records of a type resemble
  /// the previous one, and equal parts are stored once.
  private static let shortStream = 100

  /// More parts than the longest event in a commit can have.
  private static let mostParts = 256

  private let allowsGaps: Bool
  private var flow: [FlowRecord] = []
  private var count = 0
  /// The revisions of all records by position; of two with the same position, the first counts.
  private var revisions: [UInt64: Int] = [:]
  /// Events whose cause has not been read yet, as in an edited recording.
  private var causes: [(index: Int, position: UInt64)] = []
  private var series: [String: JSONSeries] = [:]
  private var long: LongEvent?

  /// An event with missing parts.
  private struct LongEvent {
    var head: StoredRecord
    var parts: Int
    var left: Int
    var bytes: [UInt8] = []
  }

  /// Makes a decoder.
  ///
  /// - Parameter allowingGaps: whether revisions may be missing, as in an edited recording; a fold needs all.
  package init(allowingGaps: Bool) { allowsGaps = allowingGaps }

  /// Reads the next record.
  ///
  /// - Throws: `StreamError` if a revision is missing or stands there twice, or data is not JSON or does not fit its type.
  package mutating func add(_ record: StoredRecord) throws(StreamError) {
    if long == nil, !allowsGaps, record.revision != count {
      let reason =
        record.revision < count ? "revision \(record.revision) stands there twice" : "revision \(count) is missing"
      throw StreamError(stream: record.stream, revision: min(record.revision, count), reason: reason)
    }
    count += 1
    if revisions[record.position] == nil { revisions[record.position] = record.revision }
    guard long == nil else { return try addPart(record) }
    let type = record.type
    let data = try json(of: record, type)
    if let parts = data["parts"]?.int, data.object?.members.count == 1 {
      guard (1...Self.mostParts).contains(parts) else { throw Self.incomplete(record, parts) }
      long = LongEvent(head: record, parts: parts, left: parts)
    } else {
      try add(record, type, data)
    }
  }

  /// Returns the events of all records read.
  ///
  /// - Throws: `StreamError` if the last one lacks parts.
  package consuming func finish() throws(StreamError) -> [FlowRecord] {
    if let long { throw Self.incomplete(long.head, long.parts) }
    for (index, position) in causes { flow[index].cause = revisions[position] }
    return flow
  }

  private mutating func add(_ record: StoredRecord, _ type: String, _ data: JSON) throws(StreamError) {
    let event: FlowEvent
    do {
      event = try FlowEvent(type: type, version: record.version, data: data)
    } catch {
      throw StreamError(stream: record.stream, revision: record.revision, reason: error.description)
    }
    let cause = record.cause.flatMap { revisions[$0] }
    if let position = record.cause, cause == nil { causes.append((flow.count, position)) }
    flow.append(FlowRecord(revision: record.revision, at: record.at, cause: cause, event: event))
  }

  private mutating func addPart(_ record: StoredRecord) throws(StreamError) {
    guard var long else { return }
    // Makes this the only reference to the bytes, so that they grow in place.
    self.long = nil
    guard record.type == EventCoding.partType, let text = try Self.json(record.data, of: record)["text"]?.string else {
      throw StreamError(
        stream: long.head.stream, revision: record.revision, reason: "a \(EventCoding.partType) was expected")
    }
    long.bytes += text.utf8
    long.left -= 1
    self.long = long.left > 0 ? long : nil
    if long.left == 0 { try add(long.head, long.head.type, Self.json(long.bytes[...], of: long.head)) }
  }

  private mutating func json(of record: StoredRecord, _ type: String) throws(StreamError) -> JSON {
    guard count > Self.shortStream else { return try Self.json(record.data, of: record) }
    do {
      return try series[type, default: JSONSeries()].parse(record.data)
    } catch {
      throw Self.noJSON(error, record)
    }
  }

  private static func json(_ data: ArraySlice<UInt8>, of record: StoredRecord) throws(StreamError) -> JSON {
    do {
      return try JSON(parsing: data)
    } catch {
      throw noJSON(error, record)
    }
  }

  private static func noJSON(_ error: JSONError, _ record: StoredRecord) -> StreamError {
    StreamError(stream: record.stream, revision: record.revision, reason: "data is no JSON: \(error)")
  }

  private static func incomplete(_ head: StoredRecord, _ parts: Int) -> StreamError {
    StreamError(stream: head.stream, revision: head.revision, reason: "its \(parts) parts are not all there")
  }
}
