// swift-format-ignore-file
// Code as people wrote it from the README of okta-auth-swift: it compiles unchanged in Swift 5 and Swift 6 mode.

import Authn
import Foundation

/// A screen, as in an application with a user interface: everything on the main actor.
@MainActor
final class SignInScreen {
  private(set) var lines: [String] = []
  private let url: URL
  private let finished: @MainActor () -> Void

  init(url: URL, finished: @escaping @MainActor () -> Void) {
    self.url = url
    self.finished = finished
  }

  func signIn(username: String, password: String) {
    OktaAuthSdk.authenticate(with: url,
                             username: username,
                             password: password,
                             onStatusChange: { authStatus in
                                 self.handleStatus(status: authStatus)
    },
                             onError: { error in
                                 self.handleError(error)
    })
  }

  func handleStatus(status: OktaAuthStatus) {
    switch status.statusType {
    case .success:
      guard let successStatus = status as? OktaAuthStatusSuccess else { return }
      lines.append("success, token: \(successStatus.sessionToken == nil ? "no" : "yes")")
      finished()

    case .MFARequired:
      guard let mfaRequired = status as? OktaAuthStatusFactorRequired else { return }
      lines.append("factors: \(mfaRequired.availableFactors.count)")
      guard let factor = mfaRequired.availableFactors.first else { return }
      mfaRequired.selectFactor(factor,
                               onStatusChange: { status in
                                   self.handleStatus(status: status)
      },
                               onError: { error in
                                   self.handleError(error)
      })

    case .MFAChallenge:
      guard let mfaChallenge = status as? OktaAuthStatusFactorChallenge else { return }
      mfaChallenge.verifyFactor(passCode: nil,
                                answerToSecurityQuestion: nil,
                                onStatusChange: { status in
                                    self.handleStatus(status: status)
      },
                                onError: { error in
                                    self.handleError(error)
      },
                                onFactorStatusUpdate: { state in
                                    self.lines.append("factor: \(state)")
      })

    case .lockedOut, .unauthenticated, .passwordWarning, .passwordExpired, .recovery, .recoveryChallenge,
         .passwordReset, .MFAEnroll, .MFAEnrollActivate, .unknown:
      lines.append("not handled: \(status.statusType)")
      finished()
    }
  }

  func handleError(_ error: OktaError) {
    switch error {
    case .serverRespondedWithError(let errorResponse):
      lines.append("Error: \(errorResponse.errorSummary ?? "server error")")
    default:
      lines.append("Error: \(error.localizedDescription)")
    }
    finished()
  }
}

/// A program without a user interface: a plain class, called back on the flow's own queue.
final class SignInTool {
  private(set) var outcome = ""
  private let finished: () -> Void

  init(finished: @escaping () -> Void) { self.finished = finished }

  func signIn(with url: URL, username: String, password: String) {
    OktaAuthSdk.authenticate(with: url, username: username, password: password,
                             onStatusChange: { status in
                                 self.outcome = "\(status.statusType)"
                                 self.finished()
    },
                             onError: { error in
                                 self.outcome = "\(error)"
                                 self.finished()
    })
  }
}

/// An application's own actor.
actor SignInService {
  private(set) var outcome: String?
  private var waiting: CheckedContinuation<String, Never>?

  func signIn(with url: URL, username: String, password: String) async -> String {
    OktaAuthSdk.authenticate(with: url, username: username, password: password,
                             onStatusChange: { status in self.finish("\(status.statusType)") },
                             onError: { error in self.finish("\(error)") })
    return await withCheckedContinuation { waiting = $0 }
  }

  private func finish(_ text: String) {
    outcome = text
    waiting?.resume(returning: text)
    waiting = nil
  }
}
