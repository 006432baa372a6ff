// What each form of each call delivers, after an answer and after an error: to closures with a result, to closures with
// a value and an error, and to delegates, which also hear of calls without a closure.

import EventStore
import FlowRecording
import Foundation
import OIDC

extension FlowTrials {
  /// The closures that an application passes.
  private struct Ear: Sendable {
    let stage: Stage

    func result(_ result: Result<Response, InteractionCodeFlowError>) {
      switch result {
      case .success(let response): stage.say("response \(FlowTrials.text(response))")
      case .failure(let error): stage.say("error \(FlowTrials.text(error))")
      }
    }

    func split(_ response: Response?, _ error: (any Error)?) {
      let parts = [response.map { FlowTrials.text($0) }, error.map { FlowTrials.text($0) }]
      stage.say("split \(parts.map { $0 ?? "-" })")
    }

    func token(_ result: Result<Token, InteractionCodeFlowError>) {
      switch result {
      case .success(let token): stage.say("token \(token.accessToken)")
      case .failure(let error): stage.say("error \(FlowTrials.text(error))")
      }
    }

    func splitToken(_ token: Token?, _ error: (any Error)?) {
      let parts = [token?.accessToken, error.map { FlowTrials.text($0) }]
      stage.say("split \(parts.map { $0 ?? "-" })")
    }
  }

  /// A call in one of its forms, on the first response of a sign-in.
  private typealias Form = (name: String, make: @Sendable (Ear, Response) -> Void)

  /// Calls on a response, and on its flow.
  private static let responses: [Form] = [
    ("cancel, result", { ear, response in response.cancel(completion: ear.result) }),
    ("cancel, split", { ear, response in response.cancel(completion: ear.split) }),
    ("cancel, silent", { _, response in response.cancel() }),
    ("cancel, nothing", { _, response in response.cancel(completion: nil) }),
    ("restart", { ear, response in response.restart(completion: ear.result) }),
    ("resume, result", { ear, _ in ear.stage.flow.resume(completion: ear.result) }),
    ("resume, split", { ear, _ in ear.stage.flow.resume(completion: ear.split) }),
    ("resume, silent", { ear, _ in ear.stage.flow.resume() }),
    ("resume, nothing", { ear, _ in ear.stage.flow.resume(completion: nil) }),
  ]

  /// Calls on the current authenticator.
  private static let actions: [Form] = [
    ("send, result", { ear, response in response.authenticators.current?.sendable?.send(completion: ear.result) }),
    ("send, split", { ear, response in response.authenticators.current?.sendable?.send(completion: ear.split) }),
    ("send, silent", { _, response in response.authenticators.current?.sendable?.send() }),
    (
      "resend, result",
      { ear, response in response.authenticators.current?.resendable?.resend(completion: ear.result) }
    ),
    ("resend, split", { ear, response in response.authenticators.current?.resendable?.resend(completion: ear.split) }),
    ("resend, silent", { _, response in response.authenticators.current?.resendable?.resend() }),
    (
      "recover, result",
      { ear, response in response.authenticators.current?.recoverable?.recover(completion: ear.result) }
    ),
    (
      "recover, split",
      { ear, response in response.authenticators.current?.recoverable?.recover(completion: ear.split) }
    ),
    ("recover, silent", { _, response in response.authenticators.current?.recoverable?.recover() }),
    (
      "poll, result",
      { ear, response in response.authenticators.current?.pollable?.startPolling(completion: ear.result) }
    ),
    (
      "poll, split",
      { ear, response in response.authenticators.current?.pollable?.startPolling(completion: ear.split) }
    ),
    ("poll, silent", { _, response in response.authenticators.current?.pollable?.startPolling() }),
  ]

  /// Calls on a form.
  private static let proceeds: [Form] = [
    ("proceed, result", { ear, response in response.remediations.first?.proceed(completion: ear.result) }),
    ("proceed, split", { ear, response in response.remediations.first?.proceed(completion: ear.split) }),
    ("proceed, silent", { _, response in response.remediations.first?.proceed() }),
    ("proceed, nothing", { _, response in response.remediations.first?.proceed(completion: nil) }),
    (
      "poll a form, result",
      { ear, response in response.remediations.first?.pollable?.startPolling(completion: ear.result) }
    ),
    (
      "poll a form, split",
      { ear, response in response.remediations.first?.pollable?.startPolling(completion: ear.split) }
    ),
    ("poll a form, silent", { _, response in response.remediations.first?.pollable?.startPolling() }),
    ("poll a form, nothing", { _, response in response.remediations.first?.pollable?.startPolling(completion: nil) }),
  ]

