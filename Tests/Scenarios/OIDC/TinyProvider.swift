// A provider of another make than Okta, in memory: for tests that change just one answer.

public import EventStore
public import FlowRecording
import Foundation

/// A provider of another make than Okta, without ID tokens: its answers are computed from the requests, and a test changes the
/// one that it is about.
public final class TinyProvider: Transport {
  /// Its issuer.
  public static let issuer = "https://id.example/tenant"
  /// Where its endpoints are: on another host.
  public static let home = "https://login.example/op"

  /// Changes an answer to a request.
  public typealias Change = @Sendable (HTTPRequest, inout HTTPResponse) -> Void
  private struct Contents {
    var requests: [HTTPRequest] = []
    var tokens = 0
  }
  private let contents = Locked(Contents())
  private let queue = DispatchQueue(label: "tiny-provider")
  private let metadata: JSON
  private let change: Change

  /// Makes a provider.
  ///
  /// - Parameters:
  ///   - extra: members of its metadata, in the place of the usual ones; nil leaves one out.
  ///   - change: changes its answers.
  public init(metadata extra: [(String, JSON?)] = [], change: @escaping Change = { _, _ in }) {
    var members: [(String, JSON?)] = [
      ("issuer", .string(Self.issuer)), ("authorization_endpoint", .string(Self.home + "/authorize?tenant=7")),
      ("token_endpoint", .string(Self.home + "/token")), ("jwks_uri", .string(Self.home + "/jwks")),
      ("introspection_endpoint", .string(Self.home + "/introspect")),
      ("revocation_endpoint", .string(Self.home + "/revoke")),
      ("userinfo_endpoint", .string(Self.home + "/userinfo")),
      ("end_session_endpoint", .string(Self.home + "/logout")),
      ("response_types_supported", ["code"]), ("subject_types_supported", ["public"]),
      ("id_token_signing_alg_values_supported", ["RS256"]), ("code_challenge_methods_supported", ["S256"]),
    ]
    members.removeAll { member in extra.contains { $0.0 == member.0 } }
    metadata = .members(members + extra)
    self.change = change
  }

  /// Every request so far.
  public var requests: [HTTPRequest] { contents.withLock { $0.requests } }
  /// The paths of the requests, behind the host.
  public var paths: [String] { requests.map { URLParts($0.url)?.path ?? "" } }

  /// Answers a request.
  public func send(
    _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
  ) -> any TransportTask {
    contents.withLock { $0.requests.append(request) }
    queue.async { [self] in
      var response = answer(request)
      change(request, &response)
      completion(.success(response))
    }
    return Task()
  }

  private struct Task: TransportTask { func cancel() {} }

  private func answer(_ request: HTTPRequest) -> HTTPResponse {
    let path = URLParts(request.url)?.path ?? ""
    if path.contains("/.well-known/") { return .json(metadata) }
    switch path.split(separator: "/").last {
    case "authorize":
      let query = Self.query(request.url)
      let back = query["redirect_uri"] ?? ""
      return HTTPResponse(
        status: 302, headers: [HTTPField("Location", "\(back)?code=code-of-the-test&state=\(query["state"] ?? "")")],
        body: [])
    case "token": return .json(tokens())
    case "par": return .json(["request_uri": "urn:par:1234567890", "expires_in": 60], status: 201)
    case "device":
      return .json([
        "device_code": "device-code-canary", "user_code": "WDJB-MJHT", "verification_uri": "https://id.example/go",
        "verification_uri_complete": "https://id.example/go?c=WDJB-MJHT", "expires_in": 600, "interval": 5,
      ])
    case "introspect": return .json(["active": true, "scope": "openid", "username": "ann@acme.example"])
    case "revoke": return HTTPResponse(status: 200, headers: [], body: [])
    case "userinfo": return .json(["sub": "subject-of-ann", "email": "ann@acme.example", "groups": ["staff"]])
    case "jwks": return .json(["keys": []])
    default: return HTTPResponse(status: 404, headers: [], body: [])
    }
  }

  /// Tokens that nothing else gave.
  private func tokens() -> JSON {
    let number = contents.withLock { contents in
      contents.tokens += 1
      return contents.tokens
    }
    return [
      "token_type": "Bearer", "expires_in": 3600, "access_token": .string("access-canary-\(number)"),
      "refresh_token": .string("refresh-canary-\(number)"), "scope": "openid offline_access",
    ]
  }

  /// The parameters of a URL, decoded.
  public static func query(_ url: String) -> [String: String] {
    let items = URLComponents(string: url)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
  }

  /// The members of a form, decoded.
  public static func form(_ request: HTTPRequest) -> [String: String] {
    query("x:?" + String(decoding: request.body ?? [], as: UTF8.self))
  }
}

extension HTTPResponse {
  /// An answer with a JSON body.
  public static func json(_ json: JSON, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, headers: [HTTPField("Content-Type", "application/json")], body: json.bytes)
  }
}
