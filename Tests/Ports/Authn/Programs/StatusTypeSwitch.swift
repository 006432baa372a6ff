// swift-format-ignore-file: NeverForceUnwrap
// The handler of the seed document's «Usage guide», every status with its cast, misspelt names included.

import Authn
import Foundation

/// What the application does with each status.
final class StatusTypeSwitch {
  private(set) var handled: [String] = []

  func handleStatus(status: OktaAuthStatus) {
    switch status.statusType {
    case .success:
      let successStatus: OktaAuthStatusSuccess = status as! OktaAuthStatusSuccess
      handled.append("success \(successStatus.sessionToken != nil)")
    case .passwordWarning:
      let warning: OktaAuthStatusPasswordWarning = status as! OktaAuthStatusPasswordWarning
      handled.append("warning \(warning.canSkip())")
    case .passwordExpired:
      let expired: OktaAuthStatusPasswordExpired = status as! OktaAuthStatusPasswordExpired
      handled.append("expired \(expired.canChange())")
    case .MFAEnroll:
      let enroll: OktaAuthStatusFactorEnroll = status as! OktaAuthStatusFactorEnroll
      handled.append("enroll \(enroll.availableFactors.count)")
    case .MFAEnrollActivate:
      let activate: OktaAuthStatusFactorEnrollActivate = status as! OktaAuthStatusFactorEnrollActivate
      handled.append("activate \(activate.activateLink.name ?? "?")")
    case .MFARequired:
      let required: OktaAuthStatusFactorRequired = status as! OktaAuthStatusFactorRequired
      handled.append("required \(required.availableFactors.count)")
    case .MFAChallenge:
      let challenge: OktaAuthStatusFactorChallenge = status as! OktaAuthStatusFactorChallenge
      handled.append("challenge \(challenge.canVerify())")
    case .recovery:
      let recovery: OktaAuthStatusRecovery = status as! OktaAuthStatusRecovery
      handled.append("recovery \(recovery.canRecover())")
    case .recoveryChallenge:
      let challenge: OktaAuthStatusRecoveryChallenge = status as! OktaAuthStatusRecoveryChallenge
      handled.append("recovery challenge \(challenge.canVerify())")
    case .passwordReset:
      let reset: OktaAuthStatuPasswordReset = status as! OktaAuthStatuPasswordReset
      handled.append("reset \(reset.canReset())")
    case .lockedOut:
      let locked: OktaAuthStatusLockedOut = status as! OktaAuthStatusLockedOut
      handled.append("locked \(locked.canUnlock())")
    case .unauthenticated:
      let unauthenticated: OktaAuthUnauthenticated = status as! OktaAuthUnauthenticated
      handled.append("unauthenticated \(unauthenticated.canCancel())")
    case .unknown(let name):
      handled.append("unknown \(name)")
    }
  }

  func lead(_ url: URL, _ username: String, _ password: String, finished: @escaping (String) -> Void) {
    handleStatus(status: OktaAuthStatusUnauthenticated(oktaDomain: url))
    OktaAuthSdk.authenticate(
      with: url, username: username, password: password,
      onStatusChange: { authStatus in
        self.handleStatus(status: authStatus)
        finished(self.handled.joined(separator: ", "))
      },
      onError: { error in finished(error.description) })
  }
}
