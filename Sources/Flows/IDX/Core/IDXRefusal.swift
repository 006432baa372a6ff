// Why a call ends without a response, as it stands in `call.returned`. The facade makes an error of it.

package import EventStore
import FlowRecording

/// A refusal: the name of an `InteractionCodeFlowError` case, and what a reader of the log needs beside it.
package struct IDXRefusal: Error, Equatable {
  package var code: String
  package var details: JSON

  private init(_ code: String, _ details: JSON = [:]) {
    self.code = code
    self.details = details
  }

  static let invalidContext = IDXRefusal("invalidContext")
  static let transactionExpired = IDXRefusal("transactionExpired")
  static let successResponseMissing = IDXRefusal("successResponseMissing")
  static let busy = internalMessage("another request of this flow is under way; wait for its response")

  static func invalidUrl(_ text: String) -> IDXRefusal { IDXRefusal("invalidUrl", ["text": .string(text)]) }

  /// A form that a browser opens: it is never sent (§3).
  static func browserForm(_ name: String) -> IDXRefusal {
    IDXRefusal(
      "cannotCreateRequest", ["text": .string("the remediation '\(name)' is for a browser: open its address there")])
  }

  static func invalidRequest(_ text: String) -> IDXRefusal {
    IDXRefusal("invalidRequestData", ["text": .string(text)])
  }

  static func invalidResponse(_ text: String, status: Int? = nil) -> IDXRefusal {
    IDXRefusal("invalidResponseData", .members([("text", .string(text)), ("httpStatus", status.map(JSON.int))]))
  }

  static func httpStatus(_ status: Int) -> IDXRefusal {
    IDXRefusal("invalidHTTPResponse", ["httpStatus": .int(status)])
  }

  static func missingParameter(_ name: String) -> IDXRefusal {
    IDXRefusal("missingRequiredParameter", ["name": .string(name)])
  }

  static func invalidParameter(_ name: String) -> IDXRefusal {
    IDXRefusal("invalidParameter", ["name": .string(name)])
  }

  static func invalidParameterValue(_ name: String, type: String) -> IDXRefusal {
    IDXRefusal("invalidParameterValue", ["name": .string(name), "type": .string(type)])
  }

  static func unknownOption(_ name: String) -> IDXRefusal {
    IDXRefusal("unknownRemediationOption", ["name": .string(name)])
  }

  static func missingRelated(_ text: String) -> IDXRefusal {
    IDXRefusal("missingRelatedObject", ["text": .string(text)])
  }

  static func internalMessage(_ text: String) -> IDXRefusal {
    IDXRefusal("internalMessage", ["text": .string(text)])
  }

  static func connection(_ error: TransportError) -> IDXRefusal {
    IDXRefusal("internalError", ["code": .string(error.code.rawValue), "detail": .string(error.detail)])
  }

  /// The org wants to be asked again only after so many seconds.
  static func rateLimited(_ seconds: Int, _ response: ResponseReceived) -> IDXRefusal {
    IDXRefusal(
      "rateLimited",
      .members([
        ("retryAfter", .int(seconds)), ("httpStatus", .int(response.status)),
        ("errorCode", response.json?["errorCode"]), ("errorId", response.json?["errorId"]),
      ]))
  }

  /// A message of the org, on an answer that is no response (§3.2).
  static func server(_ message: MessageReading) -> IDXRefusal {
    IDXRefusal(
      "serverError",
      .members([
        ("message", .string(message.text ?? "")), ("localizationKey", .string(message.key ?? "")),
        ("class", message.severity.map(JSON.string)),
      ]))
  }

  /// An error of the OAuth part or of the API; nil where a body is neither (§3.2).
  static func error(in body: JSON, status: Int) -> IDXRefusal? {
    if let code = body["errorCode"]?.string {
      return IDXRefusal(
        "apiError",
        .members([
          ("errorCode", .string(code)), ("text", body["errorSummary"]), ("errorId", body["errorId"]),
          ("httpStatus", .int(status)),
        ]))
    }
    guard let code = body["error"]?.string else { return nil }
    return IDXRefusal(
      "oauthError",
      .members([
        ("errorCode", .string(code)), ("text", body["error_description"] ?? body["errorDescription"]),
        ("errorId", body["errorId"]), ("httpStatus", .int(status)),
      ]))
  }
}
