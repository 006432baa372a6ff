// Every call in each of its forms: `Result`, value and error, a closure out of a property, and none at all.

import Foundation
import IDX

final class ClosureForms {
  private let flow: InteractionCodeFlow
  /// A closure kept in a property, by the SDK's own name for its type.
  var onResponse: InteractionCodeFlow.ResponseResult?
  var onToken: InteractionCodeFlow.TokenResult?

  init(flow: InteractionCodeFlow) { self.flow = flow }

  func start(then: @escaping (String) -> Void) {
    onResponse = { result in then((try? result.get())?.remediations.first?.name ?? "none") }
    flow.start(completion: onResponse)
  }

  func startWithTwoValues(then: @escaping (Response?, Error?) -> Void) {
    flow.start { response, error in then(response, error) }
  }

  func resume(then: @escaping (String) -> Void) {
    flow.resume { result in
      switch result {
      case .success(let response): then(response.remediations.first?.name ?? "none")
      case .failure(let error): then("\(error)")
      }
    }
  }

  /// A method of the application as a completion, and a method of the SDK as a value.
  func proceed(_ remediation: Remediation, then: @escaping (String) -> Void) {
    onResponse = { result in then((try? result.get())?.remediations.first?.name ?? "none") }
    let send: (InteractionCodeFlow.ResponseResult?) -> Void = { remediation.proceed(completion: $0) }
    send(self.received)
  }

  private func received(_ result: Result<Response, InteractionCodeFlowError>) { onResponse?(result) }

  func exchange(_ response: Response, then: @escaping (String) -> Void) {
    onToken = { result in then((try? result.get())?.tokenType ?? "none") }
    response.exchangeCode(completion: onToken)
  }
}
