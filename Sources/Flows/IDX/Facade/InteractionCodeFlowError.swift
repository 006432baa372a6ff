// The errors of the flow (idx §9.3).

import EventStore
public import FlowRecording
public import Foundation
public import OIDC

/// Why a call returned no response or no tokens.
///
/// The description contains no secret that the flow knows. The org's texts are as in the log, with secrets replaced;
/// `InteractionCodeFlow.revealed(_:)` returns them as the org sent them. `APIError` has both forms.
public enum InteractionCodeFlowError: Error, Sendable, Equatable, LocalizedError {
  /// The call does not belong to a sign-in in progress.
  case invalidContext
  /// The flow no longer exists. This SDK never throws it, because responses retain their flow.
  case invalidFlow
  /// This platform does not support the operation.
  case platformUnsupported
  /// A URL is not valid; nothing was sent.
  case invalidUrl(Details)
  /// The request cannot be created, because the form is meant for a browser.
  case cannotCreateRequest(Details)
  /// The org's answer contains no more information than its HTTP status.
  case invalidHTTPResponse(Details)
  /// The answer cannot be read.
  case invalidResponseData(Details)
  /// The request's data cannot be encoded.
  case invalidRequestData(Details)
  /// The org reports an error after which the sign-in cannot continue, for example because its session has expired.
  /// Secrets in the message and key are replaced.
  case serverError(message: String, localizationKey: String, type: Response.Message.Severity)
  /// The API returned an error.
  case apiError(APIError)
  /// No complete answer was received.
  case internalError(TransportFailure)
  /// The SDK cannot continue. With `auditing: .required`, this occurs if the log cannot be written; the message says
  /// what to do.
  case internalMessage(String)
  /// An OAuth endpoint returned an error. Secrets in its texts are replaced.
  case oauthError(summary: String, code: String?, errorId: String?)
  /// The ID token is not valid: the claim, the rule, and the expected and actual values. No tokens are returned, and
  /// the sign-in has ended.
  case idTokenRefused(IDTokenFailure)
  /// A parameter is not valid.
  case invalidParameter(name: String)
  /// A value does not have the type of its field; nothing was sent.
  case invalidParameterValue(name: String, type: String)
  /// A parameter cannot be changed.
  case parameterImmutable(name: String)
  /// A required field has no value; nothing was sent. The name is dotted: `credentials.passcode`.
  case missingRequiredParameter(name: String)
  /// A field requires one of its options to be selected.
  case missingRemediationOption(name: String)
  /// The response has no such remediation or option.
  case unknownRemediationOption(name: String)
  /// There is no interaction code yet.
  case successResponseMissing
  /// There is no refresh token.
  case missingRefreshToken
  /// The response has nothing to poll, or no longer has it.
  case missingRelatedObject
  /// The org limits requests and does not accept another one for this many seconds, which is longer than a call waits
  /// (one minute in total).
  case rateLimited(retryAfter: Int)
  /// The transaction expired while it was being polled. Start again.
  case transactionExpired

  /// More information about a failure, for people and logs. It is ignored in comparisons, so that `error ==
  /// .invalidHTTPResponse` holds whatever the status was.
  public struct Details: Sendable, Equatable {
    /// The HTTP status of the answer; `nil` if there was none.
    public var httpStatus: Int?
    /// The reason, in a few words; `nil` if nothing more is known.
    public var reason: String?

    /// Creates details.
    public init(httpStatus: Int? = nil, reason: String? = nil) {
      self.httpStatus = httpStatus
      self.reason = reason
    }

    /// Always `true`, so that errors are equal if their cases are.
    public static func == (left: Details, right: Details) -> Bool { true }
  }

