// A sign-in by the Identity Engine, led by a person at a terminal: whatever form the org sends is asked field by field.

import AuditReports
import Foundation
import IDX

/// Leads a sign-in from its start to tokens.
struct IdentityEngineDialog {
  /// Typed where the org asks who signs in.
  let username: String
  /// Typed where the org asks for the password for the first time.
  let password: String
  /// The authenticator or option to take without asking: by label, method or number.
  let choice: String?
  /// How often an answer may be wrong.
  static let attempts = 3

  /// Goes on until nothing is left to do.
  ///
  /// - Parameter heard: hears where the sign-in stands.
  /// - Returns: why the user is not in; nil where it succeeded.
  func lead(_ flow: InteractionCodeFlow, heard: (String) -> Void) async throws -> String? {
    var response = try await flow.start()
    var isPasswordLeft = true
    var left = Self.attempts
    while true {
      let problems = response.messages.allMessages
      for message in problems { Messages.say(message.message.printable) }
      if response.isLoginSuccessful {
        _ = try await response.exchangeCode()
        heard("success")
        return nil
      }
      guard !response.isTerminal, let remediation = next(in: response) else {
        heard("terminal")
        return "the sign-in ended: \(problems.first?.message ?? "the org offers nothing more")"
      }
      heard(remediation.name)
      if problems.contains(where: { $0.type == .error }) {
        left -= 1
        if left == 0 { return "given up after \(Self.attempts) wrong answers" }
      }
      if let pollable = remediation.pollable {
        tell(response)
        response = try await pollable.startPolling()
      } else {
        try fill(remediation.form, of: remediation, in: response, &isPasswordLeft)
        response = try await remediation.proceed()
      }
    }
  }

  /// The org's first choice that a terminal can serve.
  private func next(in response: Response) -> Remediation? {
    response.remediations.first { $0.type != .cancel && $0.type != .redirectIdp && $0.href != nil }
  }

  private func tell(_ response: Response) {
    if let number = response.authenticators.compactMap(\.numberChallenge).first {
      Messages.say("Choose \(number.correctAnswer.printable) on the device.")
    }
    Messages.say("Waiting for the device; Ctrl-C gives up.")
  }

  private func fill(
    _ form: Remediation.Form, of remediation: Remediation, in response: Response, _ isPasswordLeft: inout Bool
  ) throws {
    for field in form {
      if let options = field.options, !options.isEmpty {
        guard let option = try pick(options, field) else { continue }
        field.selectedOption = option
        if let form = option.form { try fill(form, of: remediation, in: response, &isPasswordLeft) }
      } else if let form = field.form {
        try fill(form, of: remediation, in: response, &isPasswordLeft)
      } else if field.isMutable, field.value == nil {
        if let value = try answer(to: field, of: remediation, in: response, &isPasswordLeft) { field.value = value }
      }
    }
  }

  private func answer(
    to field: Remediation.Form.Field, of remediation: Remediation, in response: Response, _ isPasswordLeft: inout Bool
  ) throws -> (any FormValue)? {
    let isKnown = remediation.type == .identify || remediation.type == .challengeAuthenticator
    let asksPassword = response.authenticators.current?.type == .password || remediation.type == .identify
    if field.name == "identifier" { return username }
    if field.name == "passcode", isKnown, asksPassword, isPasswordLeft {
      isPasswordLeft = false
      return password
    }
    if field.type == "boolean" { return field.isRequired ? true : Optional<Bool>.none }
    guard field.isRequired || field.isSecret else { return nil }
    let prompt = "\((field.label ?? field.name ?? "Answer").printable): "
    let typed = try SecretInput.ask(prompt)
    return typed.isEmpty ? nil : typed
  }

  private func pick(_ options: [Remediation.Form.Field], _ field: Remediation.Form.Field) throws
    -> Remediation.Form.Field?
  {
    if let choice, let option = options.first(where: { fits(choice, $0) }) { return option }
    guard options.count > 1, field.isRequired || field.name == "authenticator" else { return options.first }
    for (index, option) in options.enumerated() {
      Messages.say("  \(index + 1)  \((option.label ?? "option \(index + 1)").printable)")
    }
    Messages.ask("\((field.label ?? "Choose").printable) (1-\(options.count)): ")
    guard let typed = try LineInput().line() else {
      throw CommandFailure(.usage, "there is nobody to choose; give --factor")
    }
    if let number = Int(typed), options.indices.contains(number - 1) { return options[number - 1] }
    guard let option = options.first(where: { fits(typed, $0) }) else {
      throw CommandFailure(.usage, "'\(typed)' is none of the choices")
    }
    return option
  }

  private func fits(_ text: String, _ option: Remediation.Form.Field) -> Bool {
    option.label?.lowercased() == text.lowercased() || option.value as? String == text
      || option.authenticator?.key == text
  }
}
