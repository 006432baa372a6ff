// One HTTP request exactly as it came over the wire.

/// A request as the org received it, unparsed, to check that the same bytes reach the org.
public struct ReceivedRequest: Sendable, Equatable {
  /// One header line.
  public struct Header: Sendable, Equatable {
    /// The name in the case it was sent.
    public let name: String
    /// The value without the white space around it.
    public let value: String
  }

  /// The method, `POST` for nearly all.
  public let method: String
  /// Path and query as sent, percent-encoding untouched.
  public let target: String
  /// The header lines in the order they came.
  public let headers: [Header]
  /// The body after transfer coding.
  public let body: [UInt8]
  /// Head and body as they came, the bytes on the wire.
  public let raw: [UInt8]

  /// The value of the first header of that name, whatever its case.
  public func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }

  /// The path as sent, without the query.
  public var path: String { String(target.prefix { $0 != "?" }) }

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }
}
