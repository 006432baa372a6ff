// The authorization endpoint and its pages: the user's session, whether it is enough, and the code (oidc.md §3, §5).

import Foundation

extension OrgState {
  /// The authorization endpoint. By POST the parameters come as a form (OpenID Connect Core §3.1.2.1).
  mutating func authorize(_ server: String, _ call: OAuthCall) -> IDXReply {
    let given = call.method == "POST" ? call.form : call.parameters
    do throws(AuthorizationRefusal) {
      let request = try readRequest(server, given, duplicate: call.duplicate)
      // A page repeats the request in its address.
      let query = call.method == "POST" ? Self.query(given) : call.query
      if let token = request.sessionToken, let login = redeemSession(token) {
        let (cookie, session) = openSession(
          Self.key(login), factors: accounts[Self.key(login)]?.user.mfaRequired == true)
        var reply = try decide(request, session, query, isFresh: true)
        reply.headers.append(cookie)
        return reply
      }
      return try decide(request, session(call), query, isFresh: false)
    } catch {
      return answer(error)
    }
  }

  /// Where the sign-in page is sent to; the request stands in the address.
  mutating func signIn(_ server: String, _ call: OAuthCall) -> IDXReply {
    do throws(AuthorizationRefusal) {
      let request = try readRequest(server, call.parameters)
      if call.form["decision"] == "cancel" {
        throw .redirect(request, error: "access_denied", description: "The person canceled the sign-in.")
      }
      let login = Self.key(call.form["username"] ?? "")
      guard checkPassword(call.form["password"] ?? "", of: login) else {
        return .signInPage(
          SignInPage.signIn(
            request.client.label, action: OAuthRoute.path(.signIn, of: server) + "?" + call.query, hint: login,
            failed: true), status: 401)
      }
      let (cookie, session) = openSession(login, factors: false)
      var reply = try decide(request, session, call.query, isFresh: true)
      reply.headers.append(cookie)
      return reply
    } catch {
      return answer(error)
    }
  }

  /// Where the consent page is sent to.
  mutating func consent(_ server: String, _ call: OAuthCall) -> IDXReply {
    do throws(AuthorizationRefusal) {
      let request = try readRequest(server, call.parameters)
      guard let session = session(call) else { throw .page("The session has expired.") }
      guard call.form["decision"] == "allow" else {
        throw .redirect(request, error: "access_denied", description: "The resource owner denied the request.")
      }
      oauth.consents["\(session.login) \(request.client.id)", default: []].formUnion(request.scopes)
      return try decide(request, session, call.query, isFresh: true, hasConsent: true)
    } catch {
      return answer(error)
    }
  }

  /// A page, a code, or a refusal.
  private mutating func decide(
    _ request: AuthorizationRequest, _ session: IDXState.Session?, _ query: String, isFresh: Bool,
    hasConsent: Bool = false
  ) throws(AuthorizationRefusal) -> IDXReply {
    let isSilent = request.prompts.contains("none")
    let address = OAuthRoute.path(.signIn, of: request.server) + "?" + query
    guard let session, isFresh || isEnough(session, request) else {
      if isSilent {
        throw .redirect(
          request, error: "login_required",
          description: "The client specified not to prompt, but the "
            + "user is not logged in.")
      }
      return .signInPage(SignInPage.signIn(request.client.label, action: address, hint: request.loginHint ?? ""))
    }
    guard let account = accounts[session.login], !isUnassigned(session.login) else {
      throw .redirect(
        request, error: "access_denied", description: "User is not assigned to the client application.")
    }
    let allowed = oauth.consents["\(session.login) \(request.client.id)"] ?? []
    let asks =
      request.prompts.contains("consent")
      || configuration.oidc.asksConsent && !allowed.isSuperset(of: request.scopes)
    if asks, !hasConsent {
      if isSilent {
        throw .redirect(
          request, error: "consent_required",
          description: "The client specified not to prompt, but "
            + "consent is required.")
      }
      return .signInPage(
        SignInPage.consent(
          request.client.label, account.user.login, request.scopes,
          action: OAuthRoute.path(.consent, of: request.server) + "?" + query))
    }
    return redirect(request, [("code", code(for: request, session))])
  }

  /// True if an existing session is sufficient.
  private func isEnough(_ session: IDXState.Session, _ request: AuthorizationRequest) -> Bool {
    if request.prompts.contains("login") || request.prompts.contains("select_account") { return false }
    if let age = request.maxAge, now.seconds(since: session.authenticated) > Double(age) { return false }
    if let hint = request.idTokenHint {
      guard let token = CompactJWS(hint), isOwnIDToken(token) else { return false }
      return token.text("sub") == accounts[session.login]?.id
    }
    return true
  }

  private func isUnassigned(_ login: String) -> Bool {
    configuration.oidc.unassigned.contains { Self.key($0) == login }
  }

  /// The browser's session, while it is valid.
  func session(_ call: OAuthCall) -> IDXState.Session? {
    call.session.flatMap { idx.sessions[$0] }.flatMap { $0.expires > now ? $0 : nil }
  }

  /// A new session, and the header that gives it to the browser.
  mutating func openSession(
    _ login: String, factors: Bool
  ) -> (cookie: (name: String, value: String), session: IDXState.Session) {
    let session = IDXState.Session(
      login: login, methods: factors ? ["mfa", "pwd"] : ["pwd"], authenticated: now, expires: now + 7200)
    var draws = SeededGenerator(seed: configuration.seed, for: "session \(login) \(turn("session \(login)"))")
    let id = draws.text("eyJ", length: 40)
    idx.sessions[id] = session
    return (("Set-Cookie", "idx=\(id); Path=/; HttpOnly; SameSite=Lax"), session)
  }

  /// A new code.
  private mutating func code(for request: AuthorizationRequest, _ session: IDXState.Session) -> String {
    let name = "code \(session.login) \(request.client.id) \(request.challenge ?? request.state ?? "")"
    var draws = SeededGenerator(seed: configuration.seed, for: "\(name) \(turn(name))")
    let text = draws.text("", length: 43)
    if let uri = request.requestURI { oauth.pushed[uri] = nil }
    let grant = TokenGrant(
      server: request.server, client: request.client, scopes: request.scopes, login: session.login,
      nonce: request.nonce, methods: session.methods, assurance: request.assurance,
      authenticated: session.authenticated, algorithm: configuration.oidc.algorithm)
    oauth.codes[text] = AuthorizationCode(
      request: request, grant: grant, expires: now + configuration.oidc.codeLifetime)
    return text
  }

  /// Parameters as a query.
  private static func query(_ fields: [String: String]) -> String {
    fields.sorted { $0.key < $1.key }.map { "\(queryText($0.key))=\(queryText($0.value))" }.joined(separator: "&")
  }
}
