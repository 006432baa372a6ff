// Duo: its script shows the prompt, and what it brings goes back with the form.

import Foundation
import IDX

struct DuoPrompt {
  func answer(_ response: Response, prompt: (_ host: String, _ signedToken: String, _ script: String) -> String)
    async throws
    -> Response?
  {
    guard
      let remediation = response.remediations[.challengeAuthenticator] ?? response.remediations[.enrollAuthenticator],
      let duo = response.authenticators.current?.duo
    else { return nil }
    duo.signatureData = prompt(duo.host, duo.signedToken, duo.script)
    return try await remediation.proceed()
  }
}
