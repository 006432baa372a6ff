// The errors that the org returns (spec/device.md §15.3).

public import Foundation

/// An error code of the org.
public enum ServerErrorCode: Sendable, Hashable {
  /// `E0000007`: the resource does not exist.
  case resourceNotFound
  /// `E0000008`: the enrollment does not exist.
  case enrollmentNotFound
  /// `E0000011`: the token is invalid, expired, or has a bad signature.
  case invalidToken
  /// `E0000152`: the device is suspended.
  case deviceSuspended
  /// `E0000153`: the device was deleted.
  case deviceDeleted
  /// `E0000154`: the enrollment was deleted.
  case enrollmentDeleted
  /// `E0000155`: the user is suspended.
  case userSuspended
  /// `E0000156`: the user was deleted.
  case userDeleted
  /// `E0000158`: the policy requires user verification.
  case biometricKeyEnrollmentComplianceError
  /// `E0000180`: the enrollment is suspended.
  case enrollmentSuspended
  /// `E0000212`: the origin check failed.
  case phishingAttemptDetected
  /// Any other code.
  case unknown(String)

  private static let known: [(ServerErrorCode, String, Int)] = [
    (.resourceNotFound, "E0000007", 404), (.enrollmentNotFound, "E0000008", 404), (.invalidToken, "E0000011", 401),
    (.deviceSuspended, "E0000152", 403), (.deviceDeleted, "E0000153", 410), (.enrollmentDeleted, "E0000154", 410),
    (.userSuspended, "E0000155", 423), (.userDeleted, "E0000156", 410),
    (.biometricKeyEnrollmentComplianceError, "E0000158", 400), (.enrollmentSuspended, "E0000180", 423),
    (.phishingAttemptDetected, "E0000212", 403),
  ]

  /// Creates an error code from its text.
  public init(raw: String) { self = Self.known.first { $0.1 == raw }?.0 ?? .unknown(raw) }

  /// The text of the code.
  public var rawValue: String {
    if case .unknown(let text) = self { return text }
    return Self.known.first { $0.0 == self }?.1 ?? ""
  }

  /// Returns the HTTP status that usually accompanies the code; 400 if the code is unknown.
  public func httpCode() -> Int { Self.known.first { $0.0 == self }?.2 ?? 400 }

  /// Whether the requested resource no longer exists at the org.
  public var isResourceDeleted: Bool {
    switch self {
    case .enrollmentNotFound, .deviceDeleted, .enrollmentDeleted, .userDeleted: true
    case .resourceNotFound, .invalidToken, .deviceSuspended, .userSuspended, .biometricKeyEnrollmentComplianceError,
      .enrollmentSuspended, .phishingAttemptDetected, .unknown:
      false
    }
  }

  /// Whether the requested resource is suspended.
  public var isResourceSuspended: Bool {
    switch self {
    case .deviceSuspended, .userSuspended, .enrollmentSuspended: true
    case .resourceNotFound, .enrollmentNotFound, .invalidToken, .deviceDeleted, .enrollmentDeleted, .userDeleted,
      .biometricKeyEnrollmentComplianceError, .phishingAttemptDetected, .unknown:
      false
    }
  }
}

/// The parts of the org's error that could be read. Its members are exactly as the org sent them; its description omits
/// any secrets that the org quotes.
public struct ServerAPIErrorModel: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The error code.
  public var errorCode: ServerErrorCode?
  /// A one-sentence summary by the org.
  public var errorSummary: String?
  /// A link for the error, usually the code again.
  public var errorLink: String?
  /// The ID of the error in the org's own log.
  public var errorId: String?
  /// The specific causes of the error.
  public var errorCauses: [String]?
  /// The status of a rejected challenge: `REJECT`.
  public var status: String?

  /// Creates a model.
  public init(
    errorCode: ServerErrorCode? = nil, errorSummary: String? = nil, errorLink: String? = nil, errorId: String? = nil,
    errorCauses: [String]? = nil, status: String? = nil
  ) {
    self.errorCode = errorCode
    self.errorSummary = errorSummary
    self.errorLink = errorLink
    self.errorId = errorId
    self.errorCauses = errorCauses
    self.status = status
  }

  /// The code and summary as recorded; `nil` for a model that does not come from a flow.
  var recorded: Recorded?

  /// The logged form of a model. It is ignored in comparisons.
  struct Recorded: Sendable, Hashable {
    var code: String?
    var sentence: String?

    static func == (one: Recorded, two: Recorded) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  /// The code and summary, as far as they may be printed.
  var printed: Recorded {
    recorded ?? Recorded(code: errorCode?.rawValue, sentence: errorSummary ?? status)
  }

  /// The code and summary.
  public var description: String {
    "ServerAPIErrorModel(\([printed.code, printed.sentence].compactMap { $0 }.joined(separator: ": ")))"
  }
  /// The code and summary.
  public var customMirror: Mirror {
    Mirror(self, children: ["errorCode": printed.code as Any, "errorSummary": printed.sentence as Any])
  }
}

/// A response in which the org refused a request.
public struct HTTPURLResult: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The HTTP status.
  public var statusCode: Int
  /// The body without whitespace; `nil` if there was no readable body.
  public var data: Data?

  /// Creates a result.
  public init(statusCode: Int, data: Data? = nil) {
    self.statusCode = statusCode
    self.data = data
  }

  /// The status and size only, because the body may contain secrets.
  public var description: String { "HTTP \(statusCode), \(data?.count ?? 0) bytes" }
  /// The status and size.
  public var customMirror: Mirror { Mirror(self, children: ["statusCode": statusCode, "bytes": data?.count ?? 0]) }
}
