// Access tokens: those that are handed out, and those that a device gets for its key (device.md §4.8, §6.4).

import Foundation

extension OrgState {
  /// A new access token; `nil` if there is no such user.
  mutating func grantToken(
    _ login: String, client: String, scopes: [String], lifetime: TimeInterval
  ) -> String? {
    let login = Self.key(login)
    guard accounts[login] != nil else { return nil }
    let text = drawText("eyJ", length: 60, for: login)
    keepToken(
      text,
      AccessToken(login: login, client: client, scopes: Set(scopes), issued: now, expires: now + lifetime))
    return text
  }

  /// `POST /oauth2/v1/token` with an assertion that a device signed.
  mutating func bearerToken(_ server: String, _ client: OrgClient, _ form: [String: String]) -> IDXReply {
    guard server == "/oauth2" else {
      return .oauthError("unsupported_grant_type", "The grant type was not authorized by the server.")
    }
    guard client.grants.contains(.jwtBearer) else {
      return .oauthError("unauthorized_client", "The client is not authorized to use the provided grant type.")
    }
    let scopes = (form["scope"] ?? "").split(separator: " ").map(String.init)
    let known = [DeviceScope.maintain, .watch].map(\.rawValue)
    guard !scopes.isEmpty, scopes.allSatisfy({ known.contains($0) && client.mayAsk(for: $0) }) else {
      return .oauthError("invalid_scope", "The scope is missing, or has a value that this grant does not give.")
    }
    guard let token = form["assertion"].flatMap(CompactJWS.init) else {
      return .oauthError("invalid_request", "The 'assertion' parameter is required and has to be a JWT.")
    }
    guard let enrollment = assertedEnrollment(token), spend(token, of: enrollment.id),
      let text = grantToken(
        enrollment.login, client: client.id, scopes: scopes, lifetime: configuration.devices.tokenLifetime)
    else { return .oauthError("invalid_grant", "The assertion is invalid, or was used before.") }
    return .plain([
      "access_token": .string(text), "token_type": "Bearer",
      "expires_in": .int(Int(configuration.devices.tokenLifetime)), "refresh_token": .null,
      "scope": .string(scopes.joined(separator: " ")),
    ])
  }

  /// The enrollment whose proof-of-possession key signed a good assertion.
  private func assertedEnrollment(_ token: CompactJWS) -> DeviceEnrollment? {
    guard let method = token.text("methodEnrollmentId"),
      let enrollment = device.enrollments.values.first(where: { $0.methodID == method }),
      enrollment.possessionKey.signed(token), token.text("iss") == "urn:okta:devices:app:authenticator",
      token.text("sub") == enrollment.userID, token.text("aud") == baseURL, token.isTimely(at: now),
      (try? checkStatus(enrollment)) != nil
    else { return nil }
    return enrollment
  }
}