  /// A URL is not valid, without details.
  public static var invalidUrl: InteractionCodeFlowError { .invalidUrl(Details()) }
  /// The request cannot be created, without details.
  public static var cannotCreateRequest: InteractionCodeFlowError { .cannotCreateRequest(Details()) }
  /// The org's answer contains no more information than its HTTP status, without details.
  public static var invalidHTTPResponse: InteractionCodeFlowError { .invalidHTTPResponse(Details()) }
  /// The answer cannot be read, without details.
  public static var invalidResponseData: InteractionCodeFlowError { .invalidResponseData(Details()) }
  /// The request's data cannot be encoded, without details.
  public static var invalidRequestData: InteractionCodeFlowError { .invalidRequestData(Details()) }

  /// The details, for cases that have them.
  public var details: Details? {
    switch self {
    case .invalidUrl(let details), .cannotCreateRequest(let details), .invalidHTTPResponse(let details),
      .invalidResponseData(let details), .invalidRequestData(let details):
      details
    case .apiError(let error): Details(httpStatus: error.httpStatus, reason: error.description)
    case .rateLimited: Details(httpStatus: 429)
    default: nil
    }
  }

  /// An error of the API, as the org sent it. Its `description` is safe to log: secrets that the org quotes are
  /// replaced.
  public struct APIError: Sendable, Hashable, CustomStringConvertible {
    /// The error code: `E0000004`.
    public var errorCode: String
    /// The meaning of the error.
    public var errorSummary: String?
    /// The ID by which the org's support finds the error.
    public var errorId: String?
    /// The HTTP status of the answer.
    public var httpStatus: Int
    /// The meaning of the error, with secrets replaced.
    public let description: String

    init(errorCode: String, errorSummary: String?, errorId: String?, httpStatus: Int, description: String? = nil) {
      self.errorCode = errorCode
      self.errorSummary = errorSummary
      self.errorId = errorId
      self.httpStatus = httpStatus
      self.description = description ?? errorSummary ?? "The org answered with the error \(errorCode)."
    }
  }

  /// Why no complete answer was received.
  public struct TransportFailure: Sendable, Hashable {
    /// The kind of failure, such as `timedOut` or `connectionLost`.
    public var code: TransportError.Code
    /// One sentence that describes the failure.
    public var detail: String
  }

  /// One sentence for a person, with secrets replaced.
  public var errorDescription: String? {
    switch self {
    case .invalidContext: "No sign-in is under way that this belongs to. Start one."
    case .invalidFlow: "The flow that this belongs to is gone."
    case .platformUnsupported: "This platform cannot do that."
    case .invalidUrl(let details): "An address cannot be used\(details.clause)."
    case .cannotCreateRequest(let details): "The request cannot be made\(details.clause)."
    case .invalidHTTPResponse(let details): "The org's answer tells nothing but that it failed\(details.clause)."
    case .invalidResponseData(let details): "The org's answer cannot be read\(details.clause)."
    case .invalidRequestData(let details): "The request cannot be written\(details.clause)."
    case .rateLimited(let seconds): "The org limits how often it may be asked. Try again in \(seconds) seconds."
    case .transactionExpired: "The sign-in took too long and has ended. Start a new one."
    case .serverError(let message, _, _): message
    case .apiError(let error): error.description
    case .internalError(let failure): failure.detail
    case .internalMessage(let text): text
    case .oauthError(let summary, _, _): summary
    case .idTokenRefused(let failure): "\(failure)."
    case .invalidParameter(let name): "The parameter '\(name)' cannot be used."
    case .invalidParameterValue(let name, let type): "The value of '\(name)' is not of the type \(type)."
    case .parameterImmutable(let name): "The parameter '\(name)' cannot be changed."
    case .missingRequiredParameter(let name): "The required parameter '\(name)' has no value."
    case .missingRemediationOption(let name): "One of the options of '\(name)' must be chosen."
    case .unknownRemediationOption(let name): "The response has no remediation or option '\(name)'."
    case .successResponseMissing: "The sign-in has not succeeded yet."
    case .missingRefreshToken: "There is no refresh token."
    case .missingRelatedObject: "What this belongs to is not part of the response any more."
    }
  }
}

