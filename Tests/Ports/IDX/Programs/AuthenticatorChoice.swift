// «Selecting an authenticator factor» of the seed document: shown by label, chosen by label.

import Foundation
import IDX

final class AuthenticatorChoice {
  private(set) var choices: [String] = []

  func showChoice(label: String?) { choices.append(label ?? "?") }

  func show(_ response: Response) {
    if let remediation = response.remediations[.selectAuthenticatorEnroll]
      ?? response.remediations[.selectAuthenticatorAuthenticate],
      let authenticatorOptions = remediation["authenticator"]?.options
    {
      for option in authenticatorOptions {
        guard let authenticator = option.authenticator else { continue }
        self.showChoice(label: option.label ?? authenticator.displayName)
      }
    }
  }

  func choose(_ selectedChoice: String, in response: Response) async throws -> Response? {
    guard
      let remediation = response.remediations[.selectAuthenticatorEnroll]
        ?? response.remediations[.selectAuthenticatorAuthenticate],
      let authenticator = remediation["authenticator"],
      let option = authenticator.options?.first(where: { field -> Bool in field.label == selectedChoice })
    else { return nil }
    authenticator.selectedOption = option
    guard option.isSelectedOption else { return nil }
    return try await remediation.proceed()
  }
}
