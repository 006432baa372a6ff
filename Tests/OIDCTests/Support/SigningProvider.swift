import EventStore
import FlowRecording
import Foundation
import Scenarios

/// A provider whose answers carry an ID token, signed by the RSA key of the tests; the next answers can be wrong.
final class SigningProvider: Sendable {
  /// What can be wrong with an answer of the token endpoint.
  enum Fault: CaseIterable, Sendable {
    case forged, foreign, unsigned, withoutKey, serverError, refusal
  }

  private struct State {
    var nonce: String?
    /// The nonce of refreshed tokens.
    var refreshed: String?
    var faults: [Fault] = []
    /// The access tokens of answers that were right.
    var good: Set<String> = []
  }
  private let state = Locked(State())
  private let now: @Sendable () -> Int

  /// Makes a provider.
  ///
  /// - Parameter now: its clock, in seconds since 1970.
  init(now: @escaping @Sendable () -> Int) { self.now = now }

  /// The access tokens that came with a right ID token so far.
  var good: Set<String> { state.withLock { $0.good } }

  /// The nonce of the latest authorization.
  var nonce: String? { state.withLock { $0.nonce } }

  /// Gives refreshed tokens a nonce from now on; none if it is nil.
  func refresh(withNonce nonce: String?) { state.withLock { $0.refreshed = nonce } }

  /// Makes the next answer of the token endpoint wrong.
  func spoil(_ fault: Fault) { state.withLock { $0.faults.append(fault) } }

  /// The provider as a transport.
  ///
  /// - Parameters:
  ///   - metadata: members of its metadata, in the place of the usual ones.
  ///   - change: changes its answers once they are made.
  func transport(
    metadata: [(String, JSON?)] = [], _ change: @escaping TinyProvider.Change = { _, _ in }
  ) -> TinyProvider {
    TinyProvider(metadata: metadata) { [self] request, response in
      switch URLParts(request.url)?.path.split(separator: "/").last {
      case "authorize": state.withLock { $0.nonce = TinyProvider.query(request.url)["nonce"] }
      case "jwks": response = .json(["keys": [TestKey.rsa.jwk()]])
      case "token": answer(request, &response)
      case .some, nil: break
      }
      change(request, &response)
    }
  }

  private func answer(_ request: HTTPRequest, _ response: inout HTTPResponse) {
    let isCode = TinyProvider.form(request)["grant_type"] == "authorization_code"
    let (fault, nonce) = state.withLock {
      ($0.faults.isEmpty ? nil : $0.faults.removeFirst(), isCode ? $0.nonce : $0.refreshed)
    }
    guard case .object(var object)? = try? JSON(parsing: response.body) else { return }
    var token = TokenMaker().with("iss", .string(TinyProvider.issuer)).with("aud", "client-7").with("at_hash", nil)
      .with("iat", .int(now())).with("exp", .int(now() + 3_600)).with("nonce", nonce.map(JSON.string))
    switch fault {
    case .serverError: return response = .json(["errorCode": "E0000009"], status: 500)
    case .refusal: return response = .json(["error": "invalid_grant"], status: 400)
    case .foreign: token = token.with("aud", "another")
    case .unsigned: token = token.header("alg", "none")
    case .withoutKey: token = token.header("kid", "key-2")
    case .forged, nil: break
    }
    let signature: [UInt8]? = fault == .forged ? Array(repeating: 1, count: 256) : nil
    object["id_token"] = .string(token.token(signature: signature))
    response = .json(.object(object))
    guard fault == nil, let access = object["access_token"]?.string else { return }
    state.withLock { _ = $0.good.insert(access) }
  }
}
