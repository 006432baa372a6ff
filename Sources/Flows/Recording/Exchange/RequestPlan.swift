// A request that a call or a timer makes, before the headers common to all requests are added.

public import EventStore

/// A request with secrets as placeholders, without the headers common to all requests of the flow.
public struct RequestPlan: Sendable, Hashable {
  /// The method.
  public var method: String
  /// The absolute URL.
  public var url: String
  /// The accepted media types of the answer.
  public var accept: String
  /// The media type of the body; nil without a body.
  public var contentType: String?
  /// Headers of this request only, added after the common ones.
  public var headers: [HTTPField]
  /// The body; its members are sent in the order of their names.
  public var body: JSON?
  /// How the body is written.
  public var encoding: RequestSent.Encoding

  /// Makes a plan.
  public init(
    method: String = "POST", url: String, accept: String, contentType: String? = nil, headers: [HTTPField] = [],
    body: JSON? = nil, encoding: RequestSent.Encoding = .json
  ) {
    self.method = method
    self.url = url
    self.accept = accept
    self.contentType = contentType
    self.headers = headers
    self.body = body
    self.encoding = encoding
  }

  /// The event that sends the request.
  ///
  /// - Parameters:
  ///   - client: the header that identifies the client.
  ///   - cookie: the value of the `Cookie` header; nil to send none.
  ///   - rule: names the origin of a request that is not sent to the org.
  public func sent(client: HTTPField, cookie: String?, by rule: LinkRule) -> FlowEvent {
    var fields = [HTTPField("Accept", accept)]
    if let contentType { fields.append(HTTPField("Content-Type", contentType)) }
    fields.append(client)
    if let cookie { fields.append(HTTPField("Cookie", cookie)) }
    return .requestSent(
      RequestSent(
        method: method, url: url, headers: fields + headers, body: body?.sorted, encoding: encoding,
        foreignOrigin: rule.foreignOrigin(of: url)))
  }
}
