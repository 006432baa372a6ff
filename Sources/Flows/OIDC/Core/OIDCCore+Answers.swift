// How an answer to a step continues or ends the operation.

import EventStore
import FlowRecording

extension OIDCCore {
  func answered(_ step: OIDCStep, _ answer: StepAnswer, _ operation: OIDCOperation, _ turn: Turn) -> [FlowEvent] {
    if let wait = putOff(step, answer, operation, turn) { return [wait] }
    if step == .store, let refusal = operation.failure {
      // The refresh token of a failed renewal was stored, or could not be.
      let news = answer.value == nil ? [] : stored(operation.former ?? [:])
      return news + over(operation, refusal)
    }
    var operation = operation
    var news: [FlowEvent] = []
    do throws(Refusal) {
      switch step {
      case .discovery, .serverMetadata: try discovered(step, answer, operation, turn)
      case .shared: break
      case .authorize: try authorized(answer, &operation, turn)
      case .browse, .resumed: try browsed(answer, &operation, turn)
      case .push: try pushed(answer)
      case .deviceAuthorize: return try coded(answer, operation)
      case .token:
        if operation.name == .signInOnDevice, let wait = wait(answer, operation, turn) { return [wait] }
        try exchanged(answer, &operation, turn)
      case .keys:
        guard try body(of: answer, from: "the server's keys")["keys"]?.array != nil else {
          throw Refusal("parseFailure")
        }
      case .introspect: news = try introspected(answer, operation)
      case .revoke, .revokeRefresh: news = try revoked(step, answer, operation)
      case .userInfo: try described(answer, operation)
      case .validate: try validated(answer)
      case .listen, .open: try opened(answer)
      case .claim, .store, .remove:
        if case .undrawn(let failure) = answer { throw .storage(failure) }
        if step == .store { news = stored(operation.arguments["stored"] ?? [:]) }
        if step == .remove { news = [.domain(TokenCleared(id: operation.tokenID, entries: answer.value?.int ?? 0))] }
      }
    } catch {
      return refuse(step, error, operation, turn)
    }
    return news + go(on: operation, turn)
  }

  /// Handles a failed step, which ends the operation; a sign-out continues with its remaining parts.
  func refuse(_ step: OIDCStep, _ refusal: Refusal, _ operation: OIDCOperation, _ turn: Turn) -> [FlowEvent] {
    var refusal = refusal
    if operation.name == .renew, refusal.code == "APIError" {
      refusal.code = "errorFetchingFreshTokens"
      // An OAuth error code invalidates the refresh token, but only the token endpoint can report that (oidc §6.4).
      if step != .token, case .object(var details) = refusal.details {
        details["oauthCode"] = nil
        refusal.details = .object(details)
      }
    }
    var operation = operation
    guard operation.name == .signOut, refusal.code != "userCancelledAuthorizationFlow" else {
      operation.failure = refusal
      // The new refresh token of a renewal is stored before the renewal ends.
      guard operation.next(settings) == .store else { return end(operation, refusal) }
      return [refused(operation, refusal)] + go(on: operation, turn)
    }
    let failed: [String] =
      switch step {
      case .revoke: ["revokeAccessToken"]
      case .revokeRefresh: ["revokeRefreshToken"]
      case .remove: ["removeTokensFromStorage"]
      case .listen, .browse, .open, .resumed: ["signOutFromOkta"]
      case .discovery, .serverMetadata, .push, .authorize, .deviceAuthorize, .token, .keys, .introspect, .userInfo,
        .shared, .claim, .validate, .store:
        operation.options.filter { $0 != "removeTokensFromStorage" }
      }
    operation.failedOptions += failed
    return failed.map { option in
      .domain(TokenRefused(id: operation.tokenID, operation: operation.name.rawValue, option: option, refusal))
    } + go(on: operation, turn)
  }

  // MARK: Rate limits (oidc §12)

