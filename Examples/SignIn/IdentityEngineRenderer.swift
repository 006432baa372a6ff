// Renders any form of the Identity Engine at a terminal: whatever policy the org has, this program signs in with it.

import Foundation
import IDX
import OIDC

/// Walks a person through a sign-in by the Identity Engine.
@MainActor
final class IdentityEngineRenderer {
  private let dialog = Dialog()
  private let flow: InteractionCodeFlow
  private let finished: (Int32) -> Void

  /// - Parameters:
  ///   - issuer: the authorization server: `https://acme.example/oauth2/default`.
  ///   - clientId: the client id.
  ///   - redirectUri: the redirect URI, as it is registered.
  ///   - finished: gets the code to exit with.
  init(issuer: URL, clientId: String, redirectUri: URL, finished: @escaping (Int32) -> Void) {
    flow = InteractionCodeFlow(
      issuer: issuer, clientId: clientId, scopes: "openid profile offline_access", redirectUri: redirectUri)
    self.finished = finished
  }

  /// Begins.
  func start() {
    flow.start { result in self.handle(result) }
  }

  private func handle(_ result: Result<Response, InteractionCodeFlowError>) {
    switch result {
    case .success(let response): show(response)
    case .failure(let error):
      dialog.say(error.localizedDescription)
      end(1)
    }
  }

  private func end(_ code: Int32) {
    dialog.say("recorded as \(flow.flowID)")
    finished(code)
  }

  // MARK: One response

  private func show(_ response: Response) {
    for message in response.messages.allMessages {
      dialog.say(message.field.map { "\($0.label ?? $0.name ?? ""): \(message)" } ?? "\(message)")
    }
    if response.isLoginSuccessful { return finish(response) }
    for authenticator in response.authenticators { show(authenticator) }
    let remediations = response.remediations.filter { $0.type != .cancel }
    var actions = remediations.map { remediation in (title(of: remediation), { self.take(remediation) }) }
    for authenticator in response.authenticators { actions += self.actions(of: authenticator) }
    if response.canCancel { actions.append(("start over", { response.cancel { self.handle($0) } })) }
    guard !remediations.isEmpty, !actions.isEmpty else { return end(response.isTerminal ? 1 : 0) }
    let choice = actions.count == 1 ? 0 : dialog.choose("what now", of: actions.map(\.0))
    actions[choice].1()
  }

  private func title(of remediation: Remediation) -> String {
    if let provider = remediation.socialIdp { return "go on with \(provider.idpName)" }
    return remediation.name.replacingOccurrences(of: "-", with: " ")
  }

  private func show(_ authenticator: Authenticator) {
    if let otp = authenticator.otp {
      dialog.say("scan the code (\(otp.imageData.count) bytes of \(otp.mimeType))")
      if let secret = otp.sharedSecret { dialog.say("or type this secret into the authenticator: \(secret)") }
    }
    if let number = authenticator.numberChallenge { dialog.say("choose \(number.correctAnswer) on the device") }
    if let rules = authenticator.passwordSettings?.passwordRules, !rules.isEmpty, authenticator.state == .recovery {
      dialog.say(rules)
    }
  }

  private func actions(of authenticator: Authenticator) -> [(String, () -> Void)] {
    var actions: [(String, () -> Void)] = []
    if let sendable = authenticator.sendable { actions.append(("send a code", { sendable.send { self.handle($0) } })) }
    if let resendable = authenticator.resendable {
      actions.append(("send it again", { resendable.resend { self.handle($0) } }))
    }
    if let recoverable = authenticator.recoverable {
      actions.append(("forgot it", { recoverable.recover { self.handle($0) } }))
    }
    if let pollable = authenticator.pollable {
      actions.append(
        (
          "wait until the link in the mail is opened",
          {
            self.dialog.say("waiting …")
            pollable.startPolling { self.handle($0) }
          }
        ))
    }
    return actions
  }

  // MARK: One remediation

  private func take(_ remediation: Remediation) {
    if let provider = remediation.socialIdp { return visit(provider) }
    if let pollable = remediation.pollable {
      dialog.say("waiting for the device …")
      return pollable.startPolling { self.handle($0) }
    }
    fill(remediation.form)
    remediation.proceed { self.handle($0) }
  }

  private func fill(_ form: Remediation.Form) {
    for field in form {
      if let options = field.options, !options.isEmpty {
        let labels = options.enumerated().map { $0.element.label ?? "choice \($0.offset + 1)" }
        let option = options[options.count == 1 ? 0 : dialog.choose(field.label ?? field.name ?? "which", of: labels)]
        field.selectedOption = option
        if let form = option.form { fill(form) }
      } else if let form = field.form {
        fill(form)
      } else if field.isMutable {
        ask(for: field)
      }
    }
  }

  private func ask(for field: Remediation.Form.Field) {
    let title = (field.label ?? field.name ?? "value") + (field.isRequired ? "" : " (may stay empty)")
    if field.type == "boolean" {
      field.value = dialog.choose(title, of: ["no", "yes"]) == 1
      return
    }
    let answer = field.isSecret ? dialog.askSecret(title) : dialog.ask(title)
    if !answer.isEmpty { field.value = answer }
  }

  private func visit(_ provider: Capability.SocialIDP) {
    dialog.say("open this address in a browser: \(provider.redirectUrl)")
    guard let url = URL(string: dialog.ask("and paste the address that it leads back to")) else { return end(1) }
    switch flow.redirectResult(for: url) {
    case .authenticated: flow.exchangeCode(redirect: url) { self.finish($0) }
    case .remediationRequired: flow.resume { self.handle($0) }
    case .invalidRedirectUrl, .invalidContext:
      dialog.say("that is no answer to this sign-in")
      end(1)
    }
  }

  private func finish(_ response: Response) {
    response.exchangeCode { self.finish($0) }
  }

  private func finish(_ result: Result<Token, InteractionCodeFlowError>) {
    switch result {
    case .success(let token):
      dialog.say("signed in: \(token)")
      end(0)
    case .failure(let error):
      dialog.say(error.localizedDescription)
      end(1)
    }
  }
}
