// Compares the errors of a call with the recording.

import EventStore
import FlowRecording
import OIDC

/// Checks one error.
struct IDXErrorCheck {
  let error: InteractionCodeFlowError
  /// The details recorded with the code in `call.returned`.
  let details: JSON
  /// The values that stand in for the flow's secrets.
  let secrets: PlayedSecrets

  /// Describes the first member that differs from the recording; `nil` if there is none.
  var complaint: String? { member.map { "\($0) of the error is not what was recorded" } }

  private var member: String? {
    let (name, text) = (details["name"]?.string ?? "", details["text"]?.string)
    switch error {
    case .invalidUrl(let shown), .cannotCreateRequest(let shown), .invalidHTTPResponse(let shown),
      .invalidResponseData(let shown), .invalidRequestData(let shown):
      guard shown.httpStatus == details["httpStatus"]?.int, error.details?.httpStatus == shown.httpStatus else {
        return "httpStatus"
      }
      guard error.errorDescription?.contains(text ?? "") != false || text == nil else { return "errorDescription" }
      return shown.reason == text && error.details?.reason == text ? nil : "the reason"
    case .serverError(let message, let key, let type):
      guard message == details["message"]?.string ?? "" else { return "the message" }
      guard key == details["localizationKey"]?.string ?? "" else { return "localizationKey" }
      return type == IDXObjectCheck.severity(details["class"]?.string) ? nil : "the class"
    case .apiError(let shown): return member(of: shown)
    case .internalError(let failure):
      guard failure.code.rawValue == details["code"]?.string ?? "other" else { return "the code" }
      return failure.detail == details["detail"]?.string ?? "" ? nil : "the detail"
    case .internalMessage(let shown): return text == nil || shown == text ? nil : "the text"
    case .oauthError(let summary, let code, let id):
      guard code == details["errorCode"]?.string else { return "the code" }
      guard id == details["errorId"]?.string else { return "errorId" }
      return text == nil || summary == text ? nil : "the summary"
    case .idTokenRefused(let failure):
      guard failure.json == details["idToken"] else { return "the claim" }
      return error.errorDescription?.contains(failure.claim) == true ? nil : "errorDescription"
    case .invalidParameter(let shown), .missingRequiredParameter(let shown), .unknownRemediationOption(let shown),
      .parameterImmutable(let shown), .missingRemediationOption(let shown):
      return shown == name ? nil : "the name"
    case .invalidParameterValue(let shown, let type):
      return shown == name && type == details["type"]?.string ?? "" ? nil : "the name"
    case .rateLimited(let seconds):
      guard error.details?.httpStatus == 429 else { return "httpStatus" }
      return seconds == details["retryAfter"]?.int ?? 0 ? nil : "retryAfter"
    case .invalidContext, .invalidFlow, .platformUnsupported, .transactionExpired, .successResponseMissing,
      .missingRefreshToken, .missingRelatedObject:
      return nil
    }
  }

  private func member(of shown: InteractionCodeFlowError.APIError) -> String? {
    let revealed = secrets.reveal(details)
    if shown.errorCode != revealed["errorCode"]?.string ?? "" { return "errorCode" }
    if shown.errorSummary != revealed["text"]?.string { return "errorSummary" }
    if shown.errorId != revealed["errorId"]?.string { return "errorId" }
    if shown.httpStatus != details["httpStatus"]?.int ?? 0 { return "httpStatus" }
    if error.details?.httpStatus != shown.httpStatus { return "details" }
    if let text = details["text"]?.string, shown.description != text { return "the description" }
    return nil
  }

  /// Returns whether an OAuth error corresponds to an error of the flow.
  static func isSame(_ oauth: OAuth2Error, _ error: InteractionCodeFlowError) -> Bool {
    switch (oauth, error) {
    case (.invalidContext, .invalidContext), (.invalidUrl, .invalidUrl), (.cannotComposeUrl, .cannotCreateRequest): true
    case (.server(let code, let text), .oauthError(let summary, let sent?, _)): code == sent && text == summary
    case (.network(let inner), .internalError): (inner as? InteractionCodeFlowError) == error
    case (.error(let inner), .oauthError(_, let sent, _)):
      sent == nil && (inner as? InteractionCodeFlowError) == error
    case (_, .invalidContext), (_, .invalidUrl), (_, .cannotCreateRequest), (_, .internalError), (_, .oauthError): false
    case (.error(let inner), _): (inner as? InteractionCodeFlowError) == error
    case (_, _): false
    }
  }
}
