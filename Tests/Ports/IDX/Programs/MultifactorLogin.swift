// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What Okta's sample `MultifactorLogin` does, in other words: signs in, registers and resets passwords, asking the
// application for what it cannot know.

import Foundation
import IDX

public class MultifactorLogin {
  var username: String?
  var password: String?
  var profile: [ProfileField: String]?
  let stepHandler: ((Step) -> Void)?
  let flow: InteractionCodeFlow
  var response: Response?
  var completion: ((Result<Token, LoginError>) -> Void)?

  public init(
    issuer: URL, clientId: String, scopes: String, redirectUri: URL, stepHandler: @escaping (Step) -> Void
  ) {
    flow = InteractionCodeFlow(issuer: issuer, clientId: clientId, scopes: scopes, redirectUri: redirectUri)
    self.stepHandler = stepHandler
    flow.add(delegate: self)
  }

  public func login(username: String, password: String, completion: @escaping (Result<Token, LoginError>) -> Void) {
    self.username = username
    self.password = password
    self.completion = completion
    flow.start(completion: nil)
  }

  public func register(
    username: String, password: String, profile: [ProfileField: String],
    completion: @escaping (Result<Token, LoginError>) -> Void
  ) {
    self.username = username
    self.password = password
    self.profile = profile
    self.completion = completion
    flow.start(completion: nil)
  }

  public func resetPassword(username: String, completion: @escaping (Result<Token, LoginError>) -> Void) {
    self.username = username
    self.completion = completion
    flow.start(completion: nil)
  }

  /// Chooses an authenticator; nil skips.
  public func select(factor: Authenticator.Kind?) {
    guard
      let remediation = response?.remediations[.selectAuthenticatorAuthenticate]
        ?? response?.remediations[.selectAuthenticatorEnroll],
      let authenticatorsField = remediation["authenticator"]
    else { return finish(with: .cannotProceed) }

    if let factor = factor {
      let factorField = authenticatorsField.options?.first(where: { field in
        field.authenticator?.type == factor
      })
      authenticatorsField.selectedOption = factorField
      remediation.proceed(completion: nil)
    } else if let skipRemediation = response?.remediations[.skip] {
      skipRemediation.proceed(completion: nil)
    } else {
      finish(with: .cannotProceed)
    }
  }

  /// Chooses how an authenticator is used.
  public func select(factor: Authenticator.Kind, method: Authenticator.Method, phoneNumber: String? = nil) {
    guard
      let remediation = response?.remediations[.selectAuthenticatorAuthenticate]
        ?? response?.remediations[.selectAuthenticatorEnroll],
      let authenticatorsField = remediation["authenticator"],
      let factorField = authenticatorsField.options?.first(where: { field in
        field.authenticator?.type == factor
      }),
      let methodOption = factorField["methodType"]?.options?.first(where: { field in
        field.value as? String == method.stringValue
      })
    else { return finish(with: .cannotProceed) }

    authenticatorsField.selectedOption = factorField
    factorField["methodType"]?.selectedOption = methodOption
    factorField["phoneNumber"]?.value = phoneNumber
    remediation.proceed(completion: nil)
  }

  public func verify(code: String) {
    guard
      let remediation = response?.remediations[.challengeAuthenticator] ?? response?.remediations[.enrollAuthenticator]
        ?? response?.remediations[.resetAuthenticator]
    else { return finish(with: .cannotProceed) }
    remediation.credentials?.passcode?.value = code
    remediation.proceed(completion: nil)
  }

  public enum Step {
    case chooseFactor(_ factors: [Authenticator.Kind])
    case chooseMethod(_ methods: [Authenticator.Method])
    case verifyCode(factor: Authenticator.Kind)
  }

  public enum ProfileField: String {
    case firstName, lastName
  }

  public enum LoginError: Error {
    case error(_ error: Error)
    case message(_ string: String)
    case cannotProceed
    case unexpectedAuthenticator
    case noStepHandler
    case unknown
  }
}

extension MultifactorLogin: InteractionCodeFlowDelegate {
  public func authentication<Flow: InteractionCodeFlow>(flow: Flow, received error: InteractionCodeFlowError) {
    finish(with: error)
  }

  public func authentication<Flow: InteractionCodeFlow>(flow: Flow, received token: Token) {
    finish(with: token)
  }

  public func authentication<Flow: InteractionCodeFlow>(flow: Flow, received response: Response) {
    self.response = response

    guard !response.isLoginSuccessful else {
      response.exchangeCode(completion: nil)
      return
    }
    if let remediation = response.remediations[.selectEnrollProfile], profile != nil {
      remediation.proceed(completion: nil)
      return
    }
    guard let remediation = response.remediations.first else { return finish(with: .cannotProceed) }
    if let message = response.messages.allMessages.first { return finish(with: .message(message.message)) }

    // Without a password, the account is to be recovered.
    if password == nil, remediation.type == .identify || remediation.type == .challengeAuthenticator,
      let recoverable = response.authenticators.current?.recoverable
    {
      recoverable.recover(completion: nil)
      return
    }

    switch remediation.type {
    case .identify: fallthrough
    case .identifyRecovery:
      remediation.identifier?.value = username
      remediation.credentials?.passcode?.value = password
      remediation.proceed(completion: nil)

    case .enrollAuthenticator: fallthrough
    case .challengeAuthenticator:
      guard let authenticator = remediation.authenticators.first else {
        return finish(with: .unexpectedAuthenticator)
      }
      switch authenticator.type {
      case .password:
        if let password = password {
          remediation.credentials?.passcode?.value = password
          remediation.proceed(completion: nil)
        } else {
          fallthrough
        }
      default:
        guard let stepHandler = stepHandler else { return finish(with: .noStepHandler) }
        stepHandler(.verifyCode(factor: authenticator.type))
      }

    case .resetAuthenticator:
      stepHandler?(.verifyCode(factor: .password))

    case .selectAuthenticatorEnroll: fallthrough
    case .selectAuthenticatorAuthenticate:
      let factors: [Authenticator.Kind]
      factors = remediation["authenticator"]?.options?.compactMap({ field in field.authenticator?.type }) ?? []
      if factors.contains(.password) && password != nil {
        select(factor: .password)
      } else {
        guard let stepHandler = stepHandler else { return finish(with: .noStepHandler) }
        stepHandler(.chooseFactor(factors))
      }

    case .authenticatorEnrollmentData: fallthrough
    case .authenticatorVerificationData:
      guard let stepHandler = stepHandler else { return finish(with: .noStepHandler) }
      let methods: [Authenticator.Method]
      methods = remediation.authenticators.flatMap({ authenticator in authenticator.methods ?? [] })
      stepHandler(.chooseMethod(methods))

    case .enrollProfile:
      remediation["userProfile.firstName"]?.value = profile?[.firstName]
      remediation["userProfile.lastName"]?.value = profile?[.lastName]
      remediation["userProfile.email"]?.value = username
      remediation.proceed(completion: nil)

    default:
      finish(with: .cannotProceed)
    }
  }
}

extension MultifactorLogin {
  func finish(with error: Error?) {
    if let error = error { finish(with: .error(error)) } else { finish(with: .unknown) }
  }

  func finish(with error: LoginError) {
    completion?(.failure(error))
    completion = nil
  }

  func finish(with token: Token) {
    completion?(.success(token))
    completion = nil
  }
}