extension InteractionCodeFlowError.Details {
  /// `: the body is not JSON (HTTP 502)`; empty if nothing is known.
  fileprivate var clause: String {
    (reason.map { ": \($0)" } ?? "") + (httpStatus.map { " (HTTP \($0))" } ?? "")
  }
}

extension InteractionCodeFlowError.TransportFailure {
  /// Whether the network caused the failure, rather than the other side.
  public var isNetwork: Bool {
    switch code {
    case .cannotResolveHost, .cannotConnect, .connectionLost, .timedOut: true
    case .malformedURL, .tlsFailed, .responseTooLarge, .limitReached, .malformedResponse, .cancelled, .unavailable,
      .other:
      false
    }
  }
}

/// The org's message about a sign-in that cannot continue, with secrets replaced.
public struct IDXServerError: Error, Sendable, Hashable {
  /// The message.
  public let message: String
  /// The key for translating the message.
  public let localizationKey: String
  /// The severity of the message.
  public let severity: Response.Message.Severity

  /// Reads the message from an error; `nil` for other errors.
  public init?(_ error: InteractionCodeFlowError) {
    guard case .serverError(let message, let key, let severity) = error else { return nil }
    self.message = message
    localizationKey = key
    self.severity = severity
  }
}

extension InteractionCodeFlowError {
  /// Creates an error from a `call.returned`. Only the texts of an API error are revealed.
  init(code: String, details: JSON, _ vault: Vault) {
    let name = details["name"]?.string ?? ""
    let text = details["text"]?.string
    let known = Details(httpStatus: details["httpStatus"]?.int, reason: text)
    switch code {
    case "invalidContext": self = .invalidContext
    case "invalidUrl": self = .invalidUrl(known)
    case "cannotCreateRequest": self = .cannotCreateRequest(known)
    case "invalidHTTPResponse": self = .invalidHTTPResponse(known)
    case "invalidResponseData": self = .invalidResponseData(known)
    case "invalidRequestData": self = .invalidRequestData(known)
    case "rateLimited": self = .rateLimited(retryAfter: details["retryAfter"]?.int ?? 0)
    case "transactionExpired": self = .transactionExpired
    case "serverError":
      self = .serverError(
        message: details["message"]?.string ?? "", localizationKey: details["localizationKey"]?.string ?? "",
        type: Response.Message.Severity(wire: details["class"]?.string))
    case "apiError": self = .apiError(APIError(details: details, vault))
    case "internalError":
      self = .internalError(
        TransportFailure(
          code: TransportError.Code(rawValue: details["code"]?.string ?? "") ?? .other,
          detail: details["detail"]?.string ?? ""))
    case "oauthError":
      let code = details["errorCode"]?.string
      self = .oauthError(
        summary: text ?? "The authorization server answered \(code ?? "an error").", code: code,
        errorId: details["errorId"]?.string)
    case Refusal.idTokenRefused:
      let failure = details["idToken"].flatMap { IDTokenFailure(json: $0) }
      self = .idTokenRefused(failure ?? IDTokenFailure("token", .malformed))
    case "invalidParameter": self = .invalidParameter(name: name)
    case "invalidParameterValue": self = .invalidParameterValue(name: name, type: details["type"]?.string ?? "")
    case "missingRequiredParameter": self = .missingRequiredParameter(name: name)
    case "unknownRemediationOption": self = .unknownRemediationOption(name: name)
    case "successResponseMissing": self = .successResponseMissing
    case "missingRelatedObject": self = .missingRelatedObject
    default: self = .internalMessage(text ?? "an error without a text: \(code)")
    }
  }
}

extension InteractionCodeFlowError.APIError {
  fileprivate init(details: JSON, _ vault: Vault) {
    let revealed = vault.reveal(details)
    let code = details["errorCode"]?.string ?? ""
    self.init(
      errorCode: revealed["errorCode"]?.string ?? "", errorSummary: revealed["text"]?.string,
      errorId: revealed["errorId"]?.string, httpStatus: details["httpStatus"]?.int ?? 0,
      description: details["text"]?.string ?? "The org answered with the error \(code).")
  }
}
