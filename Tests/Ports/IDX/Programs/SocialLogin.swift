// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What Okta's sample `SocialLogin` does, in other words: a browser leads to the provider and back.

import Foundation
import IDX

/// As much of a browser session as the program needs: it opens an address, and returns where it ended.
final class WebAuthenticationSession {
  private let url: URL
  private let completion: (URL?, Error?) -> Void
  private let browser: (URL) -> URL?

  init(
    url: URL, callbackURLScheme: String?, browser: @escaping (URL) -> URL?, completion: @escaping (URL?, Error?) -> Void
  ) {
    self.url = url
    self.browser = browser
    self.completion = completion
  }

  func start() { completion(browser(url), nil) }
}

public class SocialLogin {
  private let flow: InteractionCodeFlow
  private let browser: (URL) -> URL?
  private var webAuthSession: WebAuthenticationSession?
  private var completion: ((Result<Token, LoginError>) -> Void)?

  init(flow: InteractionCodeFlow, browser: @escaping (URL) -> URL?) {
    self.flow = flow
    self.browser = browser
  }

  func login(
    service: Capability.SocialIDP.Service, completion: @escaping (Result<Token, LoginError>) -> Void
  ) {
    self.completion = completion
    flow.start { result in
      switch result {
      case .failure(let error):
        self.finish(with: .error(error))
      case .success(let response):
        guard
          let remediation = response.remediations.first(where: { remediation in
            remediation.socialIdp?.service == service
          }),
          let capability = remediation.socialIdp
        else { return self.finish(with: .cannotProceed) }
        self.login(with: capability)
      }
    }
  }

  private func login(with socialIdp: Capability.SocialIDP) {
    let session = WebAuthenticationSession(
      url: socialIdp.redirectUrl, callbackURLScheme: flow.redirectUri.scheme, browser: browser
    ) { [weak self] (callbackURL, error) in
      guard error == nil, let callbackURL = callbackURL, let flow = self?.flow else {
        self?.finish(with: .cannotProceed)
        return
      }
      switch flow.redirectResult(for: callbackURL) {
      case .authenticated:
        flow.exchangeCode(redirect: callbackURL) { result in
          switch result {
          case .success(let token): self?.finish(with: token)
          case .failure(let error): self?.finish(with: .error(error))
          }
        }
      case .remediationRequired: self?.finish(with: .message("more is needed"))
      case .invalidContext, .invalidRedirectUrl: self?.finish(with: .cannotProceed)
      }
    }
    session.start()
    webAuthSession = session
  }

  public enum LoginError: Error {
    case error(_ error: Error)
    case message(_ string: String)
    case cannotProceed
  }

  private func finish(with error: LoginError) {
    completion?(.failure(error))
    completion = nil
  }

  private func finish(with token: Token) {
    completion?(.success(token))
    completion = nil
  }
}
