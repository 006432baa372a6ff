// How the facade treats configurations, recorded errors, and requests that take too long, for the kind's tables.

import EventStore
import FlowRecording

/// Clients, errors, and requests, as an application sees them.
enum FacadeTrials {
  // MARK: Errors

  private static let codes = [
    "APIError", "errorFetchingFreshTokens", "JWTValidationError", "JWTDecodeError", "missingConfigurationValues",
    "noBearerToken", "noDiscoveryEndpoint", "noIntrospectionEndpoint", "noRevocationEndpoint", "noUserInfoEndpoint",
    "noRefreshToken", "noTokens", "parseFailure", "missingIdToken", "unexpectedAuthCodeResponse",
    "unableToGetAuthCode", "authorization", "redirectServerError", "noLocationHeader",
    "userCancelledAuthorizationFlow", "unableToOpenBrowser", "stateMismatch", "issuerMismatch", "alreadyInProgress",
    "timeout", "unsupportedTokenType", "storage", "internalError", "signOutFailed", "", "notConfigured",
  ]

  private static func shown(_ error: OktaError) -> String {
    let failure = error.failure
    let parts: [String?] = [
      failure?.message, failure?.oauthCode, failure?.oauthDescription, failure?.requestId,
      failure?.httpStatus.map { "\($0)" }, failure?.idToken?.json.text,
      error.ancestorCode.map { "\($0.domain.rawValue) \($0.number)" },
    ]
    return "\(parts.map { $0 ?? "-" }) \(error.isRetryable) \(error)"
  }

  /// One line per error code that a flow ends with, and per form of its details.
  static var errors: Set<String> {
    let whole: [(String, JSON?)] = [
      ("text", "the text"), ("httpStatus", 503), ("oauthCode", "invalid_grant"), ("oauthDescription", "because"),
      ("requestId", "request"), ("retryable", true), ("idToken", ["claim": "aud", "rule": "mismatch"]),
      ("statusCode", 429), ("expected", "one"), ("actual", "two"), ("reason", "failed"),
    ]
    var lines = codes.flatMap { code in
      [JSON.members([]), JSON.members(whole)].enumerated().map { number, details in
        "\(code) \(number) \(shown(OktaError(code: code, details: details)))"
      }
    }
    lines += RuntimeTables.withEachLeftOut(of: whole).enumerated().map { number, details in
      "whole \(number) \(shown(OktaError(code: "APIError", details: .members(details))))"
    }
    let texts = [
      "", "why", "unsafe: why", "unavailable: why", "system 28: why", "system 28", "system x: why", "system : ",
      "system 5:", "wrongKey", "unknownVersion", "damaged",
    ]
    let reasons = DrawFailure.Reason.allCases.map(\.rawValue) + ["", "of tomorrow"]
    for reason in reasons {
      lines += texts.map { text in
        let error = OktaError(code: "storage", details: ["reason": .string(reason), "text": .string(text)])
        return "storage \(reason) \(text) \(numbered(error)) \(error)"
      }
    }
    // Store failures, recorded and read again.
    lines += FailingStore.errors.map { error in
      let failure = DrawFailure(error)
      let refusal = Refusal.storage(failure)
      return "recorded \(refusal.details.text) \(OktaError(code: refusal.code, details: refusal.details))"
    }
    return Set(lines)
  }

  private static func numbered(_ error: OktaError) -> String {
    guard case .storage(.system(let reason, let number)) = error else { return "-" }
    return "\(number) \(reason)"
  }

  // MARK: Clients

  private final class Customization: OktaNetworkRequestCustomizationDelegate {
    let heard = Locked<[Int]>([])

    func customizableURLRequest(_ request: HTTPRequest) -> HTTPRequest {
      var request = request
      request.headers.append(HTTPField("X-Delegate", "\(request.headers.count)"))
      return request
    }

    func didReceive(_ response: HTTPResponse) { heard.withLock { $0.append(response.status) } }
  }

  private final class Silent: OktaNetworkRequestCustomizationDelegate {}

