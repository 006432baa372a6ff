// Devices without a browser (RFC 8628; oidc.md §12).

import Foundation

extension OrgState {
  /// The device authorization endpoint.
  mutating func authorizeDevice(_ server: String, _ call: OAuthCall) -> IDXReply {
    guard let client = client(authorization: call.authorization, form: call.form) else { return refuseClient(call) }
    guard client.grants.contains(.deviceCode) else {
      return .oauthError("unauthorized_client", "The client is not authorized to use the provided grant type.")
    }
    let scopes = (call.form["scope"] ?? "").split(separator: " ").map(String.init)
    guard !scopes.isEmpty, scopes.allSatisfy({ mayGrant($0, client) }) else {
      return .oauthError("invalid_scope", "One or more scopes are not configured for the authorization server.")
    }
    let settings = configuration.oidc
    let now = now
    oauth.activations = oauth.activations.filter { $0.value.expires > now + -3600 }
    var draws = SeededGenerator(seed: configuration.seed, for: "device \(client.id) \(turn("device \(client.id)"))")
    let code = draws.text("", length: 36)
    let userCode = Self.userCode(&draws)
    oauth.activations[code] = DeviceActivation(
      userCode: userCode, server: server, client: client, scopes: scopes, expires: now + settings.deviceCodeLifetime,
      interval: settings.deviceInterval ?? 5)
    let page = baseURL + OAuthRoute.path(.activate, of: server)
    var answer: OrgJSON = [
      "device_code": .string(code), "user_code": .string(userCode), "verification_uri": .string(page),
      "verification_uri_complete": .string(page + "?user_code=" + userCode),
      "expires_in": .int(Int(settings.deviceCodeLifetime)),
    ]
    if let interval = settings.deviceInterval { answer["interval"] = .int(interval) }
    return .plain(answer)
  }

  /// Eight letters without vowels, so that they form no word (RFC 8628 §6.1).
  private static func userCode(_ draws: inout SeededGenerator) -> String {
    let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
    let text = draws.bytes(8).map { letters[Int($0) % letters.count] }
    return String(text.prefix(4)) + "-" + String(text.suffix(4))
  }

  /// The page where a person types the code: by GET to see it, by POST to answer.
  mutating func activate(_ server: String, _ call: OAuthCall) -> IDXReply {
    let action = OAuthRoute.path(.activate, of: server)
    let typed = call.form["user_code"] ?? call.parameters["user_code"] ?? ""
    func page(_ error: String?, _ status: Int = 200) -> IDXReply {
      .signInPage(SignInPage.activation(action: action, userCode: typed, error: error), status: status)
    }
    guard call.method == "POST" else { return page(nil) }
    guard let code = activation(typed, of: server) else { return page("Invalid code. Try again.", 400) }
    let login = Self.key(call.form["username"] ?? "")
    guard checkPassword(call.form["password"] ?? "", of: login) else { return page("Unable to sign in", 401) }
    answerActivation(code, login, allows: call.form["decision"] == "allow")
    return .html("Your device is \(call.form["decision"] == "allow" ? "activated" : "not activated").")
  }

  /// The device code that a user code belongs to; case and hyphens do not matter.
  private func activation(_ typed: String, of server: String) -> String? {
    func plain(_ text: String) -> String { text.uppercased().filter(\.isLetter) }
    return oauth.activations.first { entry in
      plain(entry.value.userCode) == plain(typed) && entry.value.server == server && entry.value.expires > now
        && entry.value.answer == nil
    }?.key
  }

  /// A person answered.
  mutating func answerActivation(_ code: String, _ login: String, allows: Bool, afterPolls polls: Int = 0) {
    let now = now
    oauth.activations[code]?.answer = allows ? .allowed(login: login, at: now) : .denied
    oauth.activations[code]?.pollsLeft = polls
  }

  /// The token endpoint with a device code (RFC 8628 §3.4, §3.5).
  mutating func deviceToken(_ server: String, _ client: OrgClient, _ form: [String: String]) -> IDXReply {
    guard let code = form["device_code"], !code.isEmpty else {
      return .oauthError("invalid_request", "The 'device_code' parameter is required.")
    }
    guard var activation = oauth.activations[code], activation.client.id == client.id, activation.server == server
    else {
      return badGrant("The device code is invalid, or was used before.")
    }
    guard activation.expires > now else { return .oauthError("expired_token", "The device code has expired.") }
    let isTooSoon = activation.lastPoll.map { now.seconds(since: $0) < Double(activation.interval) } ?? false
    activation.lastPoll = now
    if configuration.oidc.enforcesDeviceInterval, isTooSoon {
      activation.interval += 5
      oauth.activations[code] = activation
      return .oauthError("slow_down", "The token was asked for too soon.")
    }
    let isWaiting = activation.answer == nil || activation.pollsLeft > 0
    activation.pollsLeft = max(0, activation.pollsLeft - 1)
    oauth.activations[code] = activation
    if isWaiting { return .oauthError("authorization_pending", "The device authorization is pending.") }
    oauth.activations[code] = nil
    guard case .allowed(let login, let time) = activation.answer else {
      return .oauthError("access_denied", "The person denied the request.")
    }
    return .plain(
      tokens(
        TokenGrant(
          server: server, client: client, scopes: activation.scopes, login: login, methods: ["pwd"],
          authenticated: time, algorithm: configuration.oidc.algorithm), code))
  }
}
