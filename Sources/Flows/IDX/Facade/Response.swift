// A response from the org (idx §9.6).

import EventStore
import FlowRecording
public import Foundation
public import OIDC

/// The current state of a sign-in: the next steps, the authenticators, and the messages.
public final class Response: Sendable, CustomStringConvertible {
  /// When the current step expires; `nil` if the org does not report it.
  public let expiresAt: Date?
  /// The purpose of the sign-in.
  public let intent: Intent
  /// The next steps, in the org's order of preference.
  public let remediations: Remediation.Collection
  /// The authenticators in the response.
  public let authenticators: Authenticator.Collection
  /// The messages for the whole step. Its `allMessages` includes those of fields.
  public let messages: Message.Collection
  /// The application that the user signs in to.
  public let app: Application?
  /// The user who signs in, once known.
  public let user: User?
  /// The CAPTCHA that must be solved; `nil` if the org does not require one.
  ///
  /// Put the result into the field `captchaVerify.captchaToken` of the remediation that has it.
  public let captcha: Captcha?
  /// Whether the sign-in has succeeded, so that `exchangeCode` returns tokens.
  public let isLoginSuccessful: Bool
  /// Whether `cancel` is offered.
  public let canCancel: Bool
  /// Whether the sign-in ended here without success. Start again, or continue elsewhere, as the messages say.
  public let isTerminal: Bool
  let origin: ResponseOrigin
  private let cancelForm: Remediation?

  init(_ state: IDXCore, _ session: IDXSession) {
    let origin = ResponseOrigin(state, session)
    let reading = ResponseReading(session.flow.vault.reveal(state.current?.body ?? [:]))
    let found = reading.authenticators.enumerated().map { Authenticator($0.element, index: $0.offset, origin) }
    let table = AuthenticatorTable(found)
    var remediations = reading.remediations.enumerated().map { index, form in
      Remediation(form, .remediation(index), table, reading, origin)
    }
    for (form, reference) in [(reading.cancel, FormReference.cancel), (reading.success, .success)] {
      if let form { remediations.append(Remediation(form, reference, table, reading, origin)) }
    }
    self.origin = origin
    self.remediations = Remediation.Collection(remediations)
    authenticators = Authenticator.Collection(found)
    messages = Message.Collection(
      reading.messages.map { Message($0, field: nil, origin) }, nested: remediations.flatMap(\.form.allMessages))
    expiresAt = reading.expiresAt.flatMap { Timestamp($0) }.map {
      Date(timeIntervalSince1970: Double($0.microseconds) / 1_000_000)
    }
    intent = Intent(wire: reading.intent ?? "")
    app = Application(reading.json["app"]?["value"])
    user = User(reading.json["user"]?["value"])
    captcha = Captcha(reading.json["captcha"]?["value"])
    isLoginSuccessful = reading.success != nil
    canCancel = reading.canCancel
    isTerminal = reading.isTerminal
    cancelForm = remediations.last { $0.type == .cancel }
  }

  /// Cancels the transaction and starts a new one.
  ///
  /// - Parameter isolation: the actor on which the call waits and continues; by default the caller's.
  /// - Throws: `InteractionCodeFlowError`; `unknownRemediationOption` if the org does not offer it.
  public func cancel(isolation: isolated (any Actor)? = #isolation) async throws -> Response {
    try await IDXSession.response(of: cancellation(), isolation: isolation)
  }

  /// Cancels the transaction and starts a new one. Delegates receive the outcome.
  ///
  /// In top-level code the compiler picks this overload even after `await`; annotate the result type to get the async
  /// one.
  ///
  /// - Parameter isolation: the actor on which to call delegates; by default the caller's.
  @available(
    *, noasync, message: "in top-level code write the type: let response: Response = try await response.cancel()"
  )
  public func cancel(isolation: isolated (any Actor)? = #isolation) {
    IDXSession.perform(cancellation(), isolation)
  }

