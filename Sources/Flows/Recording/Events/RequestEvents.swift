// HTTP as the flow sees it: requests, responses and failures.

public import EventStore

/// `request.sent`: the transport sends it once it is recorded. An output.
public struct RequestSent: EventPayload {
  /// The name of this type in the log.
  public static var type: String { "request.sent" }
  /// The method: `POST`.
  public var method: String
  /// The absolute URL, secrets replaced.
  public var url: String
  /// The headers, in order, secrets replaced.
  public var headers: [HTTPField]
  /// The body, if there is one, secrets replaced.
  public var body: JSON?
  /// How the body is written as bytes.
  public var encoding: Encoding
  /// The origin it is sent to, if that is not the flow's org: because of a link, or the application's listener.
  public var foreignOrigin: String?

  /// How a body is written as bytes.
  public enum Encoding: String, Sendable, Hashable {
    /// As a JSON document.
    case json
    /// The members of one object as `application/x-www-form-urlencoded`.
    case form
    /// The members of one object as the query of the URL, after any query that it has; the request then has no body.
    case query
  }

  /// Makes the event.
  public init(
    method: String, url: String, headers: [HTTPField], body: JSON?, encoding: Encoding = .json,
    foreignOrigin: String? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.encoding = encoding
    self.foreignOrigin = foreignOrigin
  }

  /// Reads the event's data.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  public init(data: JSON) throws(EventError) {
    method = try data.requiredString("method", of: Self.type)
    url = try data.requiredString("url", of: Self.type)
    headers = try HTTPField.list(data["headers"], of: Self.type)
    body = data["body"]
    switch data["encoding"]?.string {
    case nil: encoding = .json
    case let word?:
      guard let encoding = Encoding(rawValue: word) else { throw EventError(type: Self.type, member: "encoding") }
      self.encoding = encoding
    }
    foreignOrigin = data["foreignOrigin"]?.string
  }

  /// The event's data.
  public var data: JSON {
    .members([
      ("method", .string(method)), ("url", .string(url)), ("headers", HTTPField.json(headers)), ("body", body),
      ("encoding", encoding == .json ? nil : .string(encoding.rawValue)),
      ("foreignOrigin", foreignOrigin.map(JSON.string)),
    ])
  }
}

/// A response body as recorded.
public enum RecordedBody: Sendable, Hashable {
  /// No bytes.
  case empty
  /// A JSON document without white space, with secrets replaced.
  case json(JSON)
  /// Anything else: why it could not be read, its length in bytes, and the placeholder for it.
  case opaque(reason: String, length: Int, placeholder: String)

  /// The reason of a body too large to be recorded. Nothing of it is kept: its placeholder has no value.
  package static let tooLarge = "larger than can be recorded"
  /// The maximum number of values in a body; a body with more is not parsed.
  private static let mostValues = 100_000

  /// Whether a body has so many values that it is recorded as opaque. The check does not decode strings.
  package static func hasTooManyValues(_ bytes: [UInt8]) -> Bool {
    bytes.count > mostValues && JSONCount.values(in: bytes, upTo: mostValues) > mostValues
  }
}

/// `response.received`: the answer to a request. An input; its cause is the `request.sent`.
public struct ResponseReceived: EventPayload {
  /// The name of this type in the log.
  public static var type: String { "response.received" }
  /// The status code.
  public var status: Int
  /// The headers that the policy records, in order, secrets replaced.
  public var headers: [HTTPField]
  /// The body.
  public var body: RecordedBody
  /// How long its parts took, if the transport reports it. Recordings of earlier versions have none.
  public var timing: HTTPTiming?

  /// Makes the event.
  public init(status: Int, headers: [HTTPField], body: RecordedBody, timing: HTTPTiming? = nil) {
    self.status = status
    self.headers = headers
    self.body = body
    self.timing = timing
  }

  /// Reads the event's data.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  public init(data: JSON) throws(EventError) {
    status = try data.requiredInt("status", of: Self.type)
    headers = try HTTPField.list(data["headers"], of: Self.type)
    if let json = data["body"] {
      body = .json(json)
    } else if let opaque = data["opaque"] {
      body = .opaque(
        reason: try opaque.requiredString("reason", of: Self.type),
        length: try opaque.requiredInt("length", of: Self.type),
        placeholder: try opaque.requiredString("value", of: Self.type))
    } else {
      body = .empty
    }
    timing = data["timing"].flatMap(HTTPTiming.init)
  }

  /// The event's data.
  public var data: JSON {
    let head: [(String, JSON?)] = [("status", .int(status)), ("headers", HTTPField.json(headers))]
    let rest: [(String, JSON?)] = timing.map { [("timing", $0.json)] } ?? []
    switch body {
    case .empty: return .members(head + rest)
    case .json(let json): return .members(head + [("body", json)] + rest)
    case .opaque(let reason, let length, let placeholder):
      let opaque: JSON = ["reason": .string(reason), "length": .int(length), "value": .string(placeholder)]
      return .members(head + [("opaque", opaque)] + rest)
    }
  }

  /// Why the call fails, if the body is too large to be recorded; nil for any other body.
  package var sizeError: TransportError? {
    guard case .opaque(RecordedBody.tooLarge, let length, _) = body else { return nil }
    return TransportError(
      .responseTooLarge,
      "The request was sent, and its response of \(length) bytes is larger than what can be recorded.")
  }

  /// The value of the first header with that name, in any case.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.caseInsensitivelyEquals(name) }?.value
  }
}

/// `request.failed`: no complete answer was received. An input; its cause is the `request.sent`.
public struct RequestFailed: EventPayload {
  /// The name of this type in the log.
  public static var type: String { "request.failed" }
  /// The transport's code.
  public var code: String
  /// The transport's sentence.
  public var detail: String

  /// Makes the event.
  public init(_ error: TransportError) {
    code = error.code.rawValue
    detail = error.detail
  }

  /// Reads the event's data.
  ///
  /// - Throws: `EventError` if a required member is missing or has another type.
  public init(data: JSON) throws(EventError) {
    code = try data.requiredString("code", of: Self.type)
    detail = data["detail"]?.string ?? ""
  }

  /// The event's data.
  public var data: JSON { ["code": .string(code), "detail": .string(detail)] }

  /// The transport's error; an unknown code is read as `other`.
  public var error: TransportError { TransportError(TransportError.Code(rawValue: code) ?? .other, detail) }
}

extension HTTPField {
  static func json(_ fields: [HTTPField]) -> JSON {
    .array(fields.map { [.string($0.name), .string($0.value)] })
  }

  static func list(_ json: JSON?, of type: String) throws(EventError) -> [HTTPField] {
    var fields: [HTTPField] = []
    for pair in json?.array ?? [] {
      guard let parts = pair.array, parts.count == 2, let name = parts[0].string, let value = parts[1].string else {
        throw EventError(type: type, member: "headers")
      }
      fields.append(HTTPField(name, value))
    }
    return fields
  }
}
