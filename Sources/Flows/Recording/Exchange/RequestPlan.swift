// A request that a call or a timer makes, before it is known what all requests of the flow have.

public import EventStore

/// A request, secrets as placeholders, but for the headers that each request of the flow has.
public struct RequestPlan: Sendable, Hashable {
  /// The method.
  public var method: String
  /// The absolute URL.
  public var url: String
  /// What the answer may be.
  public var accept: String
  /// What the body is; nil without a body.
  public var contentType: String?
  /// Headers of this request alone, behind those of all.
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
  ///   - client: the header that says what the client is.
  ///   - cookie: the value of the `Cookie` header; nil to send none.
  ///   - rule: names the origin of a request that leaves the org's.
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
