// A locked account is unlocked by mail, which ends in a message.

import Foundation
import IDX

final class AccountUnlocking {
  private let flow: InteractionCodeFlow
  private let code: () -> String
  private let finished: (String) -> Void

  init(flow: InteractionCodeFlow, code: @escaping () -> String, finished: @escaping (String) -> Void) {
    self.flow = flow
    self.code = code
    self.finished = finished
  }

  func unlock(_ username: String) {
    flow.start { [self] result in
      guard let remediation = try? result.get().remediations[.unlockAccount] else { return finished("not offered") }
      remediation.proceed { [self] result in step(result, username) }
    }
  }

  private func step(_ result: Result<Response, InteractionCodeFlowError>, _ username: String) {
    switch result {
    case .failure(let error): finished(error.localizedDescription)
    case .success(let response):
      if let select = response.remediations[.selectAuthenticatorUnlockAccount] {
        select["identifier"]?.value = username
        let field = select["authenticator"]
        field?.selectedOption = field?.options?.first(where: { $0.authenticator?.type == .email })
        select.proceed { [self] result in step(result, username) }
      } else if let data = response.remediations[.authenticatorVerificationData] {
        data.proceed { [self] result in step(result, username) }
      } else if let challenge = response.remediations[.challengeAuthenticator] {
        challenge["credentials.passcode"]?.value = code()
        challenge.proceed { [self] result in step(result, username) }
      } else {
        finished(response.messages.first?.message ?? "no message")
      }
    }
  }
}
