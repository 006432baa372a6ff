// What a print, a debugger or a dump shows of requests and responses: where to, how much, never what.

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Method, number of headers and size of the body.
  public var description: String { "\(method) request (\(headers.count) headers, \(body?.count ?? 0) bytes)" }
  /// The same.
  public var debugDescription: String { description }
  /// No children: the URL, the headers and the body may hold secrets.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Status, number of headers and size of the body.
  public var description: String { "response \(status) (\(headers.count) headers, \(body.count) bytes)" }
  /// The same.
  public var debugDescription: String { description }
  /// The status alone: headers and body may hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["status": status]) }
}
