// An operation on tokens: what is asked, what is known so far, and from that alone the next step. A step that has an answer
// is not taken again.

package import EventStore
package import FlowRecording

/// An operation and how far it is; secrets are placeholders.
package struct OIDCOperation: Sendable, Equatable {
  /// The requested call.
  package var name: OIDCCall
  /// Its arguments.
  package var arguments: JSON
  /// The revision of its `call.made`.
  package var call: Int
  /// The server's metadata as they are remembered; null before they are asked for.
  package var known: JSON = .null
  /// What binds the answers to this operation: `state`, `nonce`, `verifier`, `challenge`.
  package var proof: [String: String] = [:]
  /// What the steps brought.
  package var answers: [OIDCStep: StepAnswer] = [:]
  /// What the redirect says, once it was read.
  package var redirect: JSON?
  /// The remembered keys of the server, once they were asked for.
  package var keys: JSON?
  /// For how many seconds the answers with metadata and keys are good, if they say so.
  package var maxAge: [OIDCStep: Int] = [:]
  /// The id of the tokens.
  package var tokenID: String?
  /// The tokens that came, once they are checked.
  package var issued: TokenIssued?
  /// When they came: when the token endpoint answered, or when they were handed in.
  package var issuedAt: Timestamp?
  /// The content read from the store.
  package var stored: JSON?
  /// When codes for another device were given, and how many seconds are added to the interval of asking.
  package var codesAt: Timestamp?
  package var delay = 0
  /// The timer that runs, by its revision.
  package var timer: Int?
  /// The request that a rate limit put off.
  package var retry: OIDCRetry?
  /// Why it cannot be done; nil as long as it may.
  package var failure: Refusal?
  /// What of a sign-out failed, and why the first of it did.
  package var failedOptions: [String] = []
  package var partFailure: Refusal?

  init(_ name: OIDCCall, _ arguments: JSON, call: Int) {
    self.name = name
    self.arguments = arguments
    self.call = call
    tokenID = arguments["tokenId"]?.string
  }

  // MARK: Facts

  /// The server's metadata, as far as they are known.
  var metadata: JSON {
    answers[.serverMetadata]?.body ?? answers[.discovery]?.body ?? shared ?? known["document"] ?? .null
  }
  /// The metadata that another flow has fetched.
  private var shared: JSON? { answers[.shared]?.value?["document"] }
  /// The text of a member of the metadata.
  func endpoint(_ name: String) -> String? { metadata[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
  /// The answer of the token endpoint; what was handed in, for tokens of another flow.
  var tokenBody: JSON? {
    name == .adopt ? arguments["tokens"] : answers[.token]?.body
  }
  /// The ID token that came.
  var idToken: String? { tokenBody?["id_token"]?.string.flatMap { $0.isEmpty ? nil : $0 } }
  /// What the check of the ID token said that it says.
  package var claims: JSON? { answers[.validate]?.value?["claims"] }
  /// The redirect URI as it was sent.
  func redirectURI(_ settings: OIDCSettings) -> String {
    let configured = name == .signOut ? settings.logoutRedirectURI ?? "" : settings.redirectURI
    return answers[.listen]?.value?.string ?? configured
  }
  /// Where the server sent, or would send, the browser back to.
  var redirectText: String? {
    (answers[.resumed]?.value ?? answers[.browse]?.value)?.string
  }
  /// What of a sign-out is asked.
  var options: [String] { arguments["options"]?.array?.compactMap(\.string) ?? [] }
  /// The stored tokens that another process has changed meanwhile.
  private var found: JSON? { answers[.claim]?.value?["tokens"].flatMap { $0 == .null ? Optional.none : $0 } }
  /// Tokens that another process has got meanwhile; nil also if all that it got is a refresh token.
  package var claimed: JSON? {
    guard let found else { return nil }
    if let access = found["accessToken"], access == arguments["accessToken"] { return Optional.none }
    return found
  }
  /// The tokens before a renewal.
  package var former: JSON? { found ?? arguments["stored"] }
  /// The refresh token that counts.
  var refreshToken: JSON? { found?["refreshToken"] ?? arguments["refreshToken"] }
  /// The refresh token of an answer whose ID token could not be checked, for want of the server's keys. It is kept although
  /// the renewal fails: at a server that rotates refresh tokens the one before it is spent (oidc §6.3).
  package var unchecked: String? {
    guard name == .renew, failure != nil, idToken != nil, answers[.validate]?.value == nil, let body = tokenBody,
      case .issued(let issued) = TokenReading(body, scope: "")
    else { return nil }
    return issued.tokens["refresh_token"]?.string
  }

  // MARK: The next step

  /// The next step; nil if nothing is left to do.
  func next(_ settings: OIDCSettings) -> OIDCStep? {
    // A renewal that has failed may have a refresh token to store.
    let steps = failure == nil ? sequence(settings) : persists && unchecked != nil ? [.store] : []
    return steps.first { answers[$0] == nil }
  }

  /// Another flow may be fetching the metadata; if it gets none, this one asks itself.
  private var discovery: [OIDCStep] {
    guard known["document"] == nil else { return [] }
    let wait: [OIDCStep] = known["wait"]?.bool == true ? [.shared] : []
    if shared != nil { return wait }
    // A server of OAuth 2.0 alone has its metadata elsewhere.
    if case .response(404, _) = answers[.discovery] { return wait + [.discovery, .serverMetadata] }
    return wait + [.discovery]
  }

  private func sequence(_ settings: OIDCSettings) -> [OIDCStep] {
    switch name {
    case .signInWithSessionToken: discovery + [.authorize, .token] + check
    case .signInWithBrowser: discovery + browser(settings, pushes: true) + [.token] + check
    case .signInOnDevice: discovery + [.deviceAuthorize, .token] + check
    case .renew:
      persists
        ? [.claim] + (claimed == nil ? discovery + [.token] + check + [.store] : [])
        : discovery + [.token] + check
    case .adopt: idToken == nil ? [] : discovery + check
    case .introspect: discovery + [.introspect]
    case .revoke: discovery + [.revoke]
    case .getUser: discovery + [.userInfo]
    case .signOut: signOut(settings)
    case .store, .read, .clear, .clearAll, .resume, .cancel: []
    }
  }

  /// Whether the operation holds the lock of the stored tokens, and stores what it gets.
  var persists: Bool { arguments["persists"]?.bool == true }

  private func browser(_ settings: OIDCSettings, pushes: Bool) -> [OIDCStep] {
    let isPrivate = OIDCSettings.isPrivate(
      (name == .signOut ? settings.logoutRedirectURI : settings.redirectURI) ?? "")
    let isPushed = pushes && endpoint("pushed_authorization_request_endpoint") != nil
    let push: [OIDCStep] = isPushed ? [.push] : []
    if answers[.resumed] != nil { return [.resumed] }
    return isPrivate ? push + [.open, .resumed] : [.listen] + push + [.browse]
  }

  /// The check of the ID token, with the server's keys if they are not remembered.
  private var check: [OIDCStep] {
    guard idToken != nil else { return [] }
    guard let keys, keys["jwks"] == nil, keys["mayFetch"]?.bool == true else { return [.validate] }
    return [.keys, .validate]
  }

  private func signOut(_ settings: OIDCSettings) -> [OIDCStep] {
    func wants(_ option: String) -> Bool { options.contains(option) && !failedOptions.contains(option) }
    var steps: [OIDCStep] = []
    if wants("revokeAccessToken"), arguments["accessToken"] != nil { steps.append(.revoke) }
    if wants("revokeRefreshToken"), arguments["refreshToken"] != nil { steps.append(.revokeRefresh) }
    if wants("signOutFromOkta") { steps += browser(settings, pushes: false) }
    let network = steps.isEmpty ? [] : discovery
    // The stored tokens go only if nothing failed before.
    if wants("removeTokensFromStorage"), failedOptions.isEmpty { steps.append(.remove) }
    return network + steps
  }

  // MARK: The fold

  /// A rate limit puts a request off until the timer fires.
  mutating func putOff(_ step: OIDCStep, milliseconds: Int, requestID: String?) {
    let former = retry.flatMap { $0.step == step ? $0 : nil }
    retry = OIDCRetry(
      step: step, count: (former?.count ?? 0) + 1, waited: (former?.waited ?? 0) + milliseconds,
      firstID: former?.firstID ?? requestID)
    answers[step] = nil
  }

  mutating func drawn(_ draw: DrawMade) {
    switch draw.kind {
    case .oidcKnown: known = draw.value
    case .oidcRedirect: redirect = draw.value
    case .oidcKeys: keys = draw.value
    case .state: proof["state"] = draw.value.string
    case .nonce: proof["nonce"] = draw.value.string
    case .pkce:
      proof["verifier"] = draw.value["verifier"]?.string
      proof["challenge"] = draw.value["challenge"]?.string
    case .uuid: tokenID = tokenID ?? draw.value.string
    case .tokensRead: stored = draw.value["tokens"]
    case let other: _ = other
    }
  }

  mutating func answered(_ step: OIDCStep, _ answer: StepAnswer, at time: Timestamp) {
    answers[step] = answer
    guard case .response(let status, let body) = answer else { return }
    if step == .deviceAuthorize, (200...299).contains(status) { codesAt = time }
    if step == .token, (200...299).contains(status) { issuedAt = time }
    if step == .token, body?["error"] == "slow_down" { delay = min(delay + 5, 3_600) }
  }

  mutating func fold(_ event: DomainEvent, at time: Timestamp) {
    if let tokens = TokenRefreshed(event).map({ TokenIssued($0) }) ?? TokenIssued(event) {
      issued = tokens
      issuedAt = issuedAt ?? time
      return
    }
    guard let refused = TokenRefused(event) else { return }
    if name == .signOut {
      if let option = refused.option { failedOptions.append(option) }
      partFailure = partFailure ?? Refusal(refused.error, refused.details)
    } else {
      failure = Refusal(refused.error, refused.details)
    }
  }
}
