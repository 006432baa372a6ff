// Descriptions and dumps of requests and responses, which show sizes but no contents.

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method, the number of headers, and the size of the body.
  public var description: String { "\(method) request (\(headers.count) headers, \(body?.count ?? 0) bytes)" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// No children, because the URL, headers, and body may contain secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The status, the number of headers, and the size of the body.
  public var description: String { "response \(status) (\(headers.count) headers, \(body.count) bytes)" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// The status only, because headers and body may contain secrets.
  public var customMirror: Mirror { Mirror(self, children: ["status": status]) }
}