  /// Calls that begin anew.
  private static let starts: [Form] = [
    ("start, result", { ear, _ in ear.stage.flow.start(options: [.state: "second"], completion: ear.result) }),
    ("start, split", { ear, _ in ear.stage.flow.start(options: [.state: "second"], completion: ear.split) }),
    ("start, nothing", { ear, _ in ear.stage.flow.start(completion: nil) }),
    (
      "start, context",
      { ear, _ in
        let context = InteractionCodeFlow.Context(recoveryToken: "r", state: "second", maxAge: 60, acrValues: ["a"])
        ear.stage.flow.start(with: context, completion: ear.result)
      }
    ),
  ]

  /// Calls that return tokens.
  private static let exchanges: [Form] = [
    ("exchange, result", { ear, response in response.exchangeCode(completion: ear.token) }),
    ("exchange, split", { ear, response in response.exchangeCode(completion: ear.splitToken) }),
    ("exchange, silent", { _, response in response.exchangeCode() }),
    ("exchange, nothing", { _, response in response.exchangeCode(completion: nil) }),
    ("finish", { ear, response in response.finish(completion: ear.token) }),
  ]

  /// Exchanges of the code in a redirect.
  private static func redirects(_ url: URL) -> [Form] {
    [
      ("redirect, result", { ear, _ in ear.stage.flow.exchangeCode(redirect: url, completion: ear.token) }),
      ("redirect, split", { ear, _ in ear.stage.flow.exchangeCode(redirect: url, completion: ear.splitToken) }),
      ("redirect, silent", { ear, _ in ear.stage.flow.exchangeCode(redirect: url) }),
      ("redirect, nothing", { ear, _ in ear.stage.flow.exchangeCode(redirect: url, completion: nil) }),
    ]
  }

  /// A line for each form with each list of answers after the first page.
  private static func lines(_ forms: [Form], on page: JSON, _ ends: [[HTTPResponse]]) -> [String] {
    forms.flatMap { name, make in
      ends.enumerated().map { number, end in
        let given = [answer(["interaction_handle": "handle-1"]), answer(page)] + end
        // A flow holds its delegates weakly.
        let kept = Locked<[Listener]>([])
        let heard = Stage(given.map { .success($0) }).run { stage in
          let one = Listener("one", stage)
          stage.flow.add(delegate: one)
          kept.withLock { $0.append(one) }
          if let response = try? await stage.flow.start(options: [.state: "first"]) {
            make(Ear(stage: stage), response)
          }
        }
        return withExtendedLifetime(kept) { "delivered \(name) \(number) | \(heard)" }
      }
    }
  }

  static var delivered: [String] {
    let message: JSON = ["message": "No.", "i18n": ["key": "errors.E0000004"], "class": "ERROR"]
    let refused: JSON = ["version": "1.0.0", "messages": ["type": "array", "value": [message]]]
    let denied: JSON = ["error": "invalid_grant", "error_description": "No."]
    let url = URL(string: "com.acme:/callback?interaction_code=code-1&state=first") ?? URL(fileURLWithPath: "/")
    let elsewhere = URL(string: "com.acme:/callback?error=access_denied&state=first") ?? URL(fileURLWithPath: "/")
    let ends = [[answer(success)], [answer(refused, 400)]]
    let again = [answer(["interaction_handle": "handle-2"]), answer(identify)]
    let redirected = [[answer(metadata), answer(token)], [answer(metadata), answer(denied, 400)]]
    return lines(responses + actions, on: ObjectPages.choice, ends) + lines(proceeds, on: ObjectPages.polled, ends)
      + lines(starts, on: identify, [again, [answer(denied, 400)]])
      + lines(exchanges, on: success, [[answer(token)], [answer(denied, 400)]])
      + lines(redirects(url), on: identify, redirected) + lines(redirects(elsewhere), on: identify, [[]])
  }
}
