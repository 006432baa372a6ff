// An error object from the org (authn §9).

public import EventStore

/// An error reported by the org. Its `description` is safe to log: secrets that the org quotes are replaced.
public struct OktaAPIErrorResponse: Codable, Hashable, Sendable, CustomStringConvertible {
  /// A cause of an error.
  public struct ErrorCause: Codable, Hashable, Sendable {
    /// A description of the cause, for a person.
    public var errorSummary: String?
    /// The domain of the location; only for hooks.
    public var domain: String?
    /// The location of the error; only for hooks.
    public var location: String?
    /// The type of the location; only for hooks.
    public var locationType: String?
    /// The reason; only for hooks.
    public var reason: String?
  }

  /// The code: `E` and seven digits. Only this and the HTTP status are guaranteed by the org's API.
  public var errorCode: String?
  /// A description of the error, for a person.
  public var errorSummary: String?
  /// A code for looking up the error.
  public var errorLink: String?
  /// The ID of this occurrence, for the org's support.
  public var errorId: String?
  /// The causes.
  public var errorCauses: [ErrorCause]?
  /// The HTTP status; 0 for an error that was decoded from data.
  public var httpStatus: Int
  /// How many seconds a rate limit asks to wait, by the org's clock; `nil` if there is none.
  public var retryAfterSeconds: Int?
  /// The error object as received.
  public var json: JSON
  /// The cause and summary, with secrets replaced.
  public let description: String
  /// The code and ID, with secrets replaced.
  let safeCode: String?
  let safeID: String?

  init(revealed: JSON, masked: JSON, httpStatus: Int, retryAfterSeconds: Int?) {
    errorCode = revealed["errorCode"]?.string
    errorSummary = revealed["errorSummary"]?.string
    errorLink = revealed["errorLink"]?.string
    errorId = revealed["errorId"]?.string
    errorCauses = Self.causes(of: revealed)?.map {
      ErrorCause(
        errorSummary: $0["errorSummary"]?.string, domain: $0["domain"]?.string, location: $0["location"]?.string,
        locationType: $0["locationType"]?.string, reason: $0["reason"]?.string)
    }
    json = revealed
    self.httpStatus = httpStatus
    // Throttled codes may come without headers; their wait times are fixed (§9.3).
    self.retryAfterSeconds = retryAfterSeconds ?? errorCode.flatMap { OktaErrorAdvice.throttles[$0] }
    safeCode = masked["errorCode"]?.string
    safeID = masked["errorId"]?.string
    let causes = (Self.causes(of: masked) ?? []).compactMap { $0["errorSummary"]?.string }
    let text = causes.isEmpty ? masked["errorSummary"]?.string ?? "Unknown" : causes.joined(separator: "; ")
    description = "Server responded with error: \(text)"
  }

  /// The causes; some responses use the singular name (§9.1).
  private static func causes(of json: JSON) -> [JSON]? { json["errorCauses"]?.array ?? json["errorCause"]?.array }

  /// Reads an error object that the org sent. Its description quotes the object unmasked.
  ///
  /// - Throws: `DecodingError` if the data is not an object.
  public init(from decoder: any Decoder) throws {
    let json = try CodableJSON(from: decoder).json
    guard json.object != nil else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "This is no error object"))
    }
    self.init(revealed: json, masked: json, httpStatus: 0, retryAfterSeconds: nil)
  }

  /// Writes the error object as the org sent it.
  ///
  /// - Throws: the encoder's errors.
  public func encode(to encoder: any Encoder) throws { try CodableJSON(json: json).encode(to: encoder) }

  /// What to do next, if the code determines it.
  public var advice: OktaErrorAdvice? { errorCode.flatMap(OktaErrorAdvice.init(errorCode:)) }
}
