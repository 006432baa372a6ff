// A sign-in by the Identity Engine, led by a person at a terminal: whatever form the org sends is asked field by field.

import AuditReports
import Foundation
import IDX

/// Leads a sign-in from its start to tokens. Texts of the org are shown with the flow's secrets replaced, but for the
/// number of a number challenge. What the log keeps readable is typed with echo, and nothing else.
struct IdentityEngineDialog {
  let flow: InteractionCodeFlow
  /// Typed when the org asks who signs in.
  let username: String
  /// Typed when the org asks for the password for the first time.
  let password: String
  /// The authenticator to take without asking: by kind, method, label, or its number in the list.
  let choice: String?
  /// What the dialog remembers from page to page.
  private struct State {
    /// Whether the password was not typed yet.
    var isPasswordLeft = true
    /// Whether `choice` was not followed yet.
    var isChoiceLeft = true
    /// Whether the last step was to wait for the device.
    var hasWaited = false
    /// What the org said to the last answer, if it was wrong.
    var refusal: String?
    /// How many pages in a row asked nothing of the person.
    var unasked = 0
  }

  /// How often an answer may be wrong.
  static let attempts = 3
  /// How many pages in a row may ask nothing: an org could lead the dialog in a circle forever.
  static let unaskedPages = 10

  /// Continues until nothing is left to do.
  ///
  /// - Parameter heard: receives the progress of the sign-in.
  /// - Returns: why the user is not in; nil if it succeeded.
  func lead(heard: (String) -> Void) async throws -> String? {
    var response = try await flow.start()
    var state = State()
    var left = Self.attempts
    while true {
      let problems = response.messages.allMessages
      for message in problems { Messages.say(shown(message.message)) }
      if response.isLoginSuccessful {
        _ = try await response.exchangeCode()
        heard("success")
        return nil
      }
      guard !response.isTerminal, let remediation = next(in: response) else {
        heard("terminal")
        return "the sign-in ended: \(problems.first.map { shown($0.message) } ?? "the org offers nothing more")"
      }
      heard(flow.masked(remediation.name))
      state.refusal = problems.first { $0.type == .error }.map { shown($0.message) }
      if state.refusal != nil {
        left -= 1
        if left == 0 { return "given up after \(Self.attempts) wrong answers" }
      }
      // What was rejected on the device is neither sent nor waited for again; the org calls that no error.
      if state.hasWaited, let message = problems.first {
        return "the org refuses the sign-in: \(shown(message.message))"
      }
      guard state.unasked < Self.unaskedPages else {
        return "given up: the org sent \(Self.unaskedPages) pages in a row that ask nothing"
      }
      state.unasked += 1
      if let pollable = remediation.pollable {
        tell(response)
        response = try await pollable.startPolling()
        state.hasWaited = true
      } else {
        state.hasWaited = false
        try fill(remediation.form, of: remediation, in: response, &state)
        response = try await remediation.proceed()
      }
    }
  }

  /// A text of the org as it may be shown.
  private func shown(_ text: String) -> String { flow.masked(text).printable }

  /// The org's first choice that a terminal can serve.
  private func next(in response: Response) -> Remediation? {
    response.remediations.first { $0.type != .cancel && $0.type != .redirectIdp && $0.href != nil }
  }

  private func tell(_ response: Response) {
    // A number is shown as it is, since the person has to see it; what else an org puts there is a text of the org's.
    if let number = response.authenticators.compactMap(\.numberChallenge).first?.correctAnswer {
      let isNumber = (1...3).contains(number.utf8.count) && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
      Messages.say("Choose \(isNumber ? number : shown(number)) on the device.")
    }
    Messages.say("Waiting for the device; Ctrl-C gives up.")
  }

