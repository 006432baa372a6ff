// The next step of an operation for tokens: a request, or an awaited draw.

import EventStore
import FlowRecording

extension OIDCCore {
  /// Takes the next step, or ends the operation.
  func go(on operation: OIDCOperation, _ turn: Turn) -> [FlowEvent] {
    var operation = operation
    var events: [FlowEvent] = []
    let step = operation.next(settings)
    if operation.name.bringsTokens, operation.failure == nil, operation.issued == nil, operation.claimed == nil,
      step == nil || step == .store, let issued = tokens(&operation, turn)
    {
      operation.issued = issued
      events.append(operation.name == .renew ? .domain(TokenRefreshed(issued)) : .domain(issued))
    }
    guard let step else { return events + finish(operation) }
    var turn = turn
    turn.retry = operation.retry.flatMap { $0.step == step ? $0 : nil }
    do throws(Refusal) {
      return events + [try perform(step, operation, turn)]
    } catch {
      return events + refuse(step, error, operation, turn)
    }
  }

  /// The received tokens, as recorded.
  private func tokens(_ operation: inout OIDCOperation, _ turn: Turn) -> TokenIssued? {
    guard let body = operation.tokenBody else { return nil }
    let scope = operation.arguments["scope"]?.string ?? OIDCRequests.scope(settings)
    guard case .issued(var issued) = TokenReading(body, scope: scope) else { return nil }
    if operation.tokenID == nil { operation.take(.uuid, .null, turn.draws) }
    issued.id = operation.tokenID
    issued.claims = operation.claims
    return issued
  }

  private func finish(_ operation: OIDCOperation) -> [FlowEvent] {
    guard operation.name == .signOut, !operation.failedOptions.isEmpty else { return done(operation) }
    let failed = Refusal("signOutFailed", ["options": .array(operation.failedOptions.map(JSON.string))])
    return [failed.ending(operation.call), .flowEnded(FlowEnded(outcome: "failed"))]
  }

  // MARK: Requests

  private func perform(_ step: OIDCStep, _ operation: OIDCOperation, _ turn: Turn) throws(Refusal) -> FlowEvent {
    switch step {
    case .discovery:
      guard let url = settings.discoveryURL else { throw Refusal("noDiscoveryEndpoint") }
      return request(OIDCRequests.get(url), turn)
    case .serverMetadata:
      guard let url = settings.serverMetadataURL else { throw Refusal("noDiscoveryEndpoint") }
      return request(OIDCRequests.get(url), turn)
    case .keys: return request(OIDCRequests.get(try endpoint("jwks_uri", operation)), turn)
    case .authorize:
      let url = try endpoint("authorization_endpoint", operation)
      let members = OIDCRequests.authorization(operation, settings)
      return request(
        RequestPlan(
          method: "GET", url: url, accept: OIDCRequests.json, body: .members(members), encoding: .query), turn)
    case .push:
      return try post(
        "pushed_authorization_request_endpoint", OIDCRequests.authorization(operation, settings), operation, turn)
    case .deviceAuthorize:
      guard operation.endpoint("device_authorization_endpoint") != nil else {
        throw .api("the server has no endpoint for sign-ins on another device")
      }
      return try post(
        "device_authorization_endpoint",
        [("scope", .string(OIDCRequests.scope(settings)))] + OIDCRequests.extras(operation, settings), operation, turn)
    case .token: return try post("token_endpoint", OIDCRequests.token(operation, settings), operation, turn)
    case .introspect:
      return try post(
        "introspection_endpoint", usual: "introspect",
        [("token", operation.arguments["token"]), ("token_type_hint", operation.arguments["hint"])], operation, turn)
    case .revoke:
      let isSignOut = operation.name == .signOut
      return try post(
        "revocation_endpoint", usual: "revoke",
        [
          ("token", operation.arguments[isSignOut ? "accessToken" : "token"]),
          ("token_type_hint", isSignOut ? "access_token" : operation.arguments["hint"]),
        ], operation, turn)
    case .revokeRefresh:
      return try post(
        "revocation_endpoint", usual: "revoke",
        [("token", operation.arguments["refreshToken"]), ("token_type_hint", "refresh_token")], operation, turn)
    case .userInfo:
      var plan = OIDCRequests.get(try endpoint("userinfo_endpoint", usual: "userinfo", operation))
      plan.headers = [HTTPField("Authorization", "Bearer " + (operation.arguments["accessToken"]?.string ?? ""))]
      return request(plan, turn)
    case .shared, .claim, .listen, .browse, .open, .resumed, .validate, .store, .remove:
      return try ask(step, operation, turn)
    }
  }

