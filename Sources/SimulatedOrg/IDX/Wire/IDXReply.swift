// Answers of the Identity Engine and of the authorization servers beside it.

/// Status, headers and body of one answer.
struct IDXReply {
  static let ion = "application/ion+json; okta-version=1.0.0"

  var status = 200
  var contentType = Self.ion
  var headers: [(name: String, value: String)] = []
  var json: OrgJSON?
  /// The body if it is not JSON.
  var page = ""

  /// An OAuth answer.
  static func plain(_ json: OrgJSON, status: Int = 200) -> Self {
    Self(
      status: status, contentType: "application/json",
      headers: [("Cache-Control", "no-store"), ("Pragma", "no-cache")], json: json)
  }

  /// An OAuth error object (RFC 6749 §5.2).
  static func oauthError(_ error: String, _ description: String, status: Int = 400) -> Self {
    plain(["error": .string(error), "error_description": .string(description)], status: status)
  }

  /// A page for a browser.
  static func html(_ sentence: String, status: Int = 200) -> Self {
    Self(
      status: status, contentType: "text/html",
      page: "<!doctype html>\n<html><body><p>\(sentence)</p></body></html>\n")
  }

  static func redirect(to address: String) -> Self {
    Self(status: 302, contentType: "text/html", headers: [("Location", address)])
  }

  /// A response without a transaction: only messages.
  static func dead(_ message: IonMessage, status: Int) -> Self {
    Self(status: status, json: ["version": "1.0.0", "messages": IonMessage.list([message])])
  }
}

/// Why an operation was not carried out; the answer is the response of the step as it is then.
struct IDXRefusal: Error {
  var status = 400
  var messages: [IonMessage] = []
  /// By the dotted path of the field.
  var fields: [String: IonMessage] = [:]

  static func step(_ message: IonMessage, status: Int = 400) -> Self { Self(status: status, messages: [message]) }
  static func field(_ path: String, _ message: IonMessage, status: Int = 400) -> Self {
    Self(status: status, fields: [path: message])
  }
}