  /// Fills a form in.
  ///
  /// - Parameter asksAll: whether also what the org does not call required is asked for: inside a group that is
  ///   required as a whole, as the code of a text message is.
  private func fill(
    _ form: Remediation.Form, of remediation: Remediation, in response: Response, asksAll: Bool = false,
    _ state: inout State
  ) throws {
    for field in form {
      if let options = field.options, !options.isEmpty {
        guard let option = try pick(options, field, &state) else { continue }
        field.selectedOption = option
        if let form = option.form { try fill(form, of: remediation, in: response, &state) }
      } else if let form = field.form {
        let asksAll = field.isRequired && !form.contains { $0.isRequired || $0.isSecret || $0.value != nil }
        try fill(form, of: remediation, in: response, asksAll: asksAll, &state)
      } else if field.isMutable, field.value == nil {
        let isAsked = asksAll || field.isRequired || field.isSecret
        if let value = try answer(to: field, of: remediation, in: response, isAsked: isAsked, &state) {
          field.value = value
        }
      }
    }
  }

  private func answer(
    to field: Remediation.Form.Field, of remediation: Remediation, in response: Response, isAsked: Bool,
    _ state: inout State
  ) throws -> (any FormValue)? {
    let isKnown = remediation.type == .identify || remediation.type == .challengeAuthenticator
    let asksPassword = response.authenticators.current?.type == .password || remediation.type == .identify
    if field.name == "identifier" { return username }
    if field.name == "passcode", isKnown, asksPassword, state.isPasswordLeft {
      state.isPasswordLeft = false
      return password
    }
    if field.type == "boolean" { return field.isRequired ? true : Optional<Bool>.none }
    guard isAsked else { return nil }
    let prompt = "\(shown(field.label ?? field.name ?? "Answer")): "
    let typed = try SecretInput.ask(prompt, isEchoed: field.isReadableInLog, after: state.refusal)
    state.unasked = 0
    return typed.isEmpty ? nil : typed
  }

  private func pick(
    _ options: [Remediation.Form.Field], _ field: Remediation.Form.Field, _ state: inout State
  ) throws -> Remediation.Form.Field? {
    if let choice, let option = try chosen(choice, options, field, &state) { return option }
    guard options.count > 1, field.isRequired || Self.isOfFactors(field) else { return options.first }
    for (index, option) in options.enumerated() {
      Messages.say("  \(index + 1)  \(label(of: option, index))")
    }
    Messages.ask("\(shown(field.label ?? "Choose")) (1-\(options.count)): ")
    guard let typed = try LineInput().line() else {
      throw CommandFailure(
        .finding, "there is no answer to the choice on standard input; give --factor: \(list(options))")
    }
    state.unasked = 0
    guard let option = FactorName(typed).pick(from: options, byNumber: true) else {
      throw CommandFailure(.finding, "'\(typed)' is none of the choices: \(list(options))")
    }
    return option
  }

  /// The option that `--factor` means; nil if it says nothing of this field, or was followed before.
  private func chosen(
    _ choice: String, _ options: [Remediation.Form.Field], _ field: Remediation.Form.Field, _ state: inout State
  ) throws -> Remediation.Form.Field? {
    let name = FactorName(choice)
    // A selected authenticator may ask for its method, which `--factor sms` also specifies.
    guard Self.isOfFactors(field) else { return name.pick(from: options, byNumber: false) }
    guard state.isChoiceLeft else { return nil }
    guard let option = name.pick(from: options, byNumber: true) else {
      throw CommandFailure(.finding, "the org does not offer the factor '\(choice)': \(list(options))")
    }
    state.isChoiceLeft = false
    return option
  }

  private static func isOfFactors(_ field: Remediation.Form.Field) -> Bool { field.name == "authenticator" }

  private func label(of option: Remediation.Form.Field, _ index: Int) -> String {
    shown(option.label ?? "option \(index + 1)")
  }

  private func list(_ options: [Remediation.Form.Field]) -> String {
    options.enumerated().map { "\($0.offset + 1) \(label(of: $0.element, $0.offset))" }.joined(separator: ", ")
  }
}
