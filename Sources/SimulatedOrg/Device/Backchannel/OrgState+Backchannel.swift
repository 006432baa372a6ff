// Client-initiated backchannel authentication, poll mode (CIBA Core 1.0 §7, §10, §11; device.md §4.10).

import Foundation

extension OrgState {
  /// `…/v1/bc/authorize`: challenges the user's devices.
  mutating func backchannel(_ server: String, _ call: DeviceCall) -> IDXReply {
    guard call.authorization?.hasPrefix("Basic ") == true,
      let client = client(authorization: call.authorization, form: [:]), client.secret != nil
    else { return .oauthError("invalid_client", "The client has to authenticate itself with its secret.", status: 401) }
    guard client.grants.contains(.ciba) else {
      return .oauthError("unauthorized_client", "The client is not authorized to use the provided grant type.")
    }
    let form = call.form
    if form["request"] != nil {
      return .oauthError("invalid_request", "Signed requests are not part of this org.")
    }
    let scopes = (form["scope"] ?? "").split(separator: " ").map(String.init)
    guard scopes.contains("openid") else {
      return .oauthError("invalid_scope", "The 'scope' parameter has to contain 'openid'.")
    }
    guard (form["login_hint"] == nil) != (form["id_token_hint"] == nil) else {
      return .oauthError("invalid_request", "Exactly one of 'login_hint' and 'id_token_hint' is required.")
    }
    let hinted = form["login_hint"].map(Self.key) ?? form["id_token_hint"].flatMap { self.login(hintedBy: $0, client) }
    guard let login = hinted, accounts[login] != nil else {
      return .oauthError("unknown_user_id", "The hint does not lead to a user.")
    }
    guard let lifetime = Self.lifetime(form["request_expiry"]) else {
      return .oauthError("invalid_request", "'request_expiry' has to be a number of seconds from 1 to 300.")
    }
    if let message = form["binding_message"], message.isEmpty || message.count > 100 {
      return .oauthError("invalid_binding_message", "The binding message has to have 1 to 100 characters.")
    }
    return ask(login, server, client, scopes, lifetime, message: form["binding_message"])
  }

  private mutating func ask(
    _ login: String, _ server: String, _ client: OrgClient, _ scopes: [String], _ lifetime: Int, message: String?
  ) -> IDXReply {
    let id = drawText("ft", length: 40, for: login)
    let challenges = challenge(
      OrgChallengeRequest(
        .user(login: login), transactionType: .ciba,
        bindingMessage: message?.addingPercentEncoding(withAllowedCharacters: .alphanumerics),
        requirement: configuration.devices.signInVerification ?? .preferred, lifetime: Double(lifetime),
        signer: Self.signer(server), applicationName: client.label, client: client.id),
      origin: id)
    guard !challenges.isEmpty else {
      return .oauthError("access_denied", "The user has no device that takes such requests.", status: 403)
    }
    device.backchannel[id] = BackchannelRequest(
      server: server, client: client.id, login: login, scopes: scopes, challenges: challenges.map(\.id),
      expires: now + Double(lifetime))
    return .plain([
      "auth_req_id": .string(id), "expires_in": .int(lifetime), "interval": .int(BackchannelRequest.interval),
    ])
  }

  private static func lifetime(_ text: String?) -> Int? {
    guard let text else { return 300 }
    guard let seconds = Int(text), (1...300).contains(seconds) else { return nil }
    return seconds
  }

  /// The account of an ID token that this org gave to the client; it may be past its time.
  private func login(hintedBy text: String, _ client: OrgClient) -> String? {
    guard let token = CompactJWS(text), isOwnIDToken(token), token.text("aud") == client.id else { return nil }
    return accounts.first { $0.value.id == token.text("sub") }?.key
  }

  /// `…/v1/token` with an `auth_req_id`.
  mutating func backchannelToken(_ server: String, _ client: OrgClient, _ form: [String: String]) -> IDXReply {
    guard client.grants.contains(.ciba), client.secret != nil else {
      return .oauthError("unauthorized_client", "The client is not authorized to use the provided grant type.")
    }
    guard let id = form["auth_req_id"], var request = device.backchannel[id], request.client == client.id,
      request.server == server
    else { return .oauthError("invalid_grant", "The auth_req_id is unknown, or was used before.") }
    let isTooSoon = request.lastPoll.map { now.seconds(since: $0) < Double(request.interval) } ?? false
    request.lastPoll = now
    if isTooSoon { request.interval += BackchannelRequest.interval }
    device.backchannel[id] = request
    if isTooSoon { return .oauthError("slow_down", "The token was asked for too soon.") }
    switch verdict(of: request.challenges) {
    case .approve:
      device.backchannel[id] = nil
      return .plain(tokens(grant(request, client), id))
    case .reject, .cancel:
      device.backchannel[id] = nil
      return .oauthError("access_denied", "The user denied the request.")
    case .timeOut: return .oauthError("expired_token", "The request expired.")
    case nil:
      if now > request.expires { return .oauthError("expired_token", "The request expired.") }
      return .oauthError("authorization_pending", "The user has not answered yet.")
    }
  }

  private func grant(_ request: BackchannelRequest, _ client: OrgClient) -> TokenGrant {
    TokenGrant(
      server: request.server, client: client, scopes: request.scopes, login: request.login, methods: ["swk", "pop"],
      authenticated: now, algorithm: .es256)
  }
}