  /// One line per client: the configuration of its flows, and its use of the seams.
  static var clients: Set<String> {
    var lines: [String] = []
    let least = ["issuer": "https://acme.example/", "clientId": "c", "redirectUri": "com.acme:/cb", "scopes": "openid"]
    let values: [[String: String]] = [
      [:], ["scopes": "email openidx", "logoutRedirectUri": "com.acme:/out"], ["b": "2", "a": "1", "c": "3"],
    ]
    for (number, more) in values.enumerated() {
      guard let configuration = try? OktaAuthConfig(with: least.merging(more) { $1 }) else { continue }
      let client = OIDCClient(configuration, TrialWorld.environment())
      lines.append("client \(number) \(client.settings.text) \(client.issuer) \(client.clientID)")
      lines.append("key \(number) \(JSON.members(client.key).text) \(client.environment.userAgent)")
    }
    guard var configuration = try? OktaAuthConfig(with: least) else { return Set(lines) }
    configuration.options.clientSecret = "secret"
    (configuration.options.allowedClockSkew, configuration.options.redirectTimeout) = (7, 9)
    configuration.options.idTokenAlgorithms = ["ES256", "RS512"]
    configuration.setUserAgent(value: "mine")
    let request = HTTPRequest(method: "GET", url: "https://acme.example/", headers: [HTTPField("A", "b")])
    let (custom, silent) = (Customization(), Silent())
    let delegates: [(any OktaNetworkRequestCustomizationDelegate)?] = [nil, custom, silent]
    let limits: [Int?] = [nil, 5]
    for (number, limit) in limits.enumerated() {
      for (kind, delegate) in delegates.enumerated() {
        configuration.options.httpTimeout = limit
        configuration.requestCustomizationDelegate = delegate
        let canned = CannedTransport(json: [(status: 200 + kind, body: [:])])
        var environment = TrialWorld.environment(transport: canned)
        environment.requestListener = { request in
          var request = request
          request.headers.append(HTTPField("X-Listener", "1"))
          return request
        }
        let client = OIDCClient(configuration, environment)
        let changed = client.environment.requestListener?(request).headers.map { "\($0.name)=\($0.value)" } ?? []
        _ = client.environment.transport.send(request) { _ in }
        let isOwn = client.environment.transport is ClientTransport
        lines.append("seams \(number) \(kind) \(changed) \(isOwn) \(client.environment.userAgent) \(canned.sent.count)")
        lines.append("settings \(number) \(kind) \(client.settings.text) \(custom.heard.withLock { $0 })")
      }
    }
    // Configurations hold delegates weakly.
    withExtendedLifetime(delegates) {}
    for isHeld in [true, false] {
      var delegate: Customization? = Customization()
      configuration.requestCustomizationDelegate = delegate
      let client = OIDCClient(configuration, TrialWorld.environment())
      if !isHeld { delegate = nil }
      let changed = client.environment.requestListener?(request).headers.map { "\($0.name)=\($0.value)" } ?? []
      lines.append("alone \(isHeld) \(changed)")
      withExtendedLifetime(delegate) {}
    }
    for algorithms in [[], ["ES256"]] {
      for scope in [nil, "email"] as [String?] {
        var tokens = StoredTokens(
          id: "id", issuer: "https://acme.example/", clientID: "c", tokenType: "Bearer", accessToken: nil, issued: 0)
        (tokens.algorithms, tokens.scope) = (algorithms, scope)
        lines.append("of tokens \(OIDCClient(of: tokens, TrialWorld.environment()).settings.text)")
      }
    }
    return Set(lines + parts)
  }

  /// The parts of a sign-out, as bits and as names.
  private static var parts: [String] {
    let lists = [
      [], ["revokeAccessToken"], ["removeTokensFromStorage", "revokeRefreshToken"], ["other", "signOutFromOkta"],
    ]
    let sets: [SignOutOptions] = [.revokeTokensOptions, .allOptions]
    var lines = (0..<17).map { "part \($0) \(SignOutOptions(rawValue: UInt($0)).names)" }
    lines += sets.map { "part \($0.rawValue)" }
    lines += lists.map { "part \($0) \(SignOutOptions($0).rawValue)" }
    return lines
  }

  // MARK: Timeouts

  private final class HeldTransport: Transport {
    let completions = Locked<[@Sendable (Result<HTTPResponse, TransportError>) -> Void]>([])
    let cancelled = Locked(0)

    func send(
      _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
    ) -> any TransportTask {
      completions.withLock { $0.append(completion) }
      return CannedTask { [cancelled] in cancelled.withLock { $0 += 1 } }
    }

    func answer(_ result: Result<HTTPResponse, TransportError>) {
      for completion in completions.withLock({ $0 }) { completion(result) }
    }
  }

  /// One line per time limit and per step of a request.
  static var timeouts: Set<String> {
    let limits: [Int?] = [nil, -5, 0, 1, 30, 3_600, 3_601]
    var lines: [String] = []
    for limit in limits {
      for isLate in [false, true] {
        let time = VirtualTime(start: TrialWorld.at(0))
        let held = HeldTransport()
        let (heard, received) = (Locked<[String]>([]), Locked<[Int]>([]))
        let transport = ClientTransport(
          transport: held, seconds: limit, timers: time,
          received: { response in received.withLock { $0.append(response.status) } })
        let task = transport.send(HTTPRequest(method: "GET", url: "https://acme.example/")) { result in
          let outcome =
            switch result {
            case .success(let response): "\(response.status)"
            case .failure(let error): "\(error)"
            }
          heard.withLock { $0.append(outcome) }
        }
        func note(_ name: String) {
          let timer = time.untilNextTimer.map { "\($0)" } ?? "no timer"
          let state = "\(timer) \(heard.withLock { $0 }) \(received.withLock { $0 }) \(held.cancelled.withLock { $0 })"
          lines.append("\(limit.map { "\($0)" } ?? "none") \(isLate) \(name) \(state)")
        }
        note("sent")
        if isLate { time.advance(milliseconds: 3_600_000) }
        note("later")
        held.answer(isLate ? .success(HTTPResponse(status: 201)) : .failure(TransportError(.connectionLost, "Lost.")))
        note("answered")
        held.answer(.success(HTTPResponse(status: 202)))
        note("answered again")
        task.cancel()
        note("given up")
      }
    }
    // An answer that arrives before the timer is set also ends it.
    let time = VirtualTime(start: TrialWorld.at(0))
    let transport = ClientTransport(
      transport: CannedTransport(json: [(status: 200, body: [:])]), seconds: 5, timers: time, received: nil)
    _ = transport.send(HTTPRequest(method: "GET", url: "https://acme.example/")) { _ in }
    return Set(lines + ["at once \(time.pending)"])
  }
}
