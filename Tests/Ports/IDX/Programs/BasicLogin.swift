// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What Okta's sample `BasicLogin` does, in other words: user name and password, on one page or two.

import Foundation
import IDX

public class BasicLogin {
  let flow: InteractionCodeFlow
  let username: String
  let password: String
  var completion: ((Result<Token, LoginError>) -> Void)?

  public init(issuer: URL, clientId: String, scopes: String, redirectUri: URL, username: String, password: String) {
    flow = InteractionCodeFlow(issuer: issuer, clientId: clientId, scopes: scopes, redirectUri: redirectUri)
    self.username = username
    self.password = password
  }

  public func login(completion: @escaping (Result<Token, LoginError>) -> Void) {
    self.completion = completion
    flow.add(delegate: self)
    flow.start { result in
      if case .failure(let error) = result { self.finish(with: .error(error)) }
    }
  }

  public enum LoginError: Error {
    case error(_ error: Error)
    case message(_ string: String)
    case cannotProceed
    case unexpectedAuthenticator
  }

  func finish(with error: LoginError) {
    completion?(.failure(error))
    completion = nil
  }
}

extension BasicLogin: InteractionCodeFlowDelegate {
  public func authenticationStarted<Flow>(flow: Flow) where Flow: InteractionCodeFlow {}
  public func authenticationFinished<Flow>(flow: Flow) where Flow: InteractionCodeFlow {}

  public func authentication<Flow>(
    flow: Flow, received error: InteractionCodeFlowError
  ) where Flow: InteractionCodeFlow {
    finish(with: .error(error))
  }

  public func authentication<Flow>(flow: Flow, received token: Token) where Flow: InteractionCodeFlow {
    completion?(.success(token))
    completion = nil
  }

  public func authentication<Flow>(flow: Flow, received response: Response) where Flow: InteractionCodeFlow {
    guard !response.isLoginSuccessful else {
      response.exchangeCode()
      return
    }
    guard let remediation = response.remediations.first else { return finish(with: .cannotProceed) }
    if let message = response.messages.allMessages.first { return finish(with: .message(message.message)) }

    switch remediation.type {
    case .identify:
      remediation["identifier"]?.value = username
      remediation["credentials.passcode"]?.value = password
      remediation.proceed()
    case .challengeAuthenticator:
      guard remediation.authenticators.first?.type == .password else {
        return finish(with: .unexpectedAuthenticator)
      }
      remediation["credentials.passcode"]?.value = password
      remediation.proceed()
    default:
      finish(with: .cannotProceed)
    }
  }
}
