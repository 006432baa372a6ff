// How long the parts of an exchange took.

public import EventStore

/// When the parts of a transfer were done, in microseconds from its beginning, and how many bytes came: what separates
/// the network and the org from the application. On a connection that was open already nothing was looked up, connected
/// or secured.
public struct HTTPTiming: Sendable, Hashable {
  /// The name of the host was looked up; nil on a connection that was open already.
  public var lookup: Int?
  /// The connection stood (TCP).
  public var connect: Int?
  /// It was secured (TLS).
  public var secured: Int?
  /// The first byte of the answer came.
  public var firstByte: Int?
  /// All of the answer had come.
  public var total: Int
  /// How many bytes of body came, as they were on the wire.
  public var bytes: Int

  /// Makes the value.
  public init(
    lookup: Int? = nil, connect: Int? = nil, secured: Int? = nil, firstByte: Int? = nil, total: Int, bytes: Int
  ) {
    self.lookup = lookup
    self.connect = connect
    self.secured = secured
    self.firstByte = firstByte
    self.total = total
    self.bytes = bytes
  }

  /// Reads the `timing` of a `response.received`; nil if it is none.
  public init?(_ json: JSON) {
    guard let total = json["total"]?.int, let bytes = json["bytes"]?.int else { return nil }
    self.init(
      lookup: json["lookup"]?.int, connect: json["connect"]?.int, secured: json["secured"]?.int,
      firstByte: json["firstByte"]?.int, total: total, bytes: bytes)
  }

  /// As it stands in `response.received`.
  public var json: JSON {
    .members([
      ("lookup", lookup.map(JSON.int)), ("connect", connect.map(JSON.int)), ("secured", secured.map(JSON.int)),
      ("firstByte", firstByte.map(JSON.int)), ("total", .int(total)), ("bytes", .int(bytes)),
    ])
  }
}
