// Beginning and holding transactions: interact, introspect, cancel (idx.md §2.3, §3).

import Foundation

extension OrgState {
  /// `…/v1/interact`: an interaction handle for an application that knows how to keep a secret until the end (PKCE).
  mutating func interact(_ server: String, _ call: IDXCall) -> IDXReply {
    let form = call.form
    guard let client = client(call) else {
      return .oauthError("invalid_client", "Invalid value for 'client_id' parameter.", status: 401)
    }
    guard let scopes = form["scope"]?.split(separator: " ").map(String.init), !scopes.isEmpty else {
      return .oauthError("invalid_scope", "The 'scope' parameter is required.")
    }
    guard let redirect = form["redirect_uri"], client.redirectURIs.contains(redirect) else {
      return .oauthError(
        "invalid_request", "The 'redirect_uri' parameter must be a Login redirect URI in the client app settings.")
    }
    guard let state = form["state"], !state.isEmpty else {
      return .oauthError("invalid_request", "The 'state' parameter is required.")
    }
    guard let challenge = form["code_challenge"], !challenge.isEmpty else {
      return .oauthError(
        "invalid_request", "PKCE code challenge is required when the token endpoint authentication method is 'NONE'.")
    }
    guard form["code_challenge_method"] == "S256" else {
      return .oauthError("invalid_request", "The 'code_challenge_method' has to be 'S256'.")
    }
    guard challenge.count == 43, Base64.bytes(challenge)?.count == 32 else {
      return .oauthError("invalid_request", "The 'code_challenge' is no SHA-256 in base64url.")
    }
    let interest = IDXInterest(
      server: server, client: client, redirectURI: redirect, scopes: scopes, state: state, challenge: challenge,
      nonce: form["nonce"])
    let turn = idx.challenges[challenge, default: 0]
    idx.challenges[challenge] = turn + 1
    forgetOld()
    var draws = SeededGenerator(seed: configuration.seed, for: "interact \(challenge) \(turn)")
    let interaction = draws.text("", length: 43)
    var transaction = open(interaction, interest, draws)
    if let token = form["recovery_token"] {
      guard let grant = recoveries[token], !grant.spent, grant.expires > now, let account = accounts[grant.login] else {
        return .oauthError("invalid_request", "The recovery token is invalid")
      }
      recoveries[token]?.spent = true
      (transaction.login, transaction.identifier) = (grant.login, account.user.login)
      if grant.type == .unlock { _ = withAccount(grant.login) { ($0.locked, $0.failures) = (false, 0) } }
      transaction.goal = .recover
      transaction.step = .newPassword(.reset)
    } else if let token = form["activation_token"] {
      guard let login = accounts.first(where: { $0.value.activationToken == token })?.key else {
        return .oauthError("invalid_request", "The activation token is invalid")
      }
      _ = withAccount(login) { $0.activationToken = nil }
      (transaction.login, transaction.identifier) = (login, accounts[login]?.user.login)
      transaction.goal = .recover
      transaction.step = .newPassword(.reset)
    }
    hold(transaction)
    return .plain(["interaction_handle": .string(interaction)])
  }

  /// Drops transactions that ended at least an hour ago, once there are many.
  private mutating func forgetOld() {
    guard idx.transactions.count > 5000 else { return }
    let limit = now + -3600
    idx.transactions = idx.transactions.filter { $0.value.expires > limit }
    idx.interactions = idx.interactions.filter { idx.transactions[$0.value] != nil }
    idx.grants = idx.grants.filter { $0.value.expires > limit }
    idx.sessions = idx.sessions.filter { $0.value.expires > limit }
    idx.links = idx.links.filter { idx.transactions[$0.value.handle] != nil }
  }

  /// The client a request names, if its secret is right.
  func client(_ call: IDXCall) -> OrgClient? { client(authorization: call.authorization, form: call.form) }

  /// The client that a header or a form names, if its secret is right.
  func client(authorization: String?, form: [String: String]) -> OrgClient? {
    var (id, secret) = (form["client_id"], form["client_secret"])
    if let header = authorization, header.hasPrefix("Basic "),
      let bytes = Base64.bytes(String(header.dropFirst(6)))
    {
      let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { return nil }
      (id, secret) = (parts[0].removingPercentEncoding, parts[1].removingPercentEncoding)
    }
    guard let client = configuration.clients.first(where: { $0.id == id }) else { return nil }
    return client.secret == nil || client.secret == secret ? client : nil
  }

  /// A transaction at its first page.
  private func open(
    _ interaction: String, _ interest: IDXInterest, _ source: SeededGenerator
  ) -> IDXTransaction {
    var draws = source
    let handle = draws.text("02", length: 40)
    var transaction = IDXTransaction(
      handle: handle, interaction: interaction, interest: interest, expires: now, draws: draws, step: .identify)
    if policy.passkeyAutofill { transaction.autofillChallenge = Base64.urlText(transaction.draws.bytes(24)) }
    return transaction
  }

  /// Keeps a transaction after an accepted request, which extends its life.
  mutating func hold(_ transaction: IDXTransaction) {
    var transaction = transaction
    transaction.expires = now + configuration.stateTokenLifetime
    idx.transactions[transaction.handle] = transaction
    idx.interactions[transaction.interaction] = transaction.handle
  }

  /// The transaction of a state handle, while it lives.
  func live(_ handle: String?) -> IDXTransaction? {
    guard let handle, let transaction = idx.transactions[handle], transaction.expires > now else { return nil }
    return transaction
  }

  /// The state of a transaction, asked for by interaction handle, or by state handle as browsers do.
  mutating func introspect(_ call: IDXCall) -> IDXReply {
    let interaction = call.text("interactionHandle") ?? call.text("interaction_handle")
    let handle = interaction.map { idx.interactions[$0] } ?? call.text("stateToken") ?? call.text("stateHandle")
    guard interaction != nil || handle != nil else { return .dead(.badRequest, status: 400) }
    guard var transaction = live(handle) else { return expired(handle) }
    if case .identify = transaction.step, transaction.deviceToken.isEmpty,
      let session = call.session.flatMap({ idx.sessions[$0] }),
      session.expires > now, let account = accounts[session.login]
    {
      // A user who is still signed in is not asked again.
      (transaction.login, transaction.identifier) = (session.login, account.user.login)
      succeed(&transaction)
    }
    transaction.deviceToken = call.deviceToken
    hold(transaction)
    return reply(transaction)
  }

  /// The answer for a handle that is over or never was: with what is left of the transaction, if anything is.
  func expired(_ handle: String?) -> IDXReply {
    guard let handle, let transaction = idx.transactions[handle] else { return .dead(.sessionExpired, status: 401) }
    return IDXReply(
      status: 401,
      json: [
        "version": "1.0.0", "stateHandle": .string(handle), "expiresAt": .string(transaction.expires.iso8601),
        "intent": "LOGIN", "messages": IonMessage.list([.sessionExpired]),
      ])
  }

  /// Back to the first page under a new state handle; the old one is dead, the interaction handle stays.
  mutating func restart(_ transaction: IDXTransaction, _ call: IDXCall) -> IDXReply {
    idx.transactions[transaction.handle] = nil
    withdraw(transaction.handle)
    if let session = call.session { idx.sessions[session] = nil }
    var fresh = open(transaction.interaction, transaction.interest, transaction.draws)
    fresh.deviceToken = call.deviceToken
    hold(fresh)
    return reply(fresh)
  }
}