  /// The wait that the server requires before a request is retried; nil if it is not retried.
  private func putOff(
    _ step: OIDCStep, _ answer: StepAnswer, _ operation: OIDCOperation, _ turn: Turn
  ) -> FlowEvent? {
    guard case .response(429, _) = answer, let response = ledger.answer,
      // A sign-in on another device asks again in any case.
      step != .token || operation.name != .signInOnDevice
    else { return nil }
    let limit = RateLimit(response, at: turn.input.at)
    let former = operation.retry.flatMap { $0.step == step ? $0 : nil }
    let left = OIDCRetry.patience - (former?.waited ?? 0)
    guard let seconds = limit.seconds(afterRetries: former?.count ?? 0),
      (former?.count ?? 0) < OIDCRetry.tolerated, seconds <= left / 1_000
    else { return nil }
    // So that clients that were stopped by a limit on concurrency do not all return at once.
    let jitter = limit.askedSeconds == nil ? min(max(turn.draws(.jitter).int ?? 0, 0), 1_000) : 0
    return .timerSet(TimerSet(milliseconds: seconds * 1_000 + jitter, purpose: OIDCRetry.purpose))
  }

  // MARK: Discovery (oidc §2)

  private func discovered(
    _ step: OIDCStep, _ answer: StepAnswer, _ operation: OIDCOperation, _ turn: Turn
  ) throws(Refusal) {
    // The server may only have OAuth 2.0 metadata, which is requested next.
    if step == .discovery, case .response(404, _) = answer { return }
    let document = try body(of: answer, from: "the server's metadata")
    guard let issuer = document["issuer"]?.string else { throw Refusal("parseFailure") }
    guard OktaAuthConfig.normalized(issuer) == settings.issuer else {
      throw .issuerMismatch(expected: settings.issuer, actual: issuer)
    }
    // Keys are only required by OpenID Connect (RFC 8414 §2).
    let keys = step == .discovery ? ["jwks_uri"] : []
    for name in ["authorization_endpoint", "token_endpoint"] + keys {
      guard document[name]?.string != nil else { throw Refusal("parseFailure") }
    }
    if let methods = document["code_challenge_methods_supported"]?.array, !methods.contains("S256") {
      throw .api("the server supports no proof key by S256")
    }
    _ = turn.draws(
      .oidcRemember,
      .members([
        ("issuer", .string(settings.issuer)), ("document", document),
        ("maxAge", operation.maxAge[step].map(JSON.int)),
      ]))
  }

  // MARK: Authorization (oidc §3.1, §5)

  private func authorized(_ answer: StepAnswer, _ operation: inout OIDCOperation, _ turn: Turn) throws(Refusal) {
    guard case .response(let status, let body) = answer else {
      throw refusal(of: answer, from: "the authorization endpoint")
    }
    switch status {
    case 301, 302, 303, 307, 308:
      guard let location = ledger.answer?.header("location"), !location.isEmpty else {
        throw Refusal("noLocationHeader")
      }
      try redirected(location, &operation, turn)
    case 400, 429: throw refusal(of: answer, from: "the authorization endpoint")
    default:
      throw Refusal(
        "unexpectedAuthCodeResponse",
        .members([("statusCode", .int(status)), ("oauthCode", body?["error"]), ("requestId", requestID)]))
    }
  }

  private func browsed(_ answer: StepAnswer, _ operation: inout OIDCOperation, _ turn: Turn) throws(Refusal) {
    switch answer {
    case .drawn(let redirect): try redirected(redirect.string ?? "", &operation, turn)
    case .undrawn(let failure): throw .browser(failure)
    case .response, .noResponse: throw .internalError("a browser gives no answer")
    }
  }

  private func opened(_ answer: StepAnswer) throws(Refusal) {
    if case .undrawn(let failure) = answer { throw .browser(failure) }
  }

  private func pushed(_ answer: StepAnswer) throws(Refusal) {
    guard try body(of: answer, from: "the endpoint for pushed requests")["request_uri"]?.string != nil else {
      throw Refusal("parseFailure")
    }
  }

