// The application of a flow of the Identity Engine in a replay: it holds responses, fills in their forms, and sends them as
// recorded.

import EventStore
package import FlowRecording
import Foundation
import OIDC

extension IDXKind: PlayableKind {
  package typealias Application = IDXApplication
}

/// Plays an application of the seed's API.
package final class IDXApplication: PlayedApplication {
  private let interaction: InteractionCodeFlow
  private let recorder: ObservedRecorder?
  /// The only delegate, which flows hold weakly.
  private let hearing = IDXHearing()
  /// The calls that were made by their public forms, by revision.
  private let calls = Locked<[Int: IDXCall]>([:])
  /// What was wrong when a call was made, by revision.
  private let wrongs = Locked<[Int: String]>([:])
  private let responses = Locked<[Int: Response]>([:])
  private let got = PlayedResults<Got>()

  /// What a call brought.
  private enum Got: Sendable {
    case response(Response)
    case token(Token)
    case error(InteractionCodeFlowError)
  }

  package init?(_ start: FlowStarted, _ environment: FlowEnvironment) {
    let settings = start.settings
    guard start.resumes == nil, settings["deviceToken"] == nil, settings["source"] == nil,
      let issuer = settings.url("issuer"), let redirect = settings.url("redirectUri"),
      let client = settings["clientId"]?.string, let scope = settings["scope"]?.string
    else { return nil }
    var environment = environment
    recorder = environment.recorder.map(ObservedRecorder.init)
    if let recorder { environment.recorder = recorder }
    let parameters = settings["parameters"]?.object?.members.map { ($0.key, $0.value.string ?? "") }
    interaction = InteractionCodeFlow(
      issuer: issuer, clientId: client, scopes: scope, redirectUri: redirect,
      additionalParameters: parameters.map { Dictionary($0) { first, _ in first } },
      clientSecret: settings["clientSecret"]?.string,
      allowedOrigins: settings["origins"]?.array.map { $0.compactMap(\.string) },
      extendedUserAgent: settings["userAgentHeader"]?.bool ?? false, environment: environment)
    interaction.add(delegate: hearing)
  }

  package var flow: Flow<IDXCore> { interaction.session.flow }

  package func complaint(about outcome: CallReturned.Outcome, of call: Int, in core: IDXCore) -> String? {
    if got.isRepeated(call) { return PlayedResults<Got>.repeated }
    return wrongs.withLock { $0.removeValue(forKey: call) } ?? resultComplaint(about: outcome, of: call, in: core)
      ?? contextComplaint(in: core) ?? hearing.complaint(recorder?.records ?? [], calls.withLock { $0 })
  }

  private func resultComplaint(about outcome: CallReturned.Outcome, of call: Int, in core: IDXCore) -> String? {
    let got = got.take(call)
    switch (outcome, got) {
    case (.cancelled, nil), (.done, nil): return nil
    case (.done, .token(let token)):
      return core.token.flatMap { Token($0, revealedBy: flow.vault) } == token ? nil : "other tokens were handed over"
    case (.status, .response(let response)):
      guard response.origin.state.snapshotRevision == core.snapshotRevision else {
        return "the response of another revision was handed over"
      }
      return IDXObjectCheck(response, answer: flow.vault.reveal(core.current?.body ?? .null)).complaint
    case (.failed(let code, let details), .error(let error)):
      guard error.recordedCode == code else { return PlayedResults<Got>.error(error.recordedCode) }
      return IDXErrorCheck(error: error, details: details, vault: flow.vault).complaint
    case (_, .error(let error)): return PlayedResults<Got>.error(error.recordedCode)
    case (_, .response), (_, .token): return PlayedResults<Got>.another
    case (_, nil): return PlayedResults<Got>.nothing
    }
  }

  /// What the flow object shows otherwise than the state of the flow is.
  private func contextComplaint(in core: IDXCore) -> String? {
    let vault = flow.vault
    let context = interaction.context
    guard case .begun(let begun, _) = core.phase else {
      return context == nil ? nil : "a context is shown of a sign-in that has not begun"
    }
    func isSame(_ shown: String?, _ member: String?) -> Bool { shown == member.map { vault.reveal($0) } }
    let parts = [begun.interactionHandle, begun.state, begun.verifier, begun.challenge]
    guard !parts.contains(nil) else { return nil }
    let members = [
      ("interactionHandle", isSame(context?.interactionHandle, begun.interactionHandle)),
      ("state", isSame(context?.state, begun.state)),
      ("codeVerifier", isSame(context?.pkce.codeVerifier, begun.verifier)),
      ("codeChallenge", isSame(context?.pkce.codeChallenge, begun.challenge)),
      ("isAuthenticating", interaction.isAuthenticating),
      ("options", isSame(interaction.options?[.state] as? String, begun.state)),
    ]
    return members.first { !$0.1 }.map { "\($0.0) of the flow is not that of the sign-in" }
  }

  // MARK: Calls

  package func call(_ made: CallMade, at revision: Int, on snapshot: IDXCore?) -> Bool {
    guard let name = IDXCall(rawValue: made.call) else { return false }
    calls.withLock { $0[revision] = name }
    let isMade = call(name, made, at: revision, on: snapshot)
    if !isMade { calls.withLock { $0[revision] = nil } }
    return isMade
  }

  private func call(_ name: IDXCall, _ made: CallMade, at revision: Int, on snapshot: IDXCore?) -> Bool {
    let (got, responses, hearing) = (got, responses, hearing)
    let completion: InteractionCodeFlow.ResponseResult = { result in
      hearing.callerIsCalled(revision)
      switch result {
      case .success(let response):
        got.keep(.response(response), of: revision)
        if let place = response.origin.state.snapshotRevision { responses.withLock { $0[place] = response } }
      case .failure(let error): got.keep(.error(error), of: revision)
      }
    }
    let tokens: InteractionCodeFlow.TokenResult = { result in
      hearing.callerIsCalled(revision)
      switch result {
      case .success(let token): got.keep(.token(token), of: revision)
      case .failure(let error): got.keep(.error(error), of: revision)
      }
    }
    switch name {
    case .start:
      guard let options = options(made.arguments) else { return false }
      interaction.start(options: options, completion: completion)
    case .resume: interaction.resume(completion: completion)
    case .reset: interaction.reset()
    case .exchangeRedirect:
      guard let url = redirect(made.arguments) else { return false }
      if !isRead(url, made.arguments) { wrongs.withLock { $0[revision] = "the redirect was taken for another one" } }
      interaction.exchangeCode(redirect: url, completion: tokens)
    case .exchangeCode:
      guard let response = response(made.on, snapshot) else { return false }
      response.exchangeCode(completion: tokens)
    case .proceed:
      guard let response = response(made.on, snapshot) else { return false }
      return proceed(made.arguments, at: revision, on: response, completion)
    case .startPolling:
      guard let pollable = response(made.on, snapshot).flatMap({ Self.pollable(made.arguments, of: $0) }) else {
        return false
      }
      pollable.startPolling(completion: completion)
    case .stopPolling:
      let pollables = response(made.on, snapshot).map(Self.pollables) ?? []
      guard let pollable = pollables.first(where: \.isPolling) else { return false }
      pollable.stopPolling()
    case .restore: return false
    }
    return true
  }

  /// The response of a revision. It is handed out once: another call fills in the forms of a new object.
  private func response(_ revision: Int?, _ snapshot: IDXCore?) -> Response? {
    let held = revision.flatMap { revision in responses.withLock { $0.removeValue(forKey: revision) } }
    return held ?? snapshot.map { Response($0, interaction.session) }
  }

  private func options(_ arguments: JSON) -> [InteractionCodeFlow.Option: Any]? {
    var options: [InteractionCodeFlow.Option: Any] = [:]
    for member in arguments.object?.members ?? [] {
      guard let option = InteractionCodeFlow.Option(rawValue: member.key), let value = FormValues.value(member.value)
      else { return nil }
      options[option] = value
    }
    return options
  }

  private func redirect(_ arguments: JSON) -> URL? {
    guard let address = arguments["redirect"]?.string else { return nil }
    let unreserved = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    let query = ["state", "interaction_code", "error", "error_description"].compactMap { name in
      arguments[name]?.string.flatMap { $0.addingPercentEncoding(withAllowedCharacters: unreserved) }
        .map { name + "=" + $0 }
    }
    let text = query.isEmpty ? address : address + "?" + query.joined(separator: "&")
    guard let url = URL(string: text), url.absoluteString == text else { return nil }
    return url
  }

  /// Whether the flow says of a redirect what its parameters say (idx §11.2).
  private func isRead(_ url: URL, _ arguments: JSON) -> Bool {
    let result = interaction.redirectResult(for: url)
    // An address that is not the application's to the letter may still be the same one.
    guard arguments["redirect"]?.string == interaction.redirectUri.absoluteString else { return true }
    guard let context = interaction.context, arguments["state"]?.string == context.state else {
      return result == .invalidContext
    }
    if arguments["interaction_code"]?.string != nil { return result == .authenticated }
    return result == (arguments["error"] == "interaction_required" ? .remediationRequired : .invalidContext)
  }

  // MARK: Forms

  private func proceed(
    _ arguments: JSON, at revision: Int, on response: Response,
    _ completion: @escaping InteractionCodeFlow.ResponseResult
  ) -> Bool {
    let fills = arguments["fields"]?.array ?? []
    switch arguments["form"]?.string.flatMap(FormReference.init) {
    case .remediation(let index):
      guard let remediation = response.remediations.first(where: { $0.reference == .remediation(index) }),
        fills.allSatisfy({ fill($0, in: remediation.form, of: revision) })
      else { return false }
      remediation.proceed(completion: completion)
    case .cancel where fills.isEmpty && response.canCancel: response.cancel(completion: completion)
    case .authenticator(let index, let name) where fills.isEmpty:
      guard response.authenticators.indices.contains(index) else { return false }
      let authenticator = response.authenticators[index]
      switch name {
      case "send":
        guard let capability = authenticator.sendable else { return false }
        capability.send(completion: completion)
      case "resend":
        guard let capability = authenticator.resendable else { return false }
        capability.resend(completion: completion)
      case "recover":
        guard let capability = authenticator.recoverable else { return false }
        capability.recover(completion: completion)
      default: return false
      }
    case .cancel, .success, .authenticator, nil: return false
    }
    return true
  }

  /// Fills in a field by its place: `1/0` is the first field inside the second, `1:2/0` that of its third choice.
  private func fill(_ fill: JSON, in form: Remediation.Form, of call: Int) -> Bool {
    guard let place = fill["at"]?.string else { return false }
    var form: Remediation.Form? = form
    var field: Remediation.Form.Field?
    var names = ""
    for part in place.split(separator: "/") {
      let numbers = part.split(separator: ":").compactMap { Int($0) }
      guard let fields = form?.allFields, let index = numbers.first, fields.indices.contains(index) else {
        return false
      }
      field = fields[index]
      form = field?.form
      names = FormSubmission.path(names, fields[index].reading)
      if numbers.count == 2 {
        guard let options = field?.options, options.indices.contains(numbers[1]) else { return false }
        form = options[numbers[1]].form
      }
    }
    // A name that was masked otherwise than the response's own, since a word of it is a secret elsewhere.
    guard let field, fill["name"]?.string == names else { return false }
    if let option = fill["option"]?.int {
      guard let options = field.options, options.indices.contains(option) else { return false }
      field.selectedOption = options[option]
    } else if fill["value"] == .null {
      field.value = nil
    } else {
      guard let value = FormValues.value(fill["value"]) else { return false }
      field.value = value
    }
    if let wrong = IDXObjectCheck.complaint(about: field, filledBy: fill) { wrongs.withLock { $0[call] = wrong } }
    return true
  }

  private static func pollables(of response: Response) -> [Capability.Pollable] {
    response.authenticators.compactMap(\.pollable) + response.remediations.compactMap(\.pollable)
  }

  private static func pollable(_ arguments: JSON, of response: Response) -> Capability.Pollable? {
    let source = IDXCore.Poll.Source(arguments)
    return pollables(of: response).first { $0.source == source }
  }
}

