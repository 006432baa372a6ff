// What may be set up is skipped, until there are tokens; with the description of each page for a log.

import Foundation
import IDX

struct EnrolLater {
  func signIn(_ flow: InteractionCodeFlow, _ username: String, _ password: String) async throws -> [String] {
    var pages: [String] = []
    var response = try await flow.start()
    while !response.isLoginSuccessful {
      pages.append("\(response)")
      let next: Remediation?
      if let skip = response.remediations[.skip] {
        next = skip
      } else if let identify = response.remediations[.identify] {
        identify.identifier?.value = username
        next = identify
      } else {
        next = response.remediations[.challengeAuthenticator]
        next?["credentials.passcode"]?.value = password
      }
      guard let next = next else { break }
      response = try await next.proceed()
    }
    let token = try await response.exchangeCode()
    pages.append("\(token.tokenType), user \(response.user?.username ?? "-"), app \(response.app?.label ?? "-")")
    return pages
  }
}
