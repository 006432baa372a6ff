/// A record as it stands in the log: the line that was hashed, and its envelope.
///
/// Consecutive records from a cursor share the memory of their lines, some 32 KiB at a time: a caller that keeps a few
/// of many records for long should keep `alone` of each.
public struct StoredRecord: Sendable, Hashable {
  /// Its position in the log, from 0 without gaps.
  public let position: UInt64
  /// When it happened, by the appender's clock. The order is `position`.
  public let at: Timestamp
  /// Its revision in the stream, from 0 without gaps.
  public let revision: Int
  /// The schema version of its type.
  public let version: Int
  /// The position of the record that caused it.
  public let cause: UInt64?

  /// The line, and those of other records beside it.
  private let storage: [UInt8]
  /// Where the line begins in it, and how long it is.
  private let start: Int
  private let length: UInt16
  // Where the names stand in the line; a line has at most 65,535 bytes.
  private let streamBytes: Range<UInt16>
  private let typeBytes: Range<UInt16>
  private let idBytes: Range<UInt16>?
  private let dataStart: UInt16

  /// Reads a line, without its `\n`, strictly: keys in their order, no spaces, shortest numbers, and data whose braces
  /// close exactly at its end.
  ///
  /// - Throws: `malformed` with the offset in the line.
  public init(line: [UInt8]) throws(StoreError) {
    let envelope = try Envelope(parsing: line.span)
    try envelope.checkData(in: line.span)
    self.init(line: line, envelope: envelope)
  }

  /// A record whose envelope has been read. The envelope must come from `line`, which bounds its offsets to 16 bits.
  init(line: [UInt8], envelope: Envelope) { self.init(in: line, at: 0..<line.count, envelope: envelope) }

  /// A record whose line is a part of `storage`; the envelope must come from that line.
  init(in storage: [UInt8], at place: Range<Int>, envelope: Envelope) {
    func narrow(_ range: Range<Int>) -> Range<UInt16> { UInt16(range.lowerBound)..<UInt16(range.upperBound) }
    self.storage = storage
    start = place.lowerBound
    length = UInt16(place.count)
    position = envelope.position
    at = envelope.at
    revision = envelope.revision
    version = envelope.version
    cause = envelope.cause
    streamBytes = narrow(envelope.stream)
    typeBytes = narrow(envelope.type)
    idBytes = envelope.id.map(narrow)
    dataStart = UInt16(envelope.data)
  }

  /// Exactly the bytes that were hashed: the line without its `\n`. A copy, if the memory is shared.
  public var line: [UInt8] { length == storage.count ? storage : Array(bytes) }
  /// The same bytes, not copied.
  public var bytes: ArraySlice<UInt8> { storage[start..<start + Int(length)] }
  /// The same record with its own memory.
  public var alone: StoredRecord { length == storage.count ? self : StoredRecord(self) }
  /// The stream it belongs to. Made again at each call.
  public var stream: String { text(streamBytes) }
  /// The type of the event. Made again at each call.
  public var type: String { text(typeBytes) }
  /// The appender's own id, if it gave one.
  public var id: String? { idBytes.map(text) }
  /// The event's JSON object, as a part of `bytes`.
  public var data: ArraySlice<UInt8> { storage[start + Int(dataStart)..<start + Int(length) - 1] }

  /// True if both lines are the same, byte for byte.
  public static func == (one: StoredRecord, other: StoredRecord) -> Bool { one.bytes == other.bytes }

  /// Feeds the line, in step with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

  /// True if the record belongs to the stream with these bytes; no `String` is made.
  func isOf(stream name: [UInt8]) -> Bool { part(streamBytes).elementsEqual(name) }

  private func text(_ range: Range<UInt16>) -> String { String(decoding: part(range), as: UTF8.self) }

  private func part(_ range: Range<UInt16>) -> ArraySlice<UInt8> {
    storage[start + Int(range.lowerBound)..<start + Int(range.upperBound)]
  }

  private init(_ shared: StoredRecord) {
    storage = Array(shared.bytes)
    (start, length) = (0, shared.length)
    (position, at, revision, version, cause) = (
      shared.position, shared.at, shared.revision, shared.version, shared.cause
    )
    (streamBytes, typeBytes, idBytes, dataStart) = (
      shared.streamBytes, shared.typeBytes, shared.idBytes, shared.dataStart
    )
  }
}
