// Checks an ID token before its tokens are returned, as in a flow of kind `oidc` (oidc §8): metadata, keys, verdict.

import EventStore
import FlowRecording
import OIDC

extension IDXCore {
  /// Takes the next step of a check: fetches the metadata and then the keys, unless they are cached, and then requests
  /// the verdict.
  func goOn(with check: IDTokenCheckUp, call: Int, _ input: FlowRecord, _ draws: Draws) -> [FlowEvent] {
    var check = check
    if metadata == nil, check.known == nil {
      check.known = draws(.oidcKnown, ["issuer": .string(settings.issuer), "leads": false])
    }
    if check.keys == nil {
      let token = IDTokenCheckUp.idToken(in: check.body)
      check.keys = draws(
        .oidcKeys, ["issuer": .string(settings.issuer), "token": token.map(JSON.string) ?? .null])
    }
    do throws(Refusal) {
      guard let metadata = metadata ?? check.known?["document"] else { return [request(try IDXPlan.discovery(self))] }
      if check.needsKeys { return [request(try IDXPlan.keys(metadata, in: self))] }
      return [.drawAsked(DrawAsked(kind: .oidcValidate, input: expectation(check, metadata, call: call, input)))]
    } catch {
      return [error.ending(call)]
    }
  }

  /// Handles the server's metadata.
  func learned(_ response: ResponseReceived, _ check: IDTokenCheckUp, call: Int, _ input: FlowRecord, _ draws: Draws)
    -> [FlowEvent]
  {
    guard let document = metadata else {
      let isDocument = (200...299).contains(response.status) && response.json?["issuer"] != nil
      let reason = Refusal.invalidResponse("the metadata are those of another issuer", status: response.status)
      return [(isDocument ? reason : refusal(response)).ending(call)]
    }
    remember(document, response, draws)
    return goOn(with: check, call: call, input, draws)
  }

  /// Makes fetched metadata available to later flows.
  func remember(_ document: JSON, _ response: ResponseReceived, _ draws: Draws) {
    let age = CacheControl.maxAge(response.header("cache-control"))
    _ = draws(
      .oidcRemember,
      .members([("issuer", .string(settings.issuer)), ("document", document), ("maxAge", age.map(JSON.int))]))
  }

  /// Handles the verdict.
  func judged(_ check: IDTokenCheckUp, call: Int) -> [FlowEvent] {
    guard case .issued(var token) = TokenReading(check.body, scope: settings.scope) else { return [] }
    switch check.verdict {
    case .drawn(let verdict):
      guard let claims = verdict["claims"], claims.object != nil else {
        return refused(verdict["failure"] ?? IDTokenFailure("token", .malformed).json, call)
      }
      token.claims = claims
      return handedOut(token, call)
    case .undrawn(let failure):
      return [Refusal.invalidResponse(failure.detail ?? "the ID token could not be checked").ending(call)]
    case .response, .noResponse, nil: return []
    }
  }

  /// Returns the tokens to the caller, which ends the sign-in.
  func handedOut(_ token: TokenIssued, _ call: Int) -> [FlowEvent] {
    [
      .domain(token), .callReturned(CallReturned(call: call, outcome: .done)),
      .flowEnded(FlowEnded(outcome: "success")),
    ]
  }

  /// Handles an invalid ID token: no tokens are returned, and the sign-in ends.
  func refused(_ failure: JSON, _ call: Int) -> [FlowEvent] {
    let refusal = Refusal.idToken(failure)
    let name = ledger.calls[call]?.name ?? IDXCall.exchangeCode.rawValue
    return [
      .domain(TokenRefused(id: nil, operation: name, option: nil, refusal)), refusal.ending(call),
      .flowEnded(FlowEnded(outcome: "failed")),
    ]
  }

  /// Whether a valid ID token is required, because the application requested the person's identity (OIDC Core
  /// §3.1.3.3).
  var requiresIDToken: Bool { settings.idToken != nil && settings.scope.split(separator: " ").contains("openid") }

  /// What an ID token is verified with and compared to.
  private func expectation(_ check: IDTokenCheckUp, _ metadata: JSON, call: Int, _ input: FlowRecord) -> JSON {
    let jwks = check.fetched.map { ["keys": $0["keys"] ?? []] as JSON } ?? check.keys?["jwks"] ?? ["keys": []]
    let listed = metadata["id_token_signing_alg_values_supported"]?.array?.compactMap(\.string)
    let algorithms = (settings.idToken?.algorithms ?? []).filter { listed?.contains($0) ?? true }
    let now = input.at.microseconds.addingReportingOverflow(ledger.skew ?? 0).partialValue
    return .members([
      ("call", .int(call)), ("token", IDTokenCheckUp.idToken(in: check.body).map(JSON.string)), ("jwks", jwks),
      ("fetched", .bool(check.fetched != nil)), ("maxAge", check.maxAge.map(JSON.int)),
      ("issuer", metadata["issuer"]), ("clientId", .string(settings.clientID)),
      ("nonce", context?.nonce.map(JSON.string)), ("maxAuthAge", context?.maxAge.map(JSON.int)),
      ("accessToken", check.body["access_token"]), ("deviceSecret", check.body["device_secret"]),
      ("algorithms", .array(algorithms.map(JSON.string))), ("skew", .int(settings.idToken?.skew ?? 300)),
      ("now", .number(String(now))),
    ])
  }
}
