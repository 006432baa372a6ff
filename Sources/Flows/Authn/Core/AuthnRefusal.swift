// Why a call ends without a status, as recorded in `call.returned`. The facade converts it to an `OktaError`.

import EventStore
import FlowRecording

/// The refusals of a classic sign-in: the names of `OktaError` cases.
extension Refusal {
  static let unknownStatusCode = "unknownStatus"
  static let alreadyInProgress = Refusal("alreadyInProgress")
  static let emptyServerResponse = Refusal("emptyServerResponse")
  /// A response handler of the application threw another error.
  static let unexpectedResponse = "unexpectedResponse"
  /// Polling needs the token (§14.1).
  static let missingToken = Refusal("wrongStatus", ["text": "Can't find 'stateToken' in response"])
  /// `expiresAt` has passed on the org's clock.
  static let expired = Refusal("wrongStatus", ["text": "The transaction has expired; begin again"])
  /// The user did not answer, and the application did not end the polling (§14.1).
  static let unanswered = Refusal("wrongStatus", ["text": "The factor was not answered for an hour; begin again"])
  static let malformedURL = Refusal("errorBuildingURLRequest")
  static let noStateToken = Refusal("invalidResponse", ["text": "the status has no state token"])

  static func missingLink(_ relation: String) -> Refusal {
    Refusal("wrongStatus", ["text": .string("Can't find '\(relation)' link in response")])
  }

  /// A link for a browser: no request is sent to it (§4).
  static func browserLink(_ relation: String) -> Refusal {
    Refusal("wrongStatus", ["text": .string("The link '\(relation)' is for a browser, not for this request")])
  }

  static func invalidParameters(_ text: String) -> Refusal {
    Refusal("invalidParameters", ["text": .string(text)])
  }

  static func unknownCall(_ name: String) -> Refusal {
    Refusal("internalError", ["text": .string("this version of the SDK does not know the call '\(name)'")])
  }

  static func incomplete(_ text: String) -> Refusal { Refusal("invalidResponse", ["text": .string(text)]) }

  /// A link leads away from the org. The origin is named, so that it can be allowed.
  static func foreignOrigin(_ origin: String) -> Refusal {
    incomplete(
      "a link leads to \(origin), which is not the org: nothing was sent. If it may have what is entered, name it in allowedOrigins"
    )
  }

  static func connection(_ error: TransportError) -> Refusal {
    Refusal("connectionError", ["code": .string(error.code.rawValue), "detail": .string(error.detail)])
  }

  static func unreadable(_ reason: String, status: Int) -> Refusal {
    Refusal("responseSerializationError", ["text": .string(reason), "httpStatus": .int(status)])
  }

  static func server(code: String?, status: Int) -> Refusal {
    Refusal(
      "serverRespondedWithError",
      .members([("errorCode", code.map(JSON.string)), ("httpStatus", .int(status))]))
  }

  static func unknownStatus(_ status: String) -> Refusal {
    Refusal(unknownStatusCode, ["status": .string(status)])
  }
}
