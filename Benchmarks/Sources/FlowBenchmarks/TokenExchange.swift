// What a session token costs until it is tokens: two requests and the check of an ID token, recorded, beside the same by hand.

import EventStore
import FlowRecording
import Foundation
import OIDC
import SimulatedOrg

/// The exchange of session tokens that were made before anything is measured.
enum TokenExchange {
  static let login = "bob@acme.example"
  static let issuerPath = "oauth2/default"

  static func rows(_ org: OrgProcess, _ folder: String) async throws {
    let recorder = LogRecorder(directory: folder + "/tokens")
    let recorded = try client(org, FlowEnvironment(recorder: recorder))
    let unrecorded = try client(org, FlowEnvironment())
    let byHand = try await URLSessionExchange(issuer: org.url.appendingPathComponent(issuerPath))
    var (with, without, peer): ([Double], [Double], [Double]) = ([], [], [])
    // The first round warms up, and fetches metadata and keys.
    for _ in 0..<8 {
      without.append(try await each(org) { _ = try await unrecorded.authenticate(withSessionToken: $0) })
      with.append(try await each(org) { _ = try await recorded.authenticate(withSessionToken: $0) })
      peer.append(try await each(org) { try await byHand.run(sessionToken: $0) })
    }
    try recorder.close()
    (with, without, peer) = (Array(with.dropFirst()), Array(without.dropFirst()), Array(peer.dropFirst()))
    row("session token to tokens, not recorded", Spread(without), "ms CPU")
    row("session token to tokens, recorded", Spread(with), "ms CPU")
    row("URLSession, JSONDecoder, jwt-kit, by hand", Spread(peer), "ms CPU")
    row("  recorded exchange beside it, pair by pair", Spread(zip(with, peer).map(/)), "x (to aim at: 1)")
  }

  private static func client(_ org: OrgProcess, _ environment: FlowEnvironment) throws -> OktaAppAuth {
    let configuration = try OktaAuthConfig(with: [
      "issuer": org.url.absoluteString + "/" + issuerPath, "clientId": OrgClient.sample.id,
      "redirectUri": OrgClient.sample.redirectURIs[0], "scopes": "openid profile",
    ])
    return try OktaAppAuth(configuration: configuration, environment: environment)
  }

  /// The CPU time of one of 50 exchanges, in milliseconds.
  private static func each(_ org: OrgProcess, _ exchange: (String) async throws -> Void) async throws -> Double {
    var tokens: [String] = []
    for _ in 0..<50 { tokens.append(try await sessionToken(org)) }
    let start = Measure.cpu()
    for token in tokens { try await exchange(token) }
    return (Measure.cpu() - start) / Double(tokens.count) * 1_000
  }

  /// A session token of a person who has no factor.
  private static func sessionToken(_ org: OrgProcess) async throws -> String {
    let body: JSON = ["username": .string(login), "password": .string(SignIn.password)]
    let request = HTTPRequest(
      method: "POST", url: org.url.absoluteString + "/api/v1/authn",
      headers: [HTTPField("Content-Type", "application/json"), HTTPField("Accept", "application/json")],
      body: body.bytes)
    let response = try await withCheckedThrowingContinuation { continuation in
      _ = CurlTransport.standard.send(request) { continuation.resume(with: $0) }
    }
    guard let token = try JSON(parsing: response.body)["sessionToken"]?.string else { throw SignIn.Unexpected() }
    return token
  }
}
