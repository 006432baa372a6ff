// «Enrolling a phone authenticator (SMS/Voice)» of the seed document.

import Foundation
import IDX

struct PhoneSetup {
  enum Failure: Error { case notOffered }

  func send(_ response: Response, number: String, by method: String) async throws -> Response {
    guard let remediation = response.remediations[.selectAuthenticatorEnroll],
      let authenticatorField = remediation["authenticator"],
      let phoneOption = authenticatorField.options?.first(where: { option in option.label == "Phone" }),
      let phoneNumberField = phoneOption["phoneNumber"],
      let methodTypeField = phoneOption["methodType"],
      let chosenMethod = methodTypeField.options?.first(where: { option in option.label == method })
    else { throw Failure.notOffered }

    authenticatorField.selectedOption = phoneOption
    methodTypeField.selectedOption = chosenMethod
    phoneNumberField.value = number
    return try await remediation.proceed()
  }

  func verify(_ response: Response, code: String) async throws -> Response {
    guard
      let remediation = response.remediations[.challengeAuthenticator] ?? response.remediations[.enrollAuthenticator],
      let passcodeField = remediation["credentials.passcode"]
    else { throw Failure.notOffered }
    passcodeField.value = code
    return try await remediation.proceed()
  }
}
