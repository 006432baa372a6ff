// «Sign up / Register» of the seed document, with the loop over all fields that Okta's playground has.

import Foundation
import IDX

struct Registration {
  enum Failure: Error, Equatable {
    case notOffered
    case missingProfile(field: String)
  }

  let profile: [String: String]
  let password: String

  func register(_ flow: InteractionCodeFlow, code: () -> String) async throws -> Token {
    var response = try await flow.start()
    guard let select = response.remediations[.selectEnrollProfile] else { throw Failure.notOffered }
    response = try await select.proceed()

    if let remediation = response.remediations[.enrollProfile] {
      guard let userProfile = remediation["userProfile"]?.form else { throw Failure.notOffered }
      for field in userProfile.fields {
        guard let name = field.name else { continue }
        if let value = profile[name] {
          field.value = value
        } else if field.isRequired {
          throw Failure.missingProfile(field: name)
        }
      }
      response = try await remediation.proceed()
    }

    for _ in 0..<10 where !response.isLoginSuccessful {
      if let remediation = response.remediations[.enrollAuthenticator],
        let passcode = remediation["credentials.passcode"]
      {
        passcode.value = remediation.authenticators.contains(where: { $0.type == .password }) ? password : code()
        response = try await remediation.proceed()
      } else if let skip = response.remediations[.skip] {
        response = try await skip.proceed()
      } else if let remediation = response.remediations[.selectAuthenticatorEnroll],
        let field = remediation["authenticator"]
      {
        field.selectedOption = field.options?.first
        response = try await remediation.proceed()
      } else {
        throw Failure.notOffered
      }
    }
    return try await response.exchangeCode()
  }
}