  /// The checks of a redirect, in the order of oidc §3.1. Nothing is sent until all of them pass.
  private func redirected(_ redirect: String, _ operation: inout OIDCOperation, _ turn: Turn) throws(Refusal) {
    operation.take(
      .oidcRedirect,
      [
        "redirect": .string(redirect), "redirectUri": .string(operation.redirectURI(settings)),
        "state": operation.proof["state"].map(JSON.string) ?? .null,
      ], turn.draws)
    let said = operation.redirect ?? [:]
    guard said["ours"]?.bool == true else {
      throw Refusal("redirectServerError", ["text": said["place"] ?? ""])
    }
    if let name = said["repeated"]?.string { throw .api("the redirect has the parameter \(name) twice") }
    guard said["state"] == "equal" else { throw Refusal("stateMismatch") }
    // A sign-out has come back.
    if operation.name == .signOut { return }
    let isNamed = operation.metadata["authorization_response_iss_parameter_supported"]?.bool == true
    if let issuer = said["iss"]?.string {
      guard issuer == operation.metadata["issuer"]?.string else {
        throw .issuerMismatch(expected: settings.issuer, actual: issuer)
      }
    } else if isNamed {
      throw .issuerMismatch(expected: settings.issuer, actual: "")
    }
    if let error = said["error"]?.string { throw .authorization(error, said["error_description"]?.string) }
    guard said["code"]?.string?.isEmpty == false else { throw Refusal("unableToGetAuthCode") }
  }

  // MARK: Tokens (oidc §6, §8)

  private func exchanged(_ answer: StepAnswer, _ operation: inout OIDCOperation, _ turn: Turn) throws(Refusal) {
    let body = try body(of: answer, from: "the token endpoint")
    switch TokenReading(body, scope: "") {
    case .unusable(let reason):
      if let type = body["token_type"]?.string, type.lowercased() != "bearer", body["access_token"]?.string != nil {
        throw Refusal("unsupportedTokenType", ["text": .string(type)])
      }
      throw .api(reason, status: 200, requestID: requestID)
    case .issued:
      if operation.idToken != nil {
        operation.takeKeys(settings, turn.draws)
      } else if settings.requiresIDToken, operation.name.exchangesCode {
        // The person's identity was requested, but is missing in the answer (OIDC Core §3.1.3.3).
        throw Refusal(
          "JWTValidationError", ["text": "The server issued none, although the scope openid was asked for."])
      }
    }
  }

  private func validated(_ answer: StepAnswer) throws(Refusal) {
    switch answer {
    case .drawn(let verdict):
      if verdict["claims"]?.object != nil { return }
      throw Refusal(
        "JWTValidationError", .members([("text", "the ID token is not valid"), ("idToken", verdict["failure"])]))
    case .undrawn(let failure): throw .api(failure.detail ?? "the ID token could not be checked")
    case .response, .noResponse: throw .internalError("a check gives no answer")
    }
  }

  // MARK: Another device (RFC 8628)

  private func coded(_ answer: StepAnswer, _ operation: OIDCOperation) throws(Refusal) -> [FlowEvent] {
    let body = try body(of: answer, from: "the device authorization endpoint")
    guard body["device_code"]?.string != nil, let code = body["user_code"]?.string,
      let page = (body["verification_uri"] ?? body["verification_url"])?.string
    else { throw Refusal("parseFailure") }
    let awaited = TokenAwaited(
      userCode: code, verificationURI: page, completeURI: body["verification_uri_complete"]?.string,
      expiresIn: body["expires_in"]?.int ?? 600, call: operation.call)
    return [.domain(awaited), poll(operation)]
  }

  /// - Parameter least: the seconds to wait because of a rate limit.
  private func poll(_ operation: OIDCOperation, atLeast least: Int = 0) -> FlowEvent {
    let asked = operation.answers[.deviceAuthorize]?.body?["interval"]?.int ?? 5
    let seconds = max(min(max(asked, 1), 3_600) + operation.delay, least)
    return .timerSet(TimerSet(milliseconds: seconds * 1_000, purpose: "poll"))
  }

