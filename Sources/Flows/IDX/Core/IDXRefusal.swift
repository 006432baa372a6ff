// Why a call ends without a response, as in `call.returned`. The facade converts it to an error.

import EventStore
import FlowRecording

/// The refusals of an Identity Engine flow, named after the cases of `InteractionCodeFlowError`.
extension Refusal {
  static let invalidContext = Refusal("invalidContext")
  static let transactionExpired = Refusal("transactionExpired")
  static let successResponseMissing = Refusal("successResponseMissing")
  static let busy = internalMessage("another request of this flow is under way; wait for its response")

  static func invalidUrl(_ text: String) -> Refusal { Refusal("invalidUrl", ["text": .string(text)]) }

  /// The form is for a browser and is never sent (§3).
  static func browserForm(_ name: String) -> Refusal {
    Refusal(
      "cannotCreateRequest", ["text": .string("the remediation '\(name)' is for a browser: open its address there")])
  }

  static func invalidRequest(_ text: String) -> Refusal {
    Refusal("invalidRequestData", ["text": .string(text)])
  }

  static func invalidResponse(_ text: String, status: Int? = nil) -> Refusal {
    Refusal("invalidResponseData", .members([("text", .string(text)), ("httpStatus", status.map(JSON.int))]))
  }

  static func httpStatus(_ status: Int) -> Refusal {
    Refusal("invalidHTTPResponse", ["httpStatus": .int(status)])
  }

  static func missingParameter(_ name: String) -> Refusal {
    Refusal("missingRequiredParameter", ["name": .string(name)])
  }

  static func invalidParameter(_ name: String) -> Refusal {
    Refusal("invalidParameter", ["name": .string(name)])
  }

  static func invalidParameterValue(_ name: String, type: String) -> Refusal {
    Refusal("invalidParameterValue", ["name": .string(name), "type": .string(type)])
  }

  static func unknownOption(_ name: String) -> Refusal {
    Refusal("unknownRemediationOption", ["name": .string(name)])
  }

  static func missingRelated(_ text: String) -> Refusal {
    Refusal("missingRelatedObject", ["text": .string(text)])
  }

  static func internalMessage(_ text: String) -> Refusal {
    Refusal("internalMessage", ["text": .string(text)])
  }

  /// The code for a rejected ID token.
  static let idTokenRefused = "idTokenRefused"

  /// The ID token is not valid: the claim, the rule, and the expected and actual values.
  static func idToken(_ failure: JSON) -> Refusal { Refusal(idTokenRefused, ["idToken": failure]) }

  static func connection(_ error: TransportError) -> Refusal {
    Refusal("internalError", ["code": .string(error.code.rawValue), "detail": .string(error.detail)])
  }

  /// The org does not accept another request before the given number of seconds.
  static func rateLimited(_ seconds: Int, _ response: ResponseReceived) -> Refusal {
    Refusal(
      "rateLimited",
      .members([
        ("retryAfter", .int(seconds)), ("httpStatus", .int(response.status)),
        ("errorCode", response.json?["errorCode"]), ("errorId", response.json?["errorId"]),
      ]))
  }

  /// A message of the org in an answer that is not a response (§3.2).
  static func server(_ message: MessageReading) -> Refusal {
    Refusal(
      "serverError",
      .members([
        ("message", .string(message.text ?? "")), ("localizationKey", .string(message.key ?? "")),
        ("class", message.severity.map(JSON.string)),
      ]))
  }

  /// An OAuth or API error; `nil` if the body is neither (§3.2).
  static func error(in body: JSON, status: Int) -> Refusal? {
    if let code = body["errorCode"]?.string {
      return Refusal(
        "apiError",
        .members([
          ("errorCode", .string(code)), ("text", body["errorSummary"]), ("errorId", body["errorId"]),
          ("httpStatus", .int(status)),
        ]))
    }
    guard let code = body["error"]?.string else { return nil }
    return Refusal(
      "oauthError",
      .members([
        ("errorCode", .string(code)), ("text", body["error_description"] ?? body["errorDescription"]),
        ("errorId", body["errorId"]), ("httpStatus", .int(status)),
      ]))
  }
}
