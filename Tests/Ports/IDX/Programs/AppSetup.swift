// An authenticator app is set up: a QR code to scan, a secret to type, and the first code.

import Foundation
import IDX

struct AppSetup {
  enum Failure: Error { case noCode }

  struct Shown: Equatable {
    var mimeType: String
    var isImage: Bool
    var secret: String?
  }

  func shown(_ response: Response) -> Shown? {
    guard let otp = response.authenticators.current?.otp else { return nil }
    return Shown(mimeType: otp.mimeType, isImage: otp.imageData.starts(with: [0x89, 0x50]), secret: otp.sharedSecret)
  }

  func enter(_ code: String, _ response: Response) async throws -> Response {
    guard let remediation = response.remediations[.enrollAuthenticator],
      response.authenticators.current?.methods?.contains(.otp) == true
    else { throw Failure.noCode }
    remediation["credentials.passcode"]?.value = code
    return try await remediation.proceed()
  }
}
