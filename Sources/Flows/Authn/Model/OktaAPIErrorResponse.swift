// An error object of the org (authn §9).

public import EventStore

/// An error as the org reports it. Its `description` is safe to log: secrets that the org quotes are replaced in it.
public struct OktaAPIErrorResponse: Codable, Hashable, Sendable, CustomStringConvertible {
  /// One cause.
  public struct ErrorCause: Codable, Hashable, Sendable {
    /// What went wrong, for a person.
    public var errorSummary: String?
    /// What the location belongs to, of hooks.
    public var domain: String?
    /// Where it went wrong, of hooks.
    public var location: String?
    /// What kind of place the location is, of hooks.
    public var locationType: String?
    /// Why, of hooks.
    public var reason: String?
  }

  /// The code, `E` and seven digits. With the HTTP status, the only part that is contract.
  public var errorCode: String?
  /// What went wrong, for a person.
  public var errorSummary: String?
  /// A code to look up.
  public var errorLink: String?
  /// Names this very occurrence; give it to the org's support.
  public var errorId: String?
  /// The causes.
  public var errorCauses: [ErrorCause]?
  /// The HTTP status; 0 for an error that was decoded from data.
  public var httpStatus: Int
  /// How many seconds a rate limit asks to wait, on the org's own clock; nil if there is none.
  public var retryAfterSeconds: Int?
  /// The error object as it came.
  public var json: JSON
  /// Cause and summary with secrets replaced.
  public let description: String
  /// Code and id with secrets replaced.
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
    // The throttles of codes come with or without headers; their waits are fixed (§9.3).
    self.retryAfterSeconds = retryAfterSeconds ?? errorCode.flatMap { OktaErrorAdvice.throttles[$0] }
    safeCode = masked["errorCode"]?.string
    safeID = masked["errorId"]?.string
    let causes = (Self.causes(of: masked) ?? []).compactMap { $0["errorSummary"]?.string }
    let text = causes.isEmpty ? masked["errorSummary"]?.string ?? "Unknown" : causes.joined(separator: "; ")
    description = "Server responded with error: \(text)"
  }

  /// The causes, whose list is sometimes called by the singular (§9.1).
  private static func causes(of json: JSON) -> [JSON]? { json["errorCauses"]?.array ?? json["errorCause"]?.array }

  /// Reads the error object that the org sent. Its description quotes the object as it is.
  ///
  /// - Throws: `DecodingError` if the data is no object.
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
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws { try CodableJSON(json: json).encode(to: encoder) }

  /// What to do next, if the code determines it.
  public var advice: OktaErrorAdvice? { errorCode.flatMap(OktaErrorAdvice.init(errorCode:)) }
}
