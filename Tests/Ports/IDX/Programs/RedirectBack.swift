// A redirect comes back to the application: what it means, and what to do then.

import Foundation
import IDX

@MainActor
final class RedirectBack {
  private let flow: InteractionCodeFlow
  private(set) var response: Response?

  init(flow: InteractionCodeFlow) { self.flow = flow }

  /// The addresses to show buttons for.
  func providers() async throws -> [String: URL] {
    let response = try await flow.start()
    let pairs = response.remediations.compactMap { remediation -> (String, URL)? in
      guard remediation.type == .redirectIdp, let idp = remediation.socialIdp else { return nil }
      return (idp.idpName, idp.redirectUrl)
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  /// As the application delegate is handed it.
  func open(_ url: URL) async throws -> String {
    let result: InteractionCodeFlow.RedirectResult = flow.redirectResult(for: url)
    switch result {
    case .authenticated:
      let token = try await flow.exchangeCode(redirect: url)
      return "signed in, \(token.tokenType)"
    case .remediationRequired:
      response = try await flow.resume()
      return response?.remediations.first?.name ?? "nothing"
    case .invalidRedirectUrl:
      return "not ours"
    case .invalidContext:
      return "of another sign-in"
    }
  }
}
