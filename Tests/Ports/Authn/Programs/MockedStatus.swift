// A status made of an answer written down beforehand, as Okta's sample does it to try screens without an org.

import Authn
import Foundation

class MockedUnauthenticated: OktaAuthStatusUnauthenticated, @unchecked Sendable {
  override func authenticate(
    username: String, password: String,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    do {
      let response = try Self.response(for: username)
      responseHandler.handleServerResponse(
        .success(response), currentStatus: self, onStatusChanged: onStatusChange, onError: onError)
    } catch {
      onError(.responseSerializationError(error, Data()))
    }
  }

  static func response(for username: String) throws -> OktaAPISuccessResponse {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ss.SSSZ"
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .formatted(formatter)
    let data = Data(Self.answer(for: username).utf8)
    var response = try decoder.decode(OktaAPISuccessResponse.self, from: data)
    response.rawData = data
    return response
  }

  private static func answer(for username: String) -> String {
    """
    {
      "stateToken": "00state", "expiresAt": "2030-11-03T10:15:57.000Z", "status": "PASSWORD_EXPIRED",
      "_embedded": {
        "user": {
          "id": "00u1", "passwordChanged": "2015-09-08T20:14:45.000Z",
          "profile": {"login": "\(username)", "firstName": "Dade", "lastName": "Murphy", "locale": "en_US"}
        },
        "policy": {"complexity": {"minLength": 8, "minLowerCase": 1, "minUpperCase": 1, "minNumber": 1}}
      },
      "_links": {
        "next": {
          "name": "changePassword", "href": "https://acme.example/api/v1/authn/credentials/change_password",
          "hints": {"allow": ["POST"]}
        },
        "cancel": {"href": "https://acme.example/api/v1/authn/cancel", "hints": {"allow": ["POST"]}}
      }
    }
    """
  }
}

/// What a screen shows of an expired password.
struct ExpiredPasswordTexts {
  let greeting: String
  let rule: String
  let changed: Date?
  let canChange: Bool

  init(_ model: OktaAPISuccessResponse) {
    let profile = model.embedded?.user?.profile
    greeting = "\(profile?.firstName ?? "?") \(profile?.lastName ?? "?")"
    if let policy = model.embedded?.policy, case .password(let rules) = policy {
      rule = "at least \(rules.complexity?.minLength ?? 0)"
    } else {
      rule = "no rule"
    }
    changed = model.embedded?.user?.passwordChanged
    canChange = model.status == .passwordExpired && model.links?.next?.name == "changePassword"
  }
}
