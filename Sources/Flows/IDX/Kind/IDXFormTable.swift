// The forms of the Identity Engine's calls that a replay can choose from. Each call has a form with a result, one with
// a value and an error, and one that waits; most also have one without a closure.

import EventStore
import FlowRecording
import OIDC

/// Makes one recorded call, and stores its result.
struct IDXFormTable: Sendable {
  typealias Split<Value> = (Value?, (any Error)?) -> Void

  let call: IDXCall
  let revision: Int
  let forms: PlayedForms
  let tasks: PlayedTasks
  let hearing: IDXHearing
  let response: @Sendable (Response) -> Void
  let token: @Sendable (Token) -> Void
  let failed: @Sendable (InteractionCodeFlowError) -> Void
  let cancelled: @Sendable () -> Void

  /// Makes the call in one of the given forms.
  func play(_ candidates: [PlayedForm]) -> PlayedCall { forms.play(call.rawValue, at: revision, candidates) }

  /// A closure for the result of the call.
  var responses: InteractionCodeFlow.ResponseResult {
    { [self] result in take(result, response) }
  }

  /// A closure for the result of an exchange.
  var tokens: InteractionCodeFlow.TokenResult {
    { [self] result in take(result, token) }
  }

  private func take<Value>(_ result: Result<Value, InteractionCodeFlowError>, _ keep: (Value) -> Void) {
    hearing.callerIsCalled(revision)
    switch result {
    case .success(let value): keep(value)
    case .failure(let error): failed(error)
    }
  }

  /// A closure for a value and an error.
  func split<Value>(_ keep: @escaping @Sendable (Value) -> Void) -> Split<Value> {
    { [self] value, error in
      hearing.callerIsCalled(revision)
      if let value { keep(value) }
      if let error { fail(error) }
    }
  }

  private func fail(_ error: any Error) {
    switch error {
    case let error as InteractionCodeFlowError: failed(error)
    case is CancellationError: cancelled()
    default: failed(.internalMessage("an error of another type was handed over"))
    }
  }

  /// The form that waits for a value.
  func awaited<Value: Sendable>(
    _ name: String, _ keep: @escaping @Sendable (Value) -> Void, _ body: @escaping @Sendable () async throws -> Value
  ) -> PlayedForm {
    PlayedForm(name, .awaited) { [self] in
      tasks.run(revision) {
        do {
          let value = try await body()
          hearing.callerIsCalled(revision)
          keep(value)
        } catch {
          if !(error is CancellationError) { hearing.callerIsCalled(revision) }
          fail(error)
        }
      }
    }
  }

  /// The forms of a call that returns a response.
  func play(
    _ name: String = "response", result: @escaping (InteractionCodeFlow.ResponseResult?) -> Void,
    split form: @escaping (@escaping Split<Response>) -> Void,
    awaited body: @escaping @Sendable () async throws -> Response, silent: (() -> Void)? = nil
  ) -> PlayedCall {
    var candidates = [
      PlayedForm("\(name), result") { result(responses) },
      PlayedForm("\(name), value and error") { form(split(response)) },
      awaited("\(name), awaited", response, body),
    ]
    if let silent { candidates.append(PlayedForm("\(name), without closure", .silent, make: silent)) }
    return play(candidates)
  }

  /// The forms of an exchange that returns tokens.
  func playExchange(
    result: @escaping (InteractionCodeFlow.TokenResult?) -> Void,
    split form: @escaping (@escaping Split<Token>) -> Void,
    awaited body: @escaping @Sendable () async throws -> Token, silent: @escaping () -> Void
  ) -> PlayedCall {
    play([
      PlayedForm("result") { result(tokens) }, PlayedForm("value and error") { form(split(token)) },
      awaited("awaited", token, body), PlayedForm("without closure", .silent, make: silent),
    ])
  }
}
