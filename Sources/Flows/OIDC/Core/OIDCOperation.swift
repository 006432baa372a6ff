// An operation on tokens: its arguments, what is known so far, and the next step, which depends on nothing else. A step
// with an answer is not repeated.

package import EventStore
package import FlowRecording

/// An operation and its progress; secrets are placeholders.
package struct OIDCOperation: Sendable, Equatable {
  /// The requested call.
  package var name: OIDCCall
  /// Its arguments.
  package var arguments: JSON
  /// The revision of its `call.made`.
  package var call: Int
  /// The remembered metadata of the server; null before it is requested.
  package var known: JSON = .null
  /// The values that bind the answers to this operation: `state`, `nonce`, `verifier`, `challenge`.
  package var proof: [String: String] = [:]
  /// The answers of the steps.
  package var answers: [OIDCStep: StepAnswer] = [:]
  /// The contents of the redirect, once read.
  package var redirect: JSON?
  /// The remembered keys of the server, once requested.
  package var keys: JSON?
  /// The validity in seconds of the answers with metadata and keys, if specified.
  package var maxAge: [OIDCStep: Int] = [:]
  /// The id of the tokens.
  package var tokenID: String?
  /// The received tokens, once checked.
  package var issued: TokenIssued?
  /// When they were received from the token endpoint, or passed by the application.
  package var issuedAt: Timestamp?
  /// The content read from the store.
  package var stored: JSON?
  /// When codes for another device were issued, and the seconds added to the polling interval.
  package var codesAt: Timestamp?
  package var delay = 0
  /// The running timer, by its revision.
  package var timer: Int?
  /// The request postponed by a rate limit.
  package var retry: OIDCRetry?
  /// Why the operation failed; nil as long as it may succeed.
  package var failure: Refusal?
  /// The failed parts of a sign-out, and the reason of the first failure.
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
  /// The answer of the token endpoint, or the tokens that were passed from another flow.
  var tokenBody: JSON? {
    name == .adopt ? arguments["tokens"] : answers[.token]?.body
  }
  /// The received ID token.
  var idToken: String? { tokenBody?["id_token"]?.string.flatMap { $0.isEmpty ? nil : $0 } }
  /// The claims in the verdict on the ID token.
  package var claims: JSON? { answers[.validate]?.value?["claims"] }
  /// The redirect URI as it was sent.
  func redirectURI(_ settings: OIDCSettings) -> String {
    let configured = name == .signOut ? settings.logoutRedirectURI ?? "" : settings.redirectURI
    return answers[.listen]?.value?.string ?? configured
  }
  /// Where the server sent, or would send, the browser.
  var redirectText: String? {
    (answers[.resumed]?.value ?? answers[.browse]?.value)?.string
  }
  /// The requested parts of a sign-out.
  var options: [String] { arguments["options"]?.array?.compactMap(\.string) ?? [] }
  /// The stored tokens if another process has changed them in the meantime.
  private var found: JSON? { answers[.claim]?.value?["tokens"].flatMap { $0 == .null ? Optional.none : $0 } }
  /// Tokens that another process has received in the meantime; also nil if it received only a refresh token.
  package var claimed: JSON? {
    guard let found else { return nil }
    if let access = found["accessToken"], access == arguments["accessToken"] { return Optional.none }
    return found
  }
  /// The tokens before a renewal.
  package var former: JSON? { found ?? arguments["stored"] }
  /// The current refresh token.
  var refreshToken: JSON? { found?["refreshToken"] ?? arguments["refreshToken"] }
  /// The refresh token of an answer whose ID token could not be checked because the server's keys were unavailable. It
  /// is kept although the renewal fails, because a server that rotates refresh tokens has invalidated the previous one
  /// (oidc §6.3).
  package var unchecked: String? {
    guard name == .renew, failure != nil, idToken != nil, answers[.validate]?.value == nil, let body = tokenBody,
      case .issued(let issued) = TokenReading(body, scope: "")
    else { return nil }
    return issued.tokens["refresh_token"]?.string
  }

  // MARK: The next step

  /// The next step; nil if nothing is left to do.
  func next(_ settings: OIDCSettings) -> OIDCStep? {
    // A failed renewal may have a refresh token to store.
    let steps = failure == nil ? sequence(settings) : persists && unchecked != nil ? [.store] : []
    return steps.first { answers[$0] == nil }
  }

  /// Another flow may be fetching the metadata; if that fails, this one requests it.
  private var discovery: [OIDCStep] {
    guard known["document"] == nil else { return [] }
    let wait: [OIDCStep] = known["wait"]?.bool == true ? [.shared] : []
    if shared != nil { return wait }
    // An OAuth 2.0 server has its metadata at a different place.
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

  /// Whether the operation holds the lock of the stored tokens, and stores what it receives.
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
    // The stored tokens are removed only if nothing failed before.
    if wants("removeTokensFromStorage"), failedOptions.isEmpty { steps.append(.remove) }
    return network + steps
  }

  // MARK: The fold

  /// Postpones a request because of a rate limit until the timer fires.
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
