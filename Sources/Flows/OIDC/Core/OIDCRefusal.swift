// Why an operation on tokens failed. The codes are the cases of `OktaError`.

import EventStore
import FlowRecording

extension Refusal {
  /// `APIError`, with details of the failure.
  static func api(
    _ text: String, status: Int? = nil, code: String? = nil, description: String? = nil, requestID: JSON? = nil,
    isRetryable: Bool = false
  ) -> Refusal {
    Refusal(
      "APIError",
      .members([
        ("text", .string(text)), ("httpStatus", status.map(JSON.int)), ("oauthCode", code.map(JSON.string)),
        ("oauthDescription", description.map(JSON.string)), ("requestId", requestID),
        ("retryable", isRetryable ? true : nil),
      ]))
  }

  /// The server sent the browser back with an error.
  static func authorization(_ error: String, _ description: String?) -> Refusal {
    Refusal(
      "authorization", .members([("oauthCode", .string(error)), ("oauthDescription", description.map(JSON.string))]))
  }

  static func issuerMismatch(expected: String, actual: String) -> Refusal {
    Refusal("issuerMismatch", ["expected": .string(expected), "actual": .string(actual)])
  }

  /// The server's metadata does not name an endpoint.
  static func missing(_ endpoint: String) -> Refusal {
    switch endpoint {
    case "introspection_endpoint": Refusal("noIntrospectionEndpoint")
    case "revocation_endpoint": Refusal("noRevocationEndpoint")
    case "userinfo_endpoint": Refusal("noUserInfoEndpoint")
    default: Refusal("parseFailure")
    }
  }

  static func internalError(_ text: String) -> Refusal { Refusal("internalError", ["text": .string(text)]) }

  /// The token store failed.
  static func storage(_ failure: DrawFailure) -> Refusal {
    Refusal("storage", ["reason": .string(failure.reason.rawValue), "text": .string(failure.detail ?? "")])
  }

  /// The browser returned no redirect.
  static func browser(_ failure: DrawFailure) -> Refusal {
    switch failure.reason {
    case .cancelled: Refusal("userCancelledAuthorizationFlow")
    case .missing: Refusal("unableToOpenBrowser")
    case .timedOut: Refusal("timeout")
    case .lockedOut, .invalidated, .failed: .api(failure.detail ?? "the browser could not be used")
    }
  }
}