  /// The person has not answered yet, or the network is temporarily unavailable: the server is asked again.
  private func wait(_ answer: StepAnswer, _ operation: OIDCOperation, _ turn: Turn) -> FlowEvent? {
    switch answer {
    case .response(let status, let body):
      let error = body?["error"]?.string
      let isPending = error == "authorization_pending" || error == "slow_down"
      let limit = status == 429 ? ledger.answer.flatMap { RateLimit($0, at: turn.input.at).waitSeconds } : nil
      return isPending || status == 429 || status >= 500 ? poll(operation, atLeast: limit ?? 0) : nil
    case .noResponse(let error): return Self.lost.contains(error.code) ? poll(operation) : nil
    case .drawn, .undrawn: return nil
    }
  }

  private static let lost: Set<TransportError.Code> = [.cannotResolveHost, .cannotConnect, .connectionLost, .timedOut]

  // MARK: The other endpoints (oidc §7)

  private func introspected(_ answer: StepAnswer, _ operation: OIDCOperation) throws(Refusal) -> [FlowEvent] {
    guard let active = try body(of: answer, from: "the introspection endpoint")["active"]?.bool else {
      throw Refusal("parseFailure")
    }
    return [
      .domain(
        TokenIntrospected(id: operation.tokenID, hint: operation.arguments["hint"]?.string, active: active))
    ]
  }

  private func revoked(
    _ step: OIDCStep, _ answer: StepAnswer, _ operation: OIDCOperation
  ) throws(Refusal) -> [FlowEvent] {
    // Any body of a successful answer is accepted, including an empty one (RFC 7009 §2.2).
    guard answer.isSuccess else { throw refusal(of: answer, from: "the revocation endpoint") }
    let isSignOut = operation.name == .signOut
    let hint = isSignOut ? step == .revoke ? "access_token" : "refresh_token" : operation.arguments["hint"]?.string
    return [.domain(TokenRevoked(id: operation.tokenID, hint: hint))]
  }

  private func described(_ answer: StepAnswer, _ operation: OIDCOperation) throws(Refusal) {
    if answer.isSuccess, ledger.answer?.header("content-type")?.lowercased().hasPrefix("application/jwt") == true {
      throw .api("the server signs the user's claims, which this SDK does not read")
    }
    let body = try body(of: answer, from: "the userinfo endpoint")
    guard let subject = operation.arguments["subject"]?.string else { return }
    // About another person, or none: it must not be used (OIDC Core §5.3.2).
    guard body["sub"]?.string == subject else {
      let failure: JSON = ["claim": "sub", "rule": "mismatch"]
      throw Refusal(
        "JWTValidationError", ["text": "the user's claims are of another user than the ID token", "idToken": failure])
    }
  }

  // MARK: Answers that are none

  private var requestID: JSON? { ledger.answer?.header("x-okta-request-id").map(JSON.string) }

  /// The object that an endpoint answered with.
  private func body(of answer: StepAnswer, from what: String) throws(Refusal) -> JSON {
    guard answer.isSuccess else { throw refusal(of: answer, from: what) }
    guard let body = answer.body, body.object != nil else { throw Refusal("parseFailure") }
    return body
  }

  /// The refusal for an answer that is not a success (oidc §6.4).
  private func refusal(of answer: StepAnswer, from what: String) -> Refusal {
    switch answer {
    case .noResponse(let error):
      return .api("\(what): \(error.detail)", isRetryable: true)
    case .response(let status, let body):
      let bearer = WWWAuthenticate.bearer(of: ledger.answer)
      let code = body?["error"]?.string ?? bearer["error"]
      let description =
        body?["error_description"]?.string ?? bearer["error_description"] ?? body?["errorSummary"]?.string
      let isDefinitive = code != nil && (400...499).contains(status) && status != 429
      return .api(
        "\(what) answered \(status)" + (code.map { ": \($0)" } ?? ""), status: status, code: code,
        description: description, requestID: requestID, isRetryable: !isDefinitive && (status == 429 || status >= 500))
    case .undrawn(let failure): return .api("\(what): \(failure.detail ?? failure.reason.rawValue)")
    case .drawn: return .internalError("\(what) gave a value")
    }
  }
}
