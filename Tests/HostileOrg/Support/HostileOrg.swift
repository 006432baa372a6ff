// An org that plays a sign-in by either API as an honest one would, but for the steps that an attack takes over. Written
// from the wire specifications, apart from the simulated org.
import Foundation

/// The API that is attacked.
enum API: String, CaseIterable, Sendable {
  case authn, idx

  /// The steps of a sign-in, in the order of their requests.
  var steps: [Step] {
    switch self {
    case .authn: [.authenticate, .select, .poll]
    case .idx: [.interact, .introspect, .identify, .answer, .token, .metadata, .keys]
    }
  }
}

/// A request of a sign-in.
enum Step: String, Sendable {
  case authenticate, select, poll, interact, introspect, identify, answer, token, metadata, keys

  /// The step that a path belongs to.
  init?(path: String) {
    let path = path.prefix { $0 != "?" }
    switch path {
    case "/api/v1/authn": self = .authenticate
    case "/api/v1/authn/factors/f1/verify": self = .select
    case "/api/v1/authn/factors/f1/verify/poll": self = .poll
    case "/oauth2/default/v1/interact": self = .interact
    case "/idp/idx/introspect": self = .introspect
    case "/idp/idx/identify": self = .identify
    case "/idp/idx/challenge/answer": self = .answer
    case "/oauth2/default/v1/token": self = .token
    case "/oauth2/default/.well-known/openid-configuration": self = .metadata
    case "/oauth2/default/v1/keys": self = .keys
    default: return nil
    }
  }
}

/// What the org gives out in confidence, and what the user types. None of it may be found anywhere afterwards.
enum Canary {
  static let password = "Canary-pässword+/=7f"
  static let stateToken = "canary-state-token-4b1d"
  static let sessionToken = "canary-session-token-9c2e"
  static let cookie = "canary-cookie-value-77aa"
  static let handle = "canary-interaction-handle-51"
  static let stateHandle = "02.canary-state-handle-63"
  static let code = "canary-interaction-code-85"
  static let accessToken = "canary-access-token-c7"
  /// Its signature is made up: the sign-in ends with its refusal.
  static let idToken =
    "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsxIn0.eyJzdWIiOiJjYW5hcnktc3ViamVjdCJ9."
    + String(repeating: "A", count: 86)
  static let all = [
    password, password + "-new", password + "-client", stateToken, sessionToken, cookie, handle, stateHandle, code,
    accessToken, idToken,
  ]
}

/// What an org does with a request.
enum Act: Sendable {
  /// The honest answer.
  case honest
  /// These bytes, and the connection goes on.
  case bytes([UInt8])
  /// Whatever the closure does, and the connection ends.
  case deed(@Sendable (Line) -> Void)

  /// An answer of HTTP/1.1 with a length.
  static func answer(
    _ body: String, status: String = "200 OK", headers: [String] = [], type: String = "application/json"
  ) -> Act {
    .bytes(Array(HostileOrg.answer(body, status: status, headers: headers, type: type).utf8))
  }
}

/// A request, as an attack sees it.
struct Moment: Sendable {
  var step: Step
  /// How many requests of this step came before.
  var count: Int
  /// The org's address.
  var url: String
  /// What an honest org would answer.
  var honest: String
  var request: HostileRequest
}

/// The org.
final class HostileOrg: Sendable {
  let server: HostileServer

  /// Begins.
  ///
  /// - Parameter attack: what it does with a request.
  init(_ attack: @escaping @Sendable (Moment) -> Act) throws {
    let counts = Locked<[Step: Int]>([:])
    let address = Locked("")
    server = try HostileServer { line in
      while let request = line.request() {
        guard let step = Step(path: request.path) else {
          line.write(Self.answer("{}", status: "404 Not Found"))
          continue
        }
        let url = address.withLock { $0 }
        let count = counts.withLock { counts in
          defer { counts[step, default: 0] += 1 }
          return counts[step] ?? 0
        }
        let honest = Self.body(of: step, url)
        let moment = Moment(step: step, count: count, url: url, honest: honest, request: request)
        switch attack(moment) {
        case .honest:
          line.write(Self.answer(honest, headers: ["Set-Cookie: JSESSIONID=\(Canary.cookie); Path=/; Secure"]))
        case .bytes(let bytes): line.write(bytes)
        case .deed(let deed): return deed(line)
        }
      }
    }
    address.withLock { [server] in $0 = server.url }
  }

  static func answer(
    _ body: String, status: String = "200 OK", headers: [String] = [], type: String = "application/json"
  ) -> String {
    (["HTTP/1.1 \(status)", "Content-Type: \(type)", "Content-Length: \(body.utf8.count)"] + headers).joined(
      separator: "\r\n") + "\r\n\r\n" + body
  }

