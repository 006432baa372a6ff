// Closures turned into async functions by the application, and the SDK's own async forms.

import Authn
import Foundation

enum AsyncSignIn {
  /// As applications wrapped the SDK before it had async forms.
  static func wrapped(_ url: URL, _ username: String, _ password: String) async throws -> OktaAuthStatus {
    try await withCheckedThrowingContinuation { continuation in
      OktaAuthSdk.authenticate(
        with: url, username: username, password: password,
        onStatusChange: { continuation.resume(returning: $0) },
        onError: { continuation.resume(throwing: $0) })
    }
  }

  static func direct(_ url: URL, _ username: String, _ password: String, _ answer: String) async throws -> String? {
    var status = try await OktaAuthSdk.authenticate(with: url, username: username, password: password)
    if let required = status as? OktaAuthStatusFactorRequired {
      status = try await required.selectFactor(required.availableFactors[0])
    }
    if let challenge = status as? OktaAuthStatusFactorChallenge {
      status = try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: answer)
    }
    return (status as? OktaAuthStatusSuccess)?.sessionToken
  }
}
