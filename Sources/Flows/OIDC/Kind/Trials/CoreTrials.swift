// The decisions of a token flow for made-up inputs: parts shared by all of these trials, and the trials of settings.

import EventStore
import FlowRecording

/// Operations step by step, with the decisions for each input.
enum CoreTrials {
  typealias Input = TrialStage.Input
  typealias Members = [(String, JSON?)]
  typealias Brought = [DrawKind: Result<JSON, DrawFailure>]

  static let issuer = "https://acme.example/oauth2/default"

  static let settings: Members = [
    ("issuer", .string(issuer)), ("clientId", "client-1"), ("scopes", "profile  email"),
    ("redirectUri", "http://127.0.0.1:8080/callback"), ("logoutRedirectUri", "com.acme:/out"),
    ("parameters", ["login_hint": "ann", "state": "mine"]), ("skew", 300), ("algorithms", ["RS256", "ES256"]),
    ("redirectSeconds", 90), ("requiresIdToken", true),
  ]

  static let metadata: Members = [
    ("issuer", .string(issuer)), ("authorization_endpoint", .string("\(issuer)/v1/authorize")),
    ("token_endpoint", .string("\(issuer)/v1/token")), ("jwks_uri", .string("\(issuer)/v1/keys")),
    ("userinfo_endpoint", .string("\(issuer)/v1/userinfo")),
    ("introspection_endpoint", .string("\(issuer)/v1/introspect")),
    ("revocation_endpoint", .string("\(issuer)/v1/revoke")), ("end_session_endpoint", .string("\(issuer)/v1/logout")),
    ("device_authorization_endpoint", .string("\(issuer)/v1/device/authorize")),
    ("code_challenge_methods_supported", ["plain", "S256"]),
  ]

  /// Replaces members with others of the same names; a member without a value is left out.
  static func with(_ changes: Members, in members: Members) -> JSON {
    .members(members.filter { member in !changes.contains { $0.0 == member.0 } } + changes)
  }

  /// The draw that returns the server's metadata, so that no request is needed.
  static func knowing(_ changes: Members = [], _ more: Brought = [:]) -> Brought {
    more.merging([.oidcKnown: .success(["document": with(changes, in: metadata)])]) { first, _ in first }
  }

  /// One line per input, and one for the final state.
  static func lines(
    _ name: String, _ inputs: [Input], settings changes: Members = [], brings: Brought? = nil
  ) -> [String] {
    var stage = TrialStage(with(changes, in: settings), brings: brings ?? knowing())
    var lines: [String] = []
    for (number, input) in inputs.enumerated() { lines.append("\(name) \(number) \(stage.feed(input))") }
    return lines + ["\(name) \(stage.summary)"]
  }

  /// The same for each of several last inputs.
  static func lines(
    _ name: String, _ inputs: [Input], then ends: [Input], settings changes: Members = [], brings: Brought? = nil
  ) -> [String] {
    var all: [String] = []
    for (number, end) in ends.enumerated() {
      all += lines("\(name) \(number)", inputs + [end], settings: changes, brings: brings).suffix(2)
    }
    return all
  }

  // MARK: Settings

  /// One line per configuration, as a flow receives it, and one per issuer, with its endpoints.
  static var configurations: Set<String> {
    var documents = RuntimeTables.withEachLeftOut(of: settings).map { JSON.members($0) }
    for skew in [-1, 0, 1, 86_400, 86_401] { documents.append(with([("skew", .int(skew))], in: settings)) }
    for time in [0, 1, 2, 3_600, 3_601] { documents.append(with([("redirectSeconds", .int(time))], in: settings)) }
    documents += [
      with([("clientSecret", "s"), ("requiresIdToken", false), ("parameters", [:])], in: settings),
      with([("skew", "300"), ("algorithms", ["RS256", 5]), ("requiresIdToken", "true")], in: settings),
    ]
    var lines = documents.enumerated().map { number, document in
      let read = OIDCSettings(document)
      return "\(number) \(JSON.members(read.members).text) \(OIDCRequests.scope(read))"
    }
    let issuers = [
      issuer, "https://acme.example", "https://acme.example/", "https://acme.example/oauth2",
      "https://acme.example/a/b", "https://acme.example/oauth2x/y", "http://acme.example",
      "http://127.0.0.1:80/oauth2/a", "http://localhost", "https://me@acme.example", "https://acme.example?x=1",
      "https://acme.example#x", "acme", "",
    ]
    let urls = [
      "https://b.example/token", "http://b.example/token", "http://127.0.0.1/token", "http://localhost:5/x", "/x", "",
    ]
    lines += issuers.map { issuer in
      let read = OIDCSettings(["issuer": .string(issuer)])
      let places = [
        read.discoveryURL, read.serverMetadataURL, read.usualEndpoint("revoke"), read.usualEndpoint("userinfo"),
      ]
      return "\(issuer) \(places.map { $0 ?? "-" }) \(urls.map { read.isSafe($0) })"
    }
    let scopes = ["", "openid", "a openid b", "openidx", "  a  b "]
    lines += scopes.map { "scope \($0) \(OIDCRequests.scope(OIDCSettings(["scopes": .string($0)])))" }
    lines.append("none \(JSON.members(OIDCSettings().members).text) \(OIDCCore().json.text)")
    return Set(lines + names + refusals + renewals)
  }

  private static var names: [String] {
    let calls = OIDCCall.allCases.map { call in
      let marks = [call.isToOperation, call.bringsTokens, call.exchangesCode, call.isSignIn]
      return "call \(call.rawValue) \(marks)"
    }
    return calls + OIDCStep.allCases.map { "step \($0.rawValue) \($0.isRequest)" }
  }

  private static var refusals: [String] {
    var all: [Refusal] = [
      .api("text"), .api("text", status: 400, code: "c", description: "d", requestID: "r", isRetryable: true),
      .authorization("e", nil), .authorization("e", "d"), .issuerMismatch(expected: "one", actual: "two"),
      .internalError("why"),
    ]
    let endpoints = ["introspection_endpoint", "revocation_endpoint", "userinfo_endpoint", "token_endpoint"]
    all += endpoints.map { Refusal.missing($0) }
    for reason in DrawFailure.Reason.allCases {
      for detail in [nil, "detail"] as [String?] {
        let failure = DrawFailure(reason, detail)
        all += [Refusal.storage(failure), Refusal.browser(failure)]
      }
    }
    return all.enumerated().map { "refusal \($0) \($1.code) \($1.details.text)" }
  }

  /// The changes that new tokens make to stored ones.
  private static var renewals: [String] {
    let times: [Int64] = [0, TrialWorld.now, Int64.max - 1_000_000, Int64.min]
    let ages: [Int?] = [nil, -1, 0, 1, 1 << 40, (1 << 40) + 1, Int.max]
    let whole: JSON = ["access_token": "a", "refresh_token": "r", "id_token": "i", "device_secret": "d"]
    var lines: [String] = []
    for (number, time) in times.enumerated() {
      for (place, age) in ages.enumerated() {
        for skew: Int64 in [0, -1, 5_000_000] {
          let issued = TokenIssued(
            tokenType: "Bearer", expiresIn: age, scope: place == 0 ? nil : "s", tokens: place == 1 ? [:] : whole)
          let changes = OIDCCore.renewed(issued, at: Timestamp(microseconds: time), skew: skew)
          lines.append("renewed \(number) \(place) \(skew) \(JSON.members(changes.map { ($0.0, $0.1) }).text)")
        }
      }
    }
    return lines
  }
}