  /// The answer of an honest org: a push that is approved at once; user name, password, tokens.
  static func body(of step: Step, _ url: String) -> String {
    switch step {
    case .authenticate: required(url)
    case .select: waiting(url)
    case .poll: #"{"status":"SUCCESS","sessionToken":"\#(Canary.sessionToken)"}"#
    case .interact: #"{"interaction_handle":"\#(Canary.handle)"}"#
    case .introspect:
      page(url, "identify", "identify", #"{"name":"identifier","label":"Username","required":true}"#)
    case .identify:
      page(
        url, "challenge-authenticator", "challenge/answer",
        #"{"name":"credentials","type":"object","required":true,"form":{"value":[{"name":"passcode","label":"Password","secret":true,"required":true}]}}"#,
        more:
          #","currentAuthenticator":{"type":"object","value":{"type":"password","key":"okta_password","id":"aut1","displayName":"Password","methods":[{"type":"password"}]}}"#
      )
    case .answer: success(url)
    case .token:
      #"{"token_type":"Bearer","expires_in":3600,"access_token":"\#(Canary.accessToken)","scope":"openid","id_token":"\#(Canary.idToken)"}"#
    case .metadata:
      #"{"issuer":"\#(url)/oauth2/default","token_endpoint":"\#(url)/oauth2/default/v1/token","jwks_uri":"\#(url)/oauth2/default/v1/keys","id_token_signing_alg_values_supported":["ES256"]}"#
    case .keys:
      #"{"keys":[{"kty":"EC","crv":"P-256","kid":"k1","use":"sig","x":"ACuW8TeM6O1UZ8sarjpJKCSjAq4aRLQl3sxtmusrORo","y":"qrQfy5UgghGq3o9Yb74PeMS88nZ7JoeT_2zwi3iVjas"}]}"#
    }
  }

  static func link(_ href: String) -> String { #"{"href":"\#(href)","hints":{"allow":["POST"]}}"# }

  static func required(_ url: String) -> String {
    #"{"stateToken":"\#(Canary.stateToken)","expiresAt":"2099-01-01T00:00:00.000Z","status":"MFA_REQUIRED","_embedded":{"user":{"id":"u1","profile":{"login":"ann@hostile.example"}},"factors":[{"id":"f1","factorType":"push","provider":"OKTA","profile":{"name":"Phone"},"_links":{"verify":\#(link(url + "/api/v1/authn/factors/f1/verify"))}}]},"_links":{"cancel":\#(link(url + "/api/v1/authn/cancel"))}}"#
  }

  static func waiting(_ url: String, factor: String = "push") -> String {
    #"{"stateToken":"\#(Canary.stateToken)","expiresAt":"2099-01-01T00:00:00.000Z","status":"MFA_CHALLENGE","factorResult":"WAITING","_embedded":{"factor":{"id":"f1","factorType":"\#(factor)","provider":"OKTA","profile":{"name":"Phone"}}},"_links":{"next":\#(link(url + "/api/v1/authn/factors/f1/verify/poll")),"cancel":\#(link(url + "/api/v1/authn/cancel"))}}"#
  }

  /// A page of the Identity Engine with one form.
  static func page(
    _ url: String, _ name: String, _ path: String, _ field: String, more: String = "", href: String? = nil,
    form: String = ""
  ) -> String {
    #"{"version":"1.0.0","stateHandle":"\#(Canary.stateHandle)","expiresAt":"2099-01-01T00:00:00.000Z","intent":"LOGIN","remediation":{"type":"array","value":[{"rel":["create-form"],"name":"\#(name)","href":"\#(href ?? url + "/idp/idx/" + path)","method":"POST","accepts":"application/json; okta-version=1.0.0","value":[\#(field),{"name":"stateHandle","required":true,"value":"\#(Canary.stateHandle)","visible":false,"mutable":false}]\#(form)}]}\#(more)}"#
  }

  static func success(_ url: String, at token: String? = nil) -> String {
    #"{"version":"1.0.0","stateHandle":"\#(Canary.stateHandle)","expiresAt":"2099-01-01T00:00:00.000Z","intent":"LOGIN","successWithInteractionCode":{"rel":["create-form"],"name":"issue","href":"\#(token ?? url + "/oauth2/default/v1/token")","method":"POST","accepts":"application/x-www-form-urlencoded","value":[{"name":"grant_type","required":true,"value":"interaction_code"},{"name":"interaction_code","required":true,"value":"\#(Canary.code)"},{"name":"client_id","required":true,"value":"0oa1hostile"},{"name":"code_verifier","required":true}]}}"#
  }
}

/// A value behind a lock, to be captured.
final class Locked<Value: Sendable>: @unchecked Sendable {  // guarded by `lock`
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
