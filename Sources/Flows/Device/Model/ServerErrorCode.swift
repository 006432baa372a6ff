// What the org refuses with (spec/device.md §15.3).

public import Foundation

/// An error code of the org.
public enum ServerErrorCode: Sendable, Hashable {
  /// `E0000007`: no such resource.
  case resourceNotFound
  /// `E0000008`: no such enrollment.
  case enrollmentNotFound
  /// `E0000011`: the token is bad, expired or wrongly signed.
  case invalidToken
  /// `E0000152`
  case deviceSuspended
  /// `E0000153`
  case deviceDeleted
  /// `E0000154`
  case enrollmentDeleted
  /// `E0000155`
  case userSuspended
  /// `E0000156`
  case userDeleted
  /// `E0000158`: the policy wants user verification.
  case biometricKeyEnrollmentComplianceError
  /// `E0000180`
  case enrollmentSuspended
  /// `E0000212`: the check of the origin failed.
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

  /// The code of its text.
  public init(raw: String) { self = Self.known.first { $0.1 == raw }?.0 ?? .unknown(raw) }

  /// The text of the code.
  public var rawValue: String {
    if case .unknown(let text) = self { return text }
    return Self.known.first { $0.0 == self }?.1 ?? ""
  }

  /// The HTTP status that usually comes with it; 400 for an unknown one.
  public func httpCode() -> Int { Self.known.first { $0.0 == self }?.2 ?? 400 }

  /// Whether what was asked about is gone from the org.
  public var isResourceDeleted: Bool {
    switch self {
    case .enrollmentNotFound, .deviceDeleted, .enrollmentDeleted, .userDeleted: true
    case .resourceNotFound, .invalidToken, .deviceSuspended, .userSuspended, .biometricKeyEnrollmentComplianceError,
      .enrollmentSuspended, .phishingAttemptDetected, .unknown:
      false
    }
  }

  /// Whether it is suspended.
  public var isResourceSuspended: Bool {
    switch self {
    case .deviceSuspended, .userSuspended, .enrollmentSuspended: true
    case .resourceNotFound, .enrollmentNotFound, .invalidToken, .deviceDeleted, .enrollmentDeleted, .userDeleted,
      .biometricKeyEnrollmentComplianceError, .phishingAttemptDetected, .unknown:
      false
    }
  }
}

/// What could be read of the org's refusal. Its members are as the org sent them; printed, it shows no secret that the org
/// quotes.
public struct ServerAPIErrorModel: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The code.
  public var errorCode: ServerErrorCode?
  /// One sentence of the org.
  public var errorSummary: String?
  /// The code once more.
  public var errorLink: String?
  /// What the org's own log calls it.
  public var errorId: String?
  /// What exactly is wrong.
  public var errorCauses: [String]?
  /// The status of a rejected challenge: `REJECT`.
  public var status: String?

  /// Makes a model.
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

  /// Code and sentence as the log has them; nil for a model that no flow made.
  var recorded: Recorded?

  /// What the log has of a model. It is no part of its value.
  struct Recorded: Sendable, Hashable {
    var code: String?
    var sentence: String?

    static func == (one: Recorded, two: Recorded) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  /// What may be printed of code and sentence.
  var printed: Recorded {
    recorded ?? Recorded(code: errorCode?.rawValue, sentence: errorSummary ?? status)
  }

  /// Code and sentence.
  public var description: String {
    "ServerAPIErrorModel(\([printed.code, printed.sentence].compactMap { $0 }.joined(separator: ": ")))"
  }
  /// Code and sentence.
  public var customMirror: Mirror {
    Mirror(self, children: ["errorCode": printed.code as Any, "errorSummary": printed.sentence as Any])
  }
}

/// An answer of the org that is a refusal.
public struct HTTPURLResult: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The HTTP status.
  public var statusCode: Int
  /// The body, without white space; nil if there was none that could be read.
  public var data: Data?

  /// Makes a result.
  public init(statusCode: Int, data: Data? = nil) {
    self.statusCode = statusCode
    self.data = data
  }

  /// Status and size: the body may name what is secret.
  public var description: String { "HTTP \(statusCode), \(data?.count ?? 0) bytes" }
  /// Status and size.
  public var customMirror: Mirror { Mirror(self, children: ["statusCode": statusCode, "bytes": data?.count ?? 0]) }
}
