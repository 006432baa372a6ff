import Foundation
import IDX
import SimulatedOrg
import Testing

extension Bench {
  static let clientId = "0oa1sampleapp0000001"
  static let redirect = "com.example.app:/callback"

  var redirectUri: URL { URL(string: Bench.redirect) ?? url }

  func flow() -> InteractionCodeFlow {
    InteractionCodeFlow(
      issuer: issuer, clientId: Bench.clientId, scopes: "openid profile offline_access", redirectUri: redirectUri,
      environment: environment)
  }

  /// The page behind user name and password.
  func behindPassword(_ flow: InteractionCodeFlow) async throws -> Response {
    var response = try await flow.start()
    let identify = try #require(response.remediations[.identify])
    identify["identifier"]?.value = Bench.login
    identify["credentials.passcode"]?.value = Bench.password
    response = try await identify.proceed()
    if let challenge = response.remediations[.challengeAuthenticator],
      challenge.authenticators.contains(where: { $0.type == .password })
    {
      challenge["credentials.passcode"]?.value = Bench.password
      response = try await challenge.proceed()
    }
    return response
  }
}

/// Carries a program into a closure of its own.
struct Held<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
