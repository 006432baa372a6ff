// A sign-in that goes on in another process: its context is written down, and the flow resumed.

import Foundation
import IDX

struct KeptContext {
  let issuer: URL
  let clientId: String
  let redirectUri: URL

  private func flow() -> InteractionCodeFlow {
    InteractionCodeFlow(issuer: issuer, clientId: clientId, scopes: "openid profile", redirectUri: redirectUri)
  }

  func begin(username: String) async throws -> (data: Data, page: String) {
    let flow = flow()
    var response = try await flow.start()
    response.remediations[.identify]?.identifier?.value = username
    if let remediation = response.remediations[.identify] { response = try await remediation.proceed() }
    guard let context = flow.context else { throw InteractionCodeFlowError.invalidContext }
    return (try JSONEncoder().encode(context), response.remediations.first?.name ?? "none")
  }

  func goOn(_ data: Data, password: String) async throws -> Token {
    let flow = flow()
    flow.context = try JSONDecoder().decode(InteractionCodeFlow.Context.self, from: data)
    var response = try await flow.resume()
    response.remediations[.challengeAuthenticator]?["credentials.passcode"]?.value = password
    if let remediation = response.remediations[.challengeAuthenticator] { response = try await remediation.proceed() }
    return try await response.exchangeCode()
  }

  /// What binds the redirect and the code to the sign-in.
  static func describe(_ context: InteractionCodeFlow.Context) -> String {
    let hasVerifier = !context.pkce.codeVerifier.isEmpty && context.pkce.codeChallenge != context.pkce.codeVerifier
    return "\(context.state), \(context.interactionHandle.isEmpty ? "no handle" : "a handle"), \(hasVerifier)"
  }
}