extension InteractionCodeFlowError {
  /// The name that the error has in a `call.returned`.
  var recordedCode: String {
    switch self {
    case .invalidContext: "invalidContext"
    case .invalidFlow: "invalidFlow"
    case .platformUnsupported: "platformUnsupported"
    case .invalidUrl: "invalidUrl"
    case .cannotCreateRequest: "cannotCreateRequest"
    case .invalidHTTPResponse: "invalidHTTPResponse"
    case .invalidResponseData: "invalidResponseData"
    case .invalidRequestData: "invalidRequestData"
    case .rateLimited: "rateLimited"
    case .transactionExpired: "transactionExpired"
    case .serverError: "serverError"
    case .apiError: "apiError"
    case .internalError: "internalError"
    case .internalMessage: "internalMessage"
    case .oauthError: "oauthError"
    case .invalidParameter: "invalidParameter"
    case .invalidParameterValue: "invalidParameterValue"
    case .parameterImmutable: "parameterImmutable"
    case .missingRequiredParameter: "missingRequiredParameter"
    case .missingRemediationOption: "missingRemediationOption"
    case .unknownRemediationOption: "unknownRemediationOption"
    case .successResponseMissing: "successResponseMissing"
    case .missingRefreshToken: "missingRefreshToken"
    case .missingRelatedObject: "missingRelatedObject"
    }
  }
}