  private func post(
    _ name: String, usual: String? = nil, _ members: [(String, JSON?)], _ operation: OIDCOperation, _ turn: Turn
  ) throws(Refusal) -> FlowEvent {
    let url = try endpoint(name, usual: usual, operation)
    let header = settings.clientSecret.flatMap {
      turn.draws(.oidcBasic, ["id": .string(settings.clientID), "secret": .string($0)]).string
    }
    // An authorization that is sent ahead names the client itself.
    let named = members.filter { $0.0 != "client_id" }
    return request(OIDCRequests.post(url, named, client: settings, authorization: header), turn)
  }

  private func request(_ plan: RequestPlan, _ turn: Turn) -> FlowEvent {
    var plan = plan
    if let retry = turn.retry {
      if let id = retry.firstID { plan.headers.append(HTTPField("X-Okta-Retry-For", id)) }
      plan.headers.append(HTTPField("X-Okta-Retry-Count", "\(retry.count)"))
    }
    return plan.sent(client: HTTPField("User-Agent", turn.agent), cookie: nil, by: LinkRule(home: settings.issuer))
  }

  /// An endpoint from the metadata, or else its usual place, if a secret may be sent there.
  func endpoint(_ name: String, usual: String? = nil, _ operation: OIDCOperation) throws(Refusal) -> String {
    guard let url = operation.endpoint(name) ?? usual.flatMap(settings.usualEndpoint) else { throw .missing(name) }
    guard settings.isSafe(url) else { throw .api("the server's \(name) is no https address") }
    return url
  }

  // MARK: Draws that take their time

  private func ask(_ step: OIDCStep, _ operation: OIDCOperation, _ turn: Turn) throws(Refusal) -> FlowEvent {
    func asked(_ kind: DrawKind, _ members: [(String, JSON?)]) -> FlowEvent {
      .drawAsked(
        DrawAsked(
          kind: kind,
          input: .members([("call", .int(operation.call)), ("step", .string(step.rawValue))] + members)))
    }
    let redirectURI = operation.redirectURI(settings)
    switch step {
    case .shared: return asked(.oidcShared, [("issuer", .string(settings.issuer))])
    case .listen:
      let path = URLParts(redirectURI)?.path ?? ""
      return asked(.browserListen, [("path", .string(path.isEmpty ? "/" : path))])
    case .browse, .open:
      let page = try page(operation)
      return asked(
        step == .browse ? .browserRedirect : .browserOpen,
        [
          ("url", .string(page.url)), ("query", .members(page.query)), ("redirectUri", .string(redirectURI)),
          ("state", operation.proof["state"].map(JSON.string)), ("seconds", .int(settings.redirectSeconds)),
        ])
    case .resumed:
      return .timerSet(TimerSet(milliseconds: settings.redirectSeconds * 1_000, purpose: "redirect"))
    case .validate: return asked(.oidcValidate, expectation(operation, turn))
    case .claim:
      return asked(
        .tokensClaim,
        [
          ("issuer", .string(settings.issuer)), ("clientId", .string(settings.clientID)),
          ("refreshToken", operation.arguments["refreshToken"]),
          ("accessToken", operation.arguments["accessToken"]), ("issued", operation.arguments["issued"]),
          ("kept", operation.arguments["kept"]),
        ])
    case .store:
      return asked(.tokensStore, [("tokens", record(operation, at: turn.input.at).map(JSON.object) ?? .null)])
    case .remove:
      return asked(
        .tokensRemove, [("issuer", .string(settings.issuer)), ("clientId", .string(settings.clientID))])
    case .discovery, .serverMetadata, .push, .authorize, .deviceAuthorize, .token, .keys, .introspect, .revoke,
      .revokeRefresh, .userInfo:
      throw .internalError("a request is no draw")
    }
  }

  /// The page that the browser is sent to.
  private func page(_ operation: OIDCOperation) throws(Refusal) -> (url: String, query: [(String, JSON?)]) {
    guard operation.name != .signOut else {
      guard let url = operation.endpoint("end_session_endpoint") else {
        throw .api("the server has no page to sign out at")
      }
      guard settings.isSafe(url) else { throw .api("the server's end_session_endpoint is no https address") }
      return (url, OIDCRequests.endSession(operation, settings))
    }
    let url = try endpoint("authorization_endpoint", operation)
    if let pushed = operation.answers[.push]?.body?["request_uri"] {
      return (url, [("client_id", .string(settings.clientID)), ("request_uri", pushed)])
    }
    return (url, OIDCRequests.authorization(operation, settings))
  }

