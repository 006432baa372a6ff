// Why a call ends without a status, as it stands in `call.returned`. The facade makes an `OktaError` of it.

import EventStore
import FlowRecording

/// A refusal: the name of an `OktaError` case, and what a reader of the log needs beside it.
struct AuthnRefusal: Error, Equatable {
  var code: String
  var details: JSON

  private init(_ code: String, _ details: JSON = [:]) {
    self.code = code
    self.details = details
  }

  static let unknownStatusCode = "unknownStatus"
  static let alreadyInProgress = AuthnRefusal("alreadyInProgress")
  static let emptyServerResponse = AuthnRefusal("emptyServerResponse")
  /// A response handler of the application failed in its own way.
  static let unexpectedResponse = "unexpectedResponse"
  /// Polling needs the token (§14.1).
  static let missingToken = AuthnRefusal("wrongStatus", ["text": "Can't find 'stateToken' in response"])
  /// `expiresAt` has passed on the org's clock.
  static let expired = AuthnRefusal("wrongStatus", ["text": "The transaction has expired; begin again"])
  /// Nobody answered, and nobody ended it (§14.1).
  static let unanswered = AuthnRefusal("wrongStatus", ["text": "The factor was not answered for an hour; begin again"])
  static let malformedURL = AuthnRefusal("errorBuildingURLRequest")
  static let noStateToken = AuthnRefusal("invalidResponse", ["text": "the status has no state token"])

  static func missingLink(_ relation: String) -> AuthnRefusal {
    AuthnRefusal("wrongStatus", ["text": .string("Can't find '\(relation)' link in response")])
  }

  /// A link that a browser opens: it is never sent to (§4).
  static func browserLink(_ relation: String) -> AuthnRefusal {
    AuthnRefusal("wrongStatus", ["text": .string("The link '\(relation)' is for a browser, not for this request")])
  }

  static func invalidParameters(_ text: String) -> AuthnRefusal {
    AuthnRefusal("invalidParameters", ["text": .string(text)])
  }

  static func unknownCall(_ name: String) -> AuthnRefusal {
    AuthnRefusal("internalError", ["text": .string("this version of the SDK does not know the call '\(name)'")])
  }

  static func incomplete(_ text: String) -> AuthnRefusal { AuthnRefusal("invalidResponse", ["text": .string(text)]) }

  /// A link leads away from the org. The origin is named, so that it can be allowed.
  static func foreignOrigin(_ origin: String) -> AuthnRefusal {
    incomplete(
      "a link leads to \(origin), which is not the org: nothing was sent. If it may have what is entered, name it in allowedOrigins"
    )
  }

  static func connection(_ error: TransportError) -> AuthnRefusal {
    AuthnRefusal("connectionError", ["code": .string(error.code.rawValue), "detail": .string(error.detail)])
  }

  static func unreadable(_ reason: String, status: Int) -> AuthnRefusal {
    AuthnRefusal("responseSerializationError", ["text": .string(reason), "httpStatus": .int(status)])
  }

  static func server(code: String?, status: Int) -> AuthnRefusal {
    AuthnRefusal(
      "serverRespondedWithError",
      .members([("errorCode", code.map(JSON.string)), ("httpStatus", .int(status))]))
  }

  static func unknownStatus(_ status: String) -> AuthnRefusal {
    AuthnRefusal(unknownStatusCode, ["status": .string(status)])
  }
}
