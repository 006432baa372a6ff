// The exchange of a session token as people would write it: URLSession, JSONDecoder and jwt-kit, nothing recorded.

import Crypto
import Foundation
import FoundationNetworking
import JWTKit
import SimulatedOrg

/// A client whose metadata and keys were fetched once.
final class URLSessionExchange {
  private struct Metadata: Decodable {
    var authorization_endpoint: URL
    var token_endpoint: URL
    var jwks_uri: URL
    var issuer: String
  }

  private struct Tokens: Decodable {
    var access_token: String
    var id_token: String
    var expires_in: Int
  }

  private struct Claims: JWTPayload {
    var iss: IssuerClaim
    var aud: AudienceClaim
    var exp: ExpirationClaim
    var iat: IssuedAtClaim
    var sub: SubjectClaim
    var nonce: String
    var at_hash: String?

    func verify(using _: some JWTAlgorithm) async throws {
      try exp.verifyNotExpired()
      try aud.verifyIntendedAudience(includes: OrgClient.sample.id)
    }
  }

  private let session: URLSession
  private let redirects: Redirects
  private let metadata: Metadata
  private let keys: JWTKeyCollection

  init(issuer: URL) async throws {
    redirects = Redirects()
    session = URLSession(configuration: .ephemeral, delegate: redirects, delegateQueue: nil)
    let document = issuer.appendingPathComponent(".well-known/openid-configuration")
    metadata = try JSONDecoder().decode(
      Metadata.self, from: try await redirects.load(URLRequest(url: document), session).data)
    let set = try await redirects.load(URLRequest(url: metadata.jwks_uri), session).data
    keys = try await JWTKeyCollection().add(jwksJSON: String(decoding: set, as: UTF8.self))
  }

  /// Exchanges a session token.
  func run(sessionToken: String) async throws {
    let (state, nonce, verifier) = (Self.random(), Self.random(), Self.random())
    let redirectURI = OrgClient.sample.redirectURIs[0]
    var page = URLComponents(url: metadata.authorization_endpoint, resolvingAgainstBaseURL: false)
    page?.queryItems = [
      "response_type": "code", "client_id": OrgClient.sample.id, "redirect_uri": redirectURI, "scope": "openid profile",
      "state": state, "nonce": nonce, "code_challenge_method": "S256", "sessionToken": sessionToken,
      "code_challenge": Self.encoded(Data(SHA256.hash(data: Data(verifier.utf8)))),
    ].map { URLQueryItem(name: $0, value: $1) }
    guard let url = page?.url else { throw SignIn.Unexpected() }
    let back = try await redirects.load(URLRequest(url: url), session).response.value(forHTTPHeaderField: "Location")
    let items = back.flatMap { URLComponents(string: $0)?.queryItems } ?? []
    guard items.first(where: { $0.name == "state" })?.value == state,
      let code = items.first(where: { $0.name == "code" })?.value
    else { throw SignIn.Unexpected() }
    var form = URLComponents()
    form.queryItems = [
      "grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI, "code_verifier": verifier,
      "client_id": OrgClient.sample.id,
    ].map { URLQueryItem(name: $0, value: $1) }
    var request = URLRequest(url: metadata.token_endpoint)
    request.httpMethod = "POST"
    request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    request.httpBody = form.percentEncodedQuery.map { Data($0.utf8) }
    let tokens = try JSONDecoder().decode(Tokens.self, from: try await redirects.load(request, session).data)
    let claims = try await keys.verify(tokens.id_token, as: Claims.self)
    let half = Data(SHA256.hash(data: Data(tokens.access_token.utf8)).prefix(16))
    guard claims.nonce == nonce, claims.iss.value == metadata.issuer, claims.at_hash ?? "" == Self.encoded(half) else {
      throw SignIn.Unexpected()
    }
  }

  private static func random() -> String { encoded(Data((0..<32).map { _ in UInt8.random(in: 0...255) })) }

  private static func encoded(_ data: Data) -> String {
    data.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }
}

/// Loads requests one after another, and follows no redirect.
private final class Redirects: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let lock = NSLock()
  private var data = Data()
  private var waiting: CheckedContinuation<(data: Data, response: HTTPURLResponse), any Error>?

  func load(_ request: URLRequest, _ session: URLSession) async throws -> (data: Data, response: HTTPURLResponse) {
    try await withCheckedThrowingContinuation { continuation in
      lock.withLock {
        data = Data()
        waiting = continuation
      }
      session.dataTask(with: request).resume()
    }
  }

  func urlSession(_: URLSession, dataTask _: URLSessionDataTask, didReceive part: Data) {
    lock.withLock { data.append(part) }
  }

  func urlSession(
    _: URLSession, task _: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse, newRequest _: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    lock.lock()
    let (data, waiting) = (self.data, self.waiting)
    self.waiting = nil
    lock.unlock()
    if let error {
      waiting?.resume(throwing: error)
    } else if let response = task.response as? HTTPURLResponse {
      waiting?.resume(returning: (data, response))
    } else {
      waiting?.resume(throwing: SignIn.Unexpected())
    }
  }
}
