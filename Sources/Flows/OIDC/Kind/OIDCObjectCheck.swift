// Compares the result of an operation with the server's response. The response is read here by different code than the
// objects use.

import EventStore
import FlowRecording
import Foundation

/// Checks the tokens and values that one operation returned. Not checked: a manager's `idToken`, `isValidToken`, and
/// `decodeJWT`, because no recording contains a readable ID token; `algorithms` and `accessibility`, which the
/// application chooses.
struct OIDCObjectCheck {
  /// The operation at its end.
  let operation: OIDCOperation?
  /// The values that stand in for the flow's secrets.
  let secrets: PlayedSecrets

  /// The tokens in the store, or those that another process obtained in the meantime; `nil` if there are none.
  var stored: JSON? {
    guard let stored = operation?.stored ?? operation?.claimed, stored.object != nil else { return nil }
    return secrets.reveal(stored)
  }

  /// Describes the first of a manager's tokens that differs from the server's response or the store; `nil` if there is
  /// none.
  func complaint(about manager: OktaAuthStateManager) -> String? {
    let state = manager.authState
    let shown = state.tokens
    var found: [String] = []
    func expect(_ member: String, _ isRight: Bool) { if !isRight { found.append(member) } }
    if let stored {
      expect("id", manager.tokenId == stored["id"]?.string)
      expect("accessToken", shown.accessToken == stored["accessToken"]?.string)
      expect("refreshToken", manager.refreshToken == stored["refreshToken"]?.string)
      expect("idToken", shown.idToken == stored["idToken"]?.string)
      expect("scope", state.scope == stored["scope"]?.string)
      expect("expiry", shown.expiry == stored["expiry"]?.int.map { Int64($0) })
      expect("issued", shown.issued == stored["issued"]?.int.map { Int64($0) })
      expect("endpoints.token", shown.endpoints.token == stored["endpoints"]?["token"]?.string)
      expect("endpoints.revocation", shown.endpoints.revocation == stored["endpoints"]?["revocation"]?.string)
    } else if let body = operation?.answers[.token]?.body.map({ secrets.reveal($0) }) {
      let before = secrets.reveal(operation?.former ?? .null)
      func text(_ name: String) -> String? { body[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
      expect("accessToken", shown.accessToken == text("access_token"))
      expect("refreshToken", manager.refreshToken == text("refresh_token") ?? before["refreshToken"]?.string)
      expect("idToken", shown.idToken == text("id_token") ?? before["idToken"]?.string)
      let seconds = lifetime(in: body)
      // Less time may have passed before the end of the check.
      if seconds ?? 3_600 > 600 { expect("accessToken", manager.accessToken == text("access_token")) }
      // A response without a token type is about bearer tokens.
      let type = (text("token_type") ?? "Bearer").lowercased()
      expect("tokenType", shown.tokenType.lowercased() == type)
      if let scope = text("scope") { expect("scope", state.scope == scope) }
      if let seconds { expect("expiry", shown.expiry == shown.issued + seconds * 1_000_000) }
      let last = state.lastTokenResponse
      expect("lastTokenResponse", last?.accessToken == text("access_token"))
      expect("lastTokenResponse.tokenType", last?.tokenType.lowercased() == type)
      if let seconds { expect("lastTokenResponse.expiresIn", last?.expiresIn == Int(seconds)) }
      if let scope = text("scope") { expect("lastTokenResponse.scope", last?.scope == scope) }
      let renewed = text("refresh_token") ?? before["refreshToken"]?.string
      expect("lastTokenResponse.refreshToken", last?.refreshToken == renewed && state.refreshToken == renewed)
      expect("lastTokenResponse.idToken", last?.idToken == text("id_token") ?? before["idToken"]?.string)
      let secret = text("device_secret") ?? before["deviceSecret"]?.string
      expect("lastTokenResponse.deviceSecret", last?.deviceSecret == secret && shown.deviceSecret == secret)
      expect("authorizationError", state.authorizationError == nil)
      for member in edges(of: manager) { expect(member, false) }
      let metadata = secrets.reveal(operation?.answers[.discovery]?.body ?? .null)
      // Renewed tokens keep the issuer that they were stored with.
      let issuer = before["issuer"]?.string ?? metadata["issuer"]?.string
      if let issuer { expect("issuer", shown.issuer == issuer) }
      for (member, name, value) in [
        ("endpoints.authorization", "authorization_endpoint", shown.endpoints.authorization),
        ("endpoints.token", "token_endpoint", shown.endpoints.token),
        ("endpoints.revocation", "revocation_endpoint", shown.endpoints.revocation),
        ("endpoints.introspection", "introspection_endpoint", shown.endpoints.introspection),
        ("endpoints.userInfo", "userinfo_endpoint", shown.endpoints.userInfo),
        ("endpoints.endSession", "end_session_endpoint", shown.endpoints.endSession),
        ("endpoints.keys", "jwks_uri", shown.endpoints.keys),
      ] {
        if let text = metadata[name]?.string { expect(member, value == text) }
      }
    }
    return found.first.map { "\($0) of the tokens is not what was sent" }
  }

  /// The seconds for which a server says that tokens are good, as a number or as digits: at most some 35,000 years.
  /// `nil` if it says nothing, or something below zero.
  private func lifetime(in body: JSON) -> Int64? {
    guard let value = body["expires_in"], let seconds = value.int ?? value.string.flatMap({ Int($0) }), seconds >= 0
    else { return nil }
    return Int64(min(seconds, 1 << 40))
  }

  /// Describes how tokens behave wrongly around the times at which they become stale and expire.
  private func edges(of manager: OktaAuthStateManager) -> [String] {
    var state = manager.authState
    // The clock below is the server's.
    state.tokens.clockSkew = nil
    guard let end = state.tokens.expiry, let token = state.tokens.accessToken, state.authorizationError == nil else {
      return []
    }
    // Tokens are stale if they expire within the next 60 seconds (oidc §9.3).
    let minute: Int64 = 60_000_000
    return [(end - minute - 1, false, true), (end - minute, true, true), (end - 1, true, true), (end, true, false)]
      .compactMap { time, isStale, isGood in
        var environment = manager.client.environment
        environment.clock = StoppedClock(time: Timestamp(microseconds: time))
        let later = OktaAuthStateManager(authState: state, environment: environment)
        if later.isStale != isStale { return "isStale" }
        return later.accessToken == (isGood ? token : nil) ? nil : "accessToken at its end"
      }
  }

  /// Describes what a failed renewal left wrong in a manager's tokens; `nil` if nothing is wrong.
  func complaint(about manager: OktaAuthStateManager, after error: OktaError) -> String? {
    let before = secrets.reveal(operation?.arguments["stored"] ?? .null)
    let state = manager.authState
    // A response with new tokens invalidates the refresh token, whether or not the other tokens pass their checks.
    let body = secrets.reveal(operation?.answers[.token]?.body ?? .null)
    func came(_ name: String) -> String? { body[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
    let hasVerdict = operation?.answers[.validate]?.value != nil
    let isUnchecked = came("access_token") != nil && came("id_token") != nil && !hasVerdict
    // An OAuth error code ends the authorization (oidc §6.4), but a failure that may be temporary does not.
    let failure = error.failure
    let isRefusal = failure?.oauthCode != nil && (400...499).contains(failure?.httpStatus ?? 0)
    let hasEnded = isRefusal && failure?.isRetryable == false
    guard case .errorFetchingFreshTokens = error else { return nil }
    guard state.authorizationError == (hasEnded ? failure?.oauthCode : before["authorizationError"]?.string) else {
      return "the authorization is shown as \(hasEnded ? "good" : "ended")"
    }
    let refresh = (isUnchecked ? came("refresh_token") : nil) ?? before["refreshToken"]?.string
    guard state.tokens.refreshToken == (hasEnded ? nil : refresh),
      state.tokens.accessToken == (hasEnded ? nil : before["accessToken"]?.string)
    else { return hasEnded ? "tokens of an ended authorization were kept" : "tokens were lost" }
    return nil
  }

  /// Whether values are those of the server's response.
  func complaint(about values: [String: Any], of step: OIDCStep) -> String? {
    let answer = secrets.reveal(operation?.answers[step]?.body ?? [:])
    return Self.isSame(values, answer) ? nil : "other values than the server's were handed over"
  }

  private static func isSame(_ value: Any?, _ json: JSON) -> Bool {
    switch json {
    case .null: value == nil
    case .bool(let flag): value as? Bool == flag
    case .string(let text): value as? String == text
    case .number(let text): (value as? Int).map { String($0) == text } ?? (value as? Double == Double(text))
    case .array(let items):
      (value as? [Any]).map { values in
        let items = items.filter { $0 != .null }
        return values.count == items.count && zip(values, items).allSatisfy { isSame($0, $1) }
      } ?? false
    case .object(let object):
      (value as? [String: Any]).map { values in
        let members = object.members.filter { $0.value != .null }
        return values.count == Set(members.map(\.key)).count
          && members.allSatisfy { member in isSame(values[member.key], json[member.key] ?? .null) }
      } ?? false
    }
  }
}

/// A clock that does not advance.
private struct StoppedClock: FlowClock {
  let time: Timestamp

  func now() -> Timestamp { time }
}
