// Converts events to and from the data of log records. Data that does not fit in one line continues in `body.part`
// records of the same commit (DESIGN §4).

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
  /// Data up to this many bytes stays in one record; a line may have 65,535.
  static let maximumData = 60_000
  /// The bytes of data in a part; escaping may double them.
  static let partBytes = 28_000

  /// The maximum size of the record of a response: together with what follows from it in the same step, it must fit in
  /// one commit of 4 MiB.
  static let maximumResponse = 1 << 20
  /// The maximum size of a line apart from its data.
  private static let envelopeBytes = 512

  /// The maximum number of bytes that events take in a log.
  static func size(of records: [FlowRecord]) -> Int {
    size(of: records.map { encode($0.event) })
  }

  /// The same for events that are already encoded.
  static func size(of events: [EncodedEvent]) -> Int {
    events.reduce(0) { sum, encoded in
      sum + encoded.parts.reduce(encoded.data.count + envelopeBytes) { $0 + $1.count + envelopeBytes }
    }
  }

  /// The maximum number of bytes that an event takes in a log.
  static func size(of event: FlowEvent) -> Int { size(of: [encode(event)]) }

  /// The number of `body.part` records that follow the record of an event. Most events certainly fit in a line, and are
  /// not encoded to find out.
  package static func partCount(of event: FlowEvent) -> Int {
    event.largestSize <= maximumData ? 0 : encode(event).parts.count
  }

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

  /// The data of an encoded event.
  ///
  /// - Throws: `JSONError` if it is not JSON.
  static func data(of encoded: EncodedEvent) throws(JSONError) -> JSON {
    guard !encoded.parts.isEmpty else { return try JSON(parsing: encoded.data[...]) }
    var bytes: [UInt8] = []
    for part in encoded.parts { bytes += try JSON(parsing: part[...])["text"]?.string?.utf8.map { $0 } ?? [] }
    return try JSON(parsing: bytes[...])
  }

  /// Reads the records of one stream.
  ///
  /// - Parameters:
  ///   - records: the stream in order.
  ///   - allowingGaps: whether revisions may be missing, as in an edited recording; a fold needs all.
  /// - Throws: `StreamError` if a revision is missing, or data is not JSON or does not fit its type.
  public static func decode(
    _ records: [StoredRecord], allowingGaps: Bool = false
  ) throws(StreamError) -> [FlowRecord] {
    var decoder = EventDecoder(allowingGaps: allowingGaps)
    for record in records { try decoder.add(record) }
    return try decoder.finish()
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

  /// Makes the error.
  package init(stream: String, revision: Int, reason: String) {
    (self.stream, self.revision, self.reason) = (stream, revision, reason)
  }

  /// The error of a revision that two records of a stream have.
  package static func repeated(_ revision: Int, in stream: String) -> StreamError {
    StreamError(stream: stream, revision: revision, reason: "revision \(revision) stands there twice")
  }

  /// One sentence.
  public var description: String { "flow \(stream) cannot be read at revision \(revision): \(reason)" }
}
