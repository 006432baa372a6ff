// The errors of the classic SDK (authn §15), plus one for the async forms.

public import Foundation

/// Why a call did not result in a status. `description` is one sentence without secrets.
public enum OktaError: Error, Sendable {
  /// The URL cannot be formed, or the body cannot be encoded; the text says which.
  case errorBuildingURLRequest(String)
  /// The request received no complete answer; a `TransportError`.
  case connectionError(any Error)
  /// The answer has no body. The value is its HTTP status.
  case emptyServerResponse(httpStatus: Int)
  /// The answer lacks what its status needs, or the status lacks a state token; the text says what.
  case invalidResponse(String)
  /// The body cannot be read. The values are the reason and the body as received.
  case responseSerializationError(any Error, Data)
  /// The org answered with an error.
  case serverRespondedWithError(OktaAPIErrorResponse)
  /// A hook of the application threw an error of its own.
  case unexpectedResponse
  /// The status does not offer this; the text names the missing link.
  case wrongStatus(String)
  /// Another operation of this transaction is in progress.
  case alreadyInProgress
  /// The status is one that the SDK does not model. The response can still be used.
  case unknownStatus(OktaAPISuccessResponse)
  /// The SDK cannot continue. With `auditing: .required`, this occurs if the log cannot be written; the message says
  /// what to do.
  case internalError(String)
  /// An argument is not valid; nothing was sent.
  case invalidParameters(String)
  /// The call was cancelled. Only the async forms throw this; closures are not called.
  case cancelled
}

extension OktaError {
  // Code written for the original API uses these three without a value, both in patterns, which match any value, and to
  // throw them.

  /// `errorBuildingURLRequest` without a text.
  public static var errorBuildingURLRequest: OktaError { .errorBuildingURLRequest("") }
  /// `emptyServerResponse` without an HTTP status.
  public static var emptyServerResponse: OktaError { .emptyServerResponse(httpStatus: 0) }
  /// `invalidResponse` without a text.
  public static var invalidResponse: OktaError { .invalidResponse("") }

  /// The HTTP status of the answer that caused the error; `nil` if there was no answer.
  public var httpStatus: Int? {
    let status: Int? =
      switch self {
      case .serverRespondedWithError(let response): response.httpStatus
      case .emptyServerResponse(let status): status
      case .responseSerializationError(let error, _): (error as? OktaReadingError)?.httpStatus
      default: nil
      }
    return status == 0 ? nil : status
  }
}

/// Why a body could not be read.
public struct OktaReadingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason, without any part of the body.
  public var reason: String
  /// The HTTP status of the answer; `nil` if it is not known.
  public var httpStatus: Int?

  /// The reason.
  public var description: String { reason }
}

extension OktaError: CustomStringConvertible, LocalizedError {
  /// One sentence without secrets, with what to do next if that is known.
  public var description: String {
    switch self {
    case .errorBuildingURLRequest(let reason):
      reason.isEmpty ? "The URL of the request cannot be formed; check the org URL" : reason
    case .connectionError(let error): "Connection error: \(error)"
    case .emptyServerResponse(let status):
      "The server's answer was empty" + (status == 0 ? "" : " (HTTP \(status))")
    case .invalidResponse(let reason):
      "The server's answer lacks what its status needs" + (reason.isEmpty ? "" : ": \(reason)")
    case .responseSerializationError(let error, let data):
      "The server's answer of \(data.count) bytes cannot be read: \(error)"
    case .serverRespondedWithError(let response): response.description
    case .unexpectedResponse: "A response handler of the application failed"
    case .wrongStatus(let text): text
    case .alreadyInProgress: "Another operation of this sign-in is under way; wait for it or cancel it"
    case .unknownStatus(let response): "The status \(response.safeStatus) is not known to the SDK"
    case .internalError(let text): text
    case .invalidParameters(let text): "An argument cannot be used: \(text)"
    case .cancelled: "The call was cancelled"
    }
  }

  /// The same sentence.
  public var errorDescription: String? { description }

  /// What to do next, if that is known.
  public var recoverySuggestion: String? {
    guard case .serverRespondedWithError(let response) = self, let advice = response.advice else { return nil }
    guard advice == .waitThenRetry, let seconds = response.retryAfterSeconds else { return advice.sentence }
    return "Wait \(seconds) seconds, then try again"
  }
}
