// Events to and from the data of log records. What does not fit one line continues in `body.part` records of the same
// commit (DESIGN §4).

public import EventStore

/// The data of an event, ready to be written.
public struct EncodedEvent: Sendable, Hashable {
  /// The record's data: a JSON object.
  public var data: [UInt8]
  /// The data of the `body.part` records that follow; usually none.
  public var parts: [[UInt8]]
}

/// The one place where events become bytes and bytes become events.
public enum EventCoding {
  /// The type of the records that carry the rest of a long event.
  public static let partType = "body.part"
  /// Data up to this many bytes stays in one record: a line may have 65,535.
  static let maximumData = 60_000
  /// Bytes of data a part carries; escaped they may double.
  static let partBytes = 28_000

  /// The record of a response may have this many bytes: with what follows from it in the same step, it must fit in one commit,
  /// which takes 4 MiB.
  static let maximumResponse = 1 << 20
  /// What a line has beside its data, at most.
  private static let envelopeBytes = 512

  /// How many bytes events come to in a log, at most.
  static func size(of records: [FlowRecord]) -> Int {
    size(of: records.map { encode($0.event) })
  }

  /// The same of events that are encoded already.
  static func size(of events: [EncodedEvent]) -> Int {
    events.reduce(0) { sum, encoded in
      sum + encoded.parts.reduce(encoded.data.count + envelopeBytes) { $0 + $1.count + envelopeBytes }
    }
  }

  /// How many bytes an event comes to in a log, at most.
  static func size(of event: FlowEvent) -> Int { size(of: [encode(event)]) }

  /// Encodes an event's data.
  public static func encode(_ event: FlowEvent) -> EncodedEvent {
    let data = event.data.bytes
    guard data.count > maximumData else { return EncodedEvent(data: data, parts: []) }
    var parts: [[UInt8]] = []
    var start = 0
    while start < data.count {
      var end = min(start + partBytes, data.count)
      while end < data.count, data[end] & 0xC0 == 0x80 { end -= 1 }
      parts.append(JSON.members([("text", .string(String(decoding: data[start..<end], as: UTF8.self)))]).bytes)
      start = end
    }
    return EncodedEvent(data: JSON.members([("parts", .int(parts.count))]).bytes, parts: parts)
  }

  /// Reads the records of one stream.
  ///
  /// - Parameters:
  ///   - records: the stream in order.
  ///   - allowingGaps: whether revisions may be missing, as in a recording that was changed; a fold needs all.
  /// - Throws: `StreamError` if a revision is missing, data is no JSON, or does not fit its type.
  public static func decode(
    _ records: [StoredRecord], allowingGaps: Bool = false
  ) throws(StreamError) -> [FlowRecord] {
    let revisions = Dictionary(records.map { ($0.position, $0.revision) }, uniquingKeysWith: { first, _ in first })
    var flow: [FlowRecord] = []
    var index = 0
    while index < records.count {
      let record = records[index]
      guard allowingGaps || record.revision == index else {
        throw StreamError(stream: record.stream, revision: index, reason: "revision \(index) is missing")
      }
      var data = try json(record.data, of: record)
      var next = index + 1
      if let count = data["parts"]?.int, data.object?.members.count == 1 {
        data = try joined(records, from: next, count: count, of: record)
        next += count
      }
      let event: FlowEvent
      do {
        event = try FlowEvent(type: record.type, version: record.version, data: data)
      } catch {
        throw StreamError(stream: record.stream, revision: record.revision, reason: error.description)
      }
      flow.append(
        FlowRecord(
          revision: record.revision, at: record.at, cause: record.cause.flatMap { revisions[$0] }, event: event))
      index = next
    }
    return flow
  }

  private static func json(_ data: ArraySlice<UInt8>, of record: StoredRecord) throws(StreamError) -> JSON {
    do {
      return try JSON(parsing: data)
    } catch {
      throw StreamError(stream: record.stream, revision: record.revision, reason: "data is no JSON: \(error)")
    }
  }

  private static func joined(
    _ records: [StoredRecord], from start: Int, count: Int, of head: StoredRecord
  ) throws(StreamError) -> JSON {
    guard count > 0, count <= records.count - start else {
      throw StreamError(stream: head.stream, revision: head.revision, reason: "its \(count) parts are not all there")
    }
    var bytes: [UInt8] = []
    for record in records[start..<(start + count)] {
      guard record.type == partType, let text = try json(record.data, of: record)["text"]?.string else {
        throw StreamError(stream: head.stream, revision: record.revision, reason: "a \(partType) was expected")
      }
      bytes += text.utf8
    }
    return try json(bytes[...], of: head)
  }
}

/// A stream that cannot be read as a flow.
public struct StreamError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The stream.
  public var stream: String
  /// The revision at which it fails.
  public var revision: Int
  /// The reason.
  public var reason: String

  /// One sentence.
  public var description: String { "flow \(stream) cannot be read at revision \(revision): \(reason)" }
}
