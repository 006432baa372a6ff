// The duration of the phases of an exchange.

public import EventStore

/// When the phases of a transfer were completed, in microseconds from its beginning, and the number of bytes received.
/// This separates time spent in the network and the org from time spent in the application. On a connection that was
/// already open, there is no lookup, connect, or TLS phase.
public struct HTTPTiming: Sendable, Hashable {
  /// When the host name was resolved; `nil` on a connection that was already open.
  public var lookup: Int?
  /// When the TCP connection was established.
  public var connect: Int?
  /// When the TLS handshake was completed.
  public var secured: Int?
  /// When the first byte of the answer was received.
  public var firstByte: Int?
  /// When the complete answer was received.
  public var total: Int
  /// The number of body bytes received, as transferred.
  public var bytes: Int

  /// Creates a timing.
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

  /// Reads the `timing` of a `response.received`; `nil` if it is not valid.
  public init?(_ json: JSON) {
    guard let total = json["total"]?.int, let bytes = json["bytes"]?.int else { return nil }
    self.init(
      lookup: json["lookup"]?.int, connect: json["connect"]?.int, secured: json["secured"]?.int,
      firstByte: json["firstByte"]?.int, total: total, bytes: bytes)
  }

  /// The value as recorded in `response.received`.
  public var json: JSON {
    .members([
      ("lookup", lookup.map(JSON.int)), ("connect", connect.map(JSON.int)), ("secured", secured.map(JSON.int)),
      ("firstByte", firstByte.map(JSON.int)), ("total", .int(total)), ("bytes", .int(bytes)),
    ])
  }
}
