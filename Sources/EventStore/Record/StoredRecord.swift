/// A record as it stands in the log: the line that was hashed, and its envelope.
public struct StoredRecord: Sendable, Hashable {
  /// Exactly the bytes that were hashed: the line without its `\n`.
  public let line: [UInt8]
  /// Its position in the log, from 0 without gaps.
  public let position: UInt64
  /// When it happened, by the appender's clock. The order is `position`.
  public let at: Timestamp
  /// Its revision in the stream, from 0 without gaps.
  public let revision: Int
  /// The schema version of its type.
  public let version: Int
  /// The position of the record that it answers.
  public let cause: UInt64?

  // Where the names stand in the line; a line has at most 65,535 bytes.
  private let streamBytes: Range<UInt16>
  private let typeBytes: Range<UInt16>
  private let idBytes: Range<UInt16>?
  private let dataStart: UInt16

  /// Reads a line, without its `\n`, strictly: keys in their order, no spaces, shortest numbers, and data whose braces
  /// close exactly at its end. Throws `malformed` with the offset in the line.
  public init(line: [UInt8]) throws(StoreError) {
    let envelope = try Envelope(parsing: line.span)
    try envelope.checkData(in: line.span)
    self.init(line: line, envelope: envelope)
  }

  /// A record whose envelope has been read. The envelope must come from `line`, which bounds its offsets to 16 bits.
  init(line: [UInt8], envelope: Envelope) {
    func narrow(_ range: Range<Int>) -> Range<UInt16> { UInt16(range.lowerBound)..<UInt16(range.upperBound) }
    self.line = line
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

  /// The stream it belongs to. Made anew at each call.
  public var stream: String { text(streamBytes) }
  /// The type of the event. Made anew at each call.
  public var type: String { text(typeBytes) }
  /// The appender's own id, where it gave one.
  public var id: String? { idBytes.map(text) }
  /// The event's JSON object, as a part of `line`.
  public var data: ArraySlice<UInt8> { line[Int(dataStart)..<line.count - 1] }

  /// True where both lines are the same, byte for byte.
  public static func == (one: StoredRecord, other: StoredRecord) -> Bool { one.line == other.line }

  /// Feeds the line, in step with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(line) }

  /// True where the record belongs to the stream with these bytes; no `String` is made.
  func isOf(stream name: [UInt8]) -> Bool {
    line[Int(streamBytes.lowerBound)..<Int(streamBytes.upperBound)].elementsEqual(name)
  }

  private func text(_ range: Range<UInt16>) -> String {
    String(decoding: line[Int(range.lowerBound)..<Int(range.upperBound)], as: UTF8.self)
  }
}
