import Hummingbird

/// The pages of the site, and what their forms do.
///
///     GET  /                the front page, for visitors and for people who have signed in
///     POST /sign-in         starts a sign-in
///     GET  /sign-in         where it stands: a form, or a page that waits
///     GET  /sign-in/state   the number of that page, for the script of a page that waits
///     POST /sign-in/step    sends what the person filled in
///     POST /sign-out        ends the session
///
/// Only POST changes anything. Each one answers with a redirect, so that reloading a page sends nothing again, and no
/// address has more in it than stands here.
struct Site {
  let org: OrgSettings
  let sessions: Sessions
  let isHTTPS: Bool

  func router() -> Router<SiteContext> {
    let router = Router(context: SiteContext.self)
    router.add(middleware: SecurityHeaders())
    router.add(middleware: ErrorPages())
    for asset in Asset.all { router.get(RouterPath(asset.path)) { _, _ in asset.response } }
    router.get("/", use: showFront)
    router.post("/sign-in", use: startSignIn)
    router.get("/sign-in", use: showStep)
    router.get("/sign-in/state", use: sendStep)
    router.post("/sign-in/step", use: submitStep)
    router.post("/sign-out", use: signOut)
    return router
  }

  @Sendable private func showFront(_ request: Request, _ context: SiteContext) async throws -> Response {
    if let session = await session(of: request) {
      switch session.state {
      case .visitor: return Pages.front(session).response()
      case .signingIn: return .redirect(to: "/sign-in")
      case .signedIn(let account): return Pages.welcome(account, session).response()
      }
    }
    guard let session = await sessions.open() else {
      throw HTTPError(.serviceUnavailable, message: "Too many people are here. Please come back later.")
    }
    return Pages.front(session).response(cookie: cookie(session.id))
  }

  @Sendable private func startSignIn(_ request: Request, _ context: SiteContext) async throws -> Response {
    let (session, _) = try await form(request, context)
    if session.isSignedIn { return .redirect(to: "/") }
    // A second click finds the sign-in that the first one started.
    if case .signingIn(let signIn) = session.state, await signIn.isWorking { return .redirect(to: "/sign-in") }
    let signIn = SignIn(flow: org.makeFlow(), logger: context.logger)
    await sessions.begin(signIn, of: session.id)
    await signIn.start()
    return .redirect(to: "/sign-in")
  }

  @Sendable private func showStep(_ request: Request, _ context: SiteContext) async throws -> Response {
    guard let session = await session(of: request), case .signingIn(let signIn) = session.state else {
      return .redirect(to: "/")
    }
    let snapshot = await signIn.snapshot
    guard case .signedIn(let account) = snapshot.stage else { return Pages.step(snapshot, session).response() }
    guard let renewed = await sessions.renew(session.id, as: account) else { return .redirect(to: "/") }
    var response = Response.redirect(to: "/")
    response.setCookie(cookie(renewed.id))
    return response
  }

  @Sendable private func sendStep(_ request: Request, _ context: SiteContext) async throws -> Response {
    guard let session = await session(of: request), case .signingIn(let signIn) = session.state else {
      throw HTTPError(.notFound)
    }
    let step = await signIn.snapshot.step
    return Response(
      status: .ok, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"step":\#(step)}"#)))
  }

  @Sendable private func submitStep(_ request: Request, _ context: SiteContext) async throws -> Response {
    let (session, values) = try await form(request, context)
    guard let answers = Answers(values) else { throw HTTPError(.badRequest, message: "This form cannot be read.") }
    if case .signingIn(let signIn) = session.state { await signIn.submit(answers) }
    return .redirect(to: "/sign-in")
  }

  @Sendable private func signOut(_ request: Request, _ context: SiteContext) async throws -> Response {
    let (session, _) = try await form(request, context)
    await sessions.remove(session.id)
    var response = Response.redirect(to: "/")
    response.setCookie(cookie("", maxAge: 0))
    return response
  }

  // MARK: Sessions

  private func session(of request: Request) async -> Session? {
    await sessions.session(request.cookies[cookieName]?.value)
  }

  /// Reads a form, and makes sure that it comes from a page of this browser's session.
  private func form(_ request: Request, _ context: SiteContext) async throws -> (Session, [String: String]) {
    let values: [String: String]
    do {
      values = try await request.decode(as: [String: String].self, context: context)
    } catch let error as any HTTPResponseError {
      throw error
    } catch {
      throw HTTPError(.badRequest, message: "This form cannot be read.")
    }
    guard let session = await session(of: request), session.isTokenRight(values["csrf"]) else {
      throw HTTPError(.forbidden, message: "This page has expired. Please start again.")
    }
    return (session, values)
  }

  /// With the prefix, browsers take the cookie by https alone, and from this host alone.
  private var cookieName: String { isHTTPS ? "__Host-session" : "session" }

  /// `lax` keeps the cookie out of what other sites send here. Scripts cannot read it.
  private func cookie(_ id: String, maxAge: Int? = nil) -> Cookie {
    Cookie(name: cookieName, value: id, maxAge: maxAge, path: "/", secure: isHTTPS, httpOnly: true, sameSite: .lax)
  }
}