  /// The keys and expectations for checking an ID token.
  private func expectation(_ operation: OIDCOperation, _ turn: Turn) -> [(String, JSON?)] {
    let fetched = operation.answers[.keys]?.body
    let jwks = fetched.map { ["keys": $0["keys"] ?? []] as JSON } ?? operation.keys?["jwks"] ?? ["keys": []]
    let body = operation.tokenBody ?? [:]
    let listed = operation.metadata["id_token_signing_alg_values_supported"]?.array?.compactMap(\.string)
    let algorithms = settings.algorithms.filter { listed?.contains($0) ?? true }
    let extras = OIDCRequests.extras(operation, settings)
    func extra(_ name: String) -> JSON? { extras.first { $0.0 == name }?.1 }
    let maxAge = extra("max_age").flatMap { $0.int ?? $0.string.flatMap { Int($0) } }
    let now = Self.serverTime(turn.input.at, skew)
    let isCode = operation.name == .signInWithBrowser || operation.name == .signInWithSessionToken
    return [
      ("token", operation.idToken.map(JSON.string)), ("jwks", jwks), ("fetched", .bool(fetched != nil)),
      ("maxAge", operation.maxAge[.keys].map(JSON.int)), ("issuer", operation.metadata["issuer"]),
      ("clientId", .string(settings.clientID)),
      ("nonce", isCode ? operation.proof["nonce"].map(JSON.string) : operation.arguments["nonce"]),
      ("maxAuthAge", isCode ? maxAge.map(JSON.int) : nil),
      ("acrValues", isCode ? Self.essentialContexts(extra("claims")) : nil), ("accessToken", body["access_token"]),
      ("deviceSecret", body["device_secret"]),
      ("formerToken", operation.name == .renew ? operation.arguments["idToken"] : nil),
      ("algorithms", .array(algorithms.map(JSON.string))), ("skew", .int(settings.skew)),
      ("now", .number(String(now))),
    ]
  }

  /// The authentication contexts of which one is required, by the parameter `claims` (OIDC Core §5.5.1.1); nil if none
  /// is. Those in `acr_values` alone are optional.
  static func essentialContexts(_ claims: JSON?) -> JSON? {
    guard let text = claims?.string, let wanted = (try? JSON(parsing: Array(text.utf8)))?["id_token"]?["acr"],
      wanted["essential"]?.bool == true
    else { return nil }
    return wanted["values"] ?? wanted["value"].map { [$0] }
  }

  /// The tokens to store after an operation that returns some; what was not returned is kept. Nil if nothing was
  /// returned.
  ///
  /// - Parameter time: when they were received, if the operation does not know.
  func record(_ operation: OIDCOperation, at time: Timestamp) -> JSONObject? {
    let time = operation.issuedAt ?? time
    var record = operation.former?.object ?? JSONObject()
    if let issued = operation.issued {
      for (name, value) in Self.renewed(issued, at: time, skew: skew) { record[name] = value }
      record["authorizationError"] = nil
    } else if let token = operation.unchecked {
      record["refreshToken"] = .string(token)
      // Shows another process whose refresh token is newer.
      record["issued"] = .number(String(Self.serverTime(time, skew)))
    } else {
      return nil
    }
    record["clockSkew"] = skew == 0 ? nil : .number(String(skew))
    return record
  }

  /// A time by the server's clock, in microseconds since 1970.
  private static func serverTime(_ time: Timestamp, _ skew: Int64) -> Int64 {
    time.microseconds.addingReportingOverflow(skew).partialValue
  }

  /// How new tokens change the stored ones.
  static func renewed(_ issued: TokenIssued, at time: Timestamp, skew: Int64) -> [(String, JSON)] {
    let now = serverTime(time, skew)
    let end = issued.expiresIn.map {
      now.addingReportingOverflow(Int64(clamping: min($0, 1 << 40)) * 1_000_000).partialValue
    }
    let changed: [(String, JSON?)] = [
      ("tokenType", .string(issued.tokenType)), ("accessToken", issued.tokens["access_token"]),
      ("refreshToken", issued.tokens["refresh_token"]), ("idToken", issued.tokens["id_token"]),
      ("deviceSecret", issued.tokens["device_secret"]), ("scope", issued.scope.map(JSON.string)),
      ("issued", .number(String(now))), ("expiry", end.map { .number(String($0)) } ?? .null),
    ]
    return changed.compactMap { name, value in value.map { (name, $0) } }
  }
}