  /// Cancels the transaction and starts a new one.
  ///
  /// - Parameters:
  ///   - completion: receives the first response of the new transaction, or an error.
  ///   - isolation: the actor on which to call back; by default the caller's.
  public func cancel(
    completion: InteractionCodeFlow.ResponseResult?, isolation: isolated (any Actor)? = #isolation
  ) {
    IDXSession.perform(cancellation(), isolation, completion)
  }

  /// Cancels the transaction and starts a new one.
  ///
  /// - Parameters:
  ///   - completion: receives the first response of the new transaction, or an error.
  ///   - isolation: the actor on which to call back; by default the caller's.
  public func cancel(
    completion: @escaping (_ response: Response?, _ error: (any Error)?) -> Void,
    isolation: isolated (any Actor)? = #isolation
  ) {
    IDXSession.perform(cancellation(), isolation) { $0.split(completion) }
  }

  private func cancellation() -> IDXIntent {
    guard let cancelForm else {
      var intent = IDXIntent(.proceed, on: origin)
      intent.arguments = .failure(.unknownRemediationOption(name: IDXVocabulary.cancel))
      return intent
    }
    return IDXIntent(proceed: cancelForm.reading, cancelForm.reference, cancelForm.form, origin)
  }

  /// Exchanges the interaction code for tokens, which ends the sign-in. The ID token is checked first (oidc §8). The
  /// server's keys are fetched by recorded requests, unless they are cached.
  ///
  /// - Parameter isolation: the actor on which the call waits and continues; by default the caller's.
  /// - Throws: `InteractionCodeFlowError`; `successResponseMissing` if there is no code yet, `idTokenRefused` if the ID
  ///   token is not valid. If the check cannot be performed, for example because the keys cannot be fetched, call this
  ///   again: the tokens are kept until then.
  public func exchangeCode(isolation: isolated (any Actor)? = #isolation) async throws -> Token {
    try await IDXSession.token(of: IDXIntent(.exchangeCode, on: origin), isolation: isolation)
  }

  /// Exchanges the interaction code for tokens, which ends the sign-in. Delegates receive the outcome.
  ///
  /// In top-level code the compiler picks this overload even after `await`; annotate the result type to get the async
  /// one.
  ///
  /// - Parameter isolation: the actor on which to call delegates; by default the caller's.
  @available(
    *, noasync, message: "in top-level code write the type: let token: Token = try await response.exchangeCode()"
  )
  public func exchangeCode(isolation: isolated (any Actor)? = #isolation) {
    IDXSession.perform(IDXIntent(.exchangeCode, on: origin), isolation)
  }

  /// Exchanges the interaction code for tokens, which ends the sign-in.
  ///
  /// - Parameters:
  ///   - completion: receives the tokens or an error.
  ///   - isolation: the actor on which to call back; by default the caller's.
  public func exchangeCode(
    completion: InteractionCodeFlow.TokenResult?, isolation: isolated (any Actor)? = #isolation
  ) {
    IDXSession.perform(IDXIntent(.exchangeCode, on: origin), isolation, completion)
  }

  /// Exchanges the interaction code for tokens, which ends the sign-in.
  ///
  /// - Parameters:
  ///   - completion: receives the tokens or an error.
  ///   - isolation: the actor on which to call back; by default the caller's.
  public func exchangeCode(
    completion: @escaping (_ token: Token?, _ error: (any Error)?) -> Void,
    isolation: isolated (any Actor)? = #isolation
  ) {
    IDXSession.perform(IDXIntent(.exchangeCode, on: origin), isolation) { $0.split(completion) }
  }

  /// The names of its remediations.
  public var description: String {
    "Response(\(remediations.map(\.printedName).joined(separator: ", ")))"
  }
}

extension Response: Hashable {
  /// Returns whether both are the same object, because a response holds the user's input.
  public static func == (left: Response, right: Response) -> Bool { left === right }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
