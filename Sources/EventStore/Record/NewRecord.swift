/// A record as its appender knows it: everything except the position and the revision, which the log assigns.
public struct NewRecord: Sendable {
  /// When it happened, as the caller's clock gave it. The order of the log is the position, never this.
  public var at: Timestamp
  /// The stream it belongs to: 1...1,024 bytes, no quote, no backslash, no control character.
  public var stream: String
  /// The appender's own id, for idempotence; same rules as `stream`.
  public var id: String?
  /// The type of the event, like `response.received`; same rules as `stream`.
  public var type: String
  /// The schema version of the type; 0 or more.
  public var version: Int
  /// The record that caused this one.
  public var cause: Cause?
  /// One minified JSON object in UTF-8. The log checks that it starts with `{`, ends with `}` and holds no byte under
  /// 0x20; the caller guarantees that it is JSON.
  public var data: [UInt8]

  /// Makes a record from its parts; they are checked when it is appended.
  public init(
    at: Timestamp, stream: String, id: String? = nil, type: String, version: Int = 1, cause: Cause? = nil,
    data: [UInt8]
  ) {
    self.at = at
    self.stream = stream
    self.id = id
    self.type = type
    self.version = version
    self.cause = cause
    self.data = data
  }
}
