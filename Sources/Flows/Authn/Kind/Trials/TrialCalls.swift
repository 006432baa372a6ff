// The calls that an application can make on a status and on its factors, in each form.

import EventStore
import FlowRecording
import Foundation

/// A call of trials, whose results are recorded by an ear.
struct TrialCall {
  let name: String
  let make: @Sendable (TrialEar) async -> Void

  init(_ name: String, _ make: @escaping @Sendable (TrialEar) async -> Void) { (self.name, self.make) = (name, make) }

  /// All calls on a status.
  static func all(on status: OktaAuthStatus) -> [TrialCall] {
    common(status) + special(status) + status.factors.flatMap { TrialCall.all(on: $0) }
  }

  private static func common(_ status: OktaAuthStatus) -> [TrialCall] {
    let link = LinksResponse.Link(href: TrialAnswers.url.appendingPathComponent("api/v1/authn/own"), name: "own")
    let payload: [String: any Sendable] = ["a": 1, "b": ["c": "secret"]]
    return [
      TrialCall("back") { status.returnToPreviousStatus(onStatusChange: $0.changed, onError: $0.failed) },
      TrialCall("back, awaited") {
        await $0.hear { () throws(OktaError) in try await status.returnToPreviousStatus() }
      },
      TrialCall("cancel") { status.cancel(onSuccess: $0.done, onError: $0.failed) },
      TrialCall("cancel, awaited") {
        await $0.hearEnd { () throws(OktaError) in
          let cancel: () async throws(OktaError) -> Void = status.cancel
          try await cancel()
        }
      },
      TrialCall("own") {
        status.sendRequest(
          with: link, keyValuePayload: payload, onStatusChange: $0.changed, onError: $0.failed,
          onFactorStatusUpdate: $0.updated)
      },
      TrialCall("next, own") { ear in
        await ear.hear { () throws(OktaError) in
          try await status.sendRequest(
            with: status.links?.next ?? link, keyValuePayload: payload, onFactorStatusUpdate: ear.updated)
        }
      },
    ]
  }

  private static func special(_ status: OktaAuthStatus) -> [TrialCall] {
    switch status {
    case let status as OktaAuthStatusUnauthenticated: begins(status)
    case let status as OktaAuthStatusPasswordChange: changes(status)
    case let status as OktaAuthStatusPasswordReset: resets(status)
    case let status as OktaAuthStatusRecovery: recovers(status)
    case let status as OktaAuthStatusRecoveryChallenge: answers(status)
    case let status as OktaAuthStatusFactorEnroll: enrolls(status)
    case let status as OktaAuthStatusFactorRequired: selects(status)
    case let status as OktaAuthStatusFactorChallenge: verifies(status)
    case let status as OktaAuthStatusFactorEnrollActivate: activates(status)
    case let status as OktaAuthStatusLockedOut: unlocks(status)
    default: []
    }
  }

  /// The calls with which a sign-in begins.
  static func begins(_ status: OktaAuthStatusUnauthenticated) -> [TrialCall] {
    options.enumerated().map { number, options in
      TrialCall("authenticate with options \(number)") {
        status.authenticate(
          username: number == 1 ? nil : "ann@acme.example", password: number == 2 ? nil : "Correct-Horse-7",
          options: options, onStatusChange: $0.changed, onError: $0.failed)
      }
    } + [
      TrialCall("authenticate") {
        status.authenticate(
          username: "ann@acme.example", password: "Correct-Horse-7", onStatusChange: $0.changed, onError: $0.failed)
      },
      TrialCall("authenticate, awaited") {
        await $0.hear { () throws(OktaError) in
          try await status.authenticate(username: "ann@acme.example", password: "Correct-Horse-7")
        }
      },
      TrialCall("authenticate with options, awaited") {
        await $0.hear { () throws(OktaError) in
          try await status.authenticate(username: "", password: "", options: OktaAuthenticationOptions())
        }
      },
      TrialCall("redeem") {
        status.recover(with: "00token", relayState: "there", onStatusChange: $0.changed, onError: $0.failed)
      },
      TrialCall("redeem, awaited") {
        await $0.hear { () throws(OktaError) in try await status.recover(with: "00token") }
      },
    ]
      + OktaRecoveryFactors.allCases.flatMap { factor in
        [
          TrialCall("unlock by \(factor)") {
            status.unlockAccount(username: "ann", factorType: factor, onStatusChange: $0.changed, onError: $0.failed)
          },
          TrialCall("recover by \(factor)") {
            status.recoverPassword(username: "ann", factorType: factor, onStatusChange: $0.changed, onError: $0.failed)
          },
        ]
      } + [
        TrialCall("unlock") {
          status.unlockAccount(
            username: "ann", factorType: nil, relayState: "there", onStatusChange: $0.changed, onError: $0.failed)
        },
        TrialCall("unlock, awaited") {
          await $0.hear { () throws(OktaError) in
            try await status.unlockAccount(username: "ann", factorType: .sms, relayState: "there")
          }
        },
        TrialCall("recover") {
          status.recoverPassword(
            username: "ann", factorType: nil, relayState: "there", onStatusChange: $0.changed, onError: $0.failed)
        },
        TrialCall("recover, awaited") {
          await $0.hear { () throws(OktaError) in
            try await status.recoverPassword(username: "ann", factorType: .call, relayState: "there")
          }
        },
      ]
  }

  /// Options, each of them set once.
  private static let options: [OktaAuthenticationOptions] = {
    let changes: [(inout OktaAuthenticationOptions) -> Void] = [
      { _ in }, { $0.activationToken = "00activate" }, { $0.multiOptionalFactorEnroll = false },
      { $0.warnBeforePasswordExpired = false }, { $0.relayState = "there" }, { $0.audience = "urn:app" },
      { $0.deviceToken = "device-1" }, { $0.deviceToken = "no token" }, { $0.deviceFingerprint = "finger" },
      { $0.apiToken = "00api" }, { $0.forwardedFor = "203.0.113.7" }, { $0.acceptLanguage = "de-DE" },
      {
        $0.apiToken = "00api"
        $0.forwardedFor = "203.0.113.7"
        $0.deviceFingerprint = "finger"
        $0.deviceToken = "device-1"
      },
    ]
    return changes.map { change in
      var options = OktaAuthenticationOptions()
      change(&options)
      return options
    }
  }()

  private static func changes(_ status: OktaAuthStatusPasswordChange) -> [TrialCall] {
    var calls = [
      TrialCall("change") {
        status.changePassword(
          oldPassword: "Old-Horse-1", newPassword: "New-Horse-2", onStatusChange: $0.changed, onError: $0.failed)
      },
      TrialCall("change, no sessions") {
        status.changePassword(
          oldPassword: "Old-Horse-1", newPassword: "New-Horse-2", revokeSessions: true, onStatusChange: $0.changed,
          onError: $0.failed)
      },
      TrialCall("change, awaited") {
        await $0.hear { () throws(OktaError) in
          try await status.changePassword(oldPassword: "Old-Horse-1", newPassword: "New-Horse-2", revokeSessions: false)
        }
      },
    ]
    if let status = status as? OktaAuthStatusPasswordWarning {
      calls += [
        TrialCall("skip") { status.skipPasswordChange(onStatusChange: $0.changed, onError: $0.failed) },
        TrialCall("skip, awaited") {
          await $0.hear { () throws(OktaError) in try await status.skipPasswordChange() }
        },
      ]
    }
    return calls
  }

  private static func resets(_ status: OktaAuthStatusPasswordReset) -> [TrialCall] {
    [
      TrialCall("reset") {
        status.resetPassword(newPassword: "New-Horse-2", onStatusChange: $0.changed, onError: $0.failed)
      },
      TrialCall("reset, no sessions") {
        status.resetPassword(
          newPassword: "New-Horse-2", revokeSessions: true, onStatusChange: $0.changed, onError: $0.failed)
      },
      TrialCall("reset, awaited") {
        await $0.hear { () throws(OktaError) in
          try await status.resetPassword(newPassword: "New-Horse-2", revokeSessions: false)
        }
      },
    ]
  }

  private static func recovers(_ status: OktaAuthStatusRecovery) -> [TrialCall] {
    [
      TrialCall("answer") { status.recoverWithAnswer("Tofu", onStatusChange: $0.changed, onError: $0.failed) },
      TrialCall("answer, awaited") {
        await $0.hear { () throws(OktaError) in try await status.recoverWithAnswer("Tofu") }
      },
      TrialCall("redeem") { status.recoverWithToken("00token", onStatusChange: $0.changed, onError: $0.failed) },
      TrialCall("redeem, awaited") {
        await $0.hear { () throws(OktaError) in try await status.recoverWithToken("00token") }
      },
    ]
  }

  private static func answers(_ status: OktaAuthStatusRecoveryChallenge) -> [TrialCall] {
    [
      TrialCall("verify") { status.verifyFactor(passCode: "123456", onStatusChange: $0.changed, onError: $0.failed) },
      TrialCall("verify, awaited") {
        await $0.hear { () throws(OktaError) in try await status.verifyFactor(passCode: "123456") }
      },
      TrialCall("redeem") {
        status.verifyFactor(recoveryToken: "00token", onStatusChange: $0.changed, onError: $0.failed)
      },
      TrialCall("redeem, awaited") {
        await $0.hear { () throws(OktaError) in try await status.verifyFactor(recoveryToken: "00token") }
      },
      TrialCall("resend") { status.resendFactor(onStatusChange: $0.changed, onError: $0.failed) },
      TrialCall("resend, awaited") { await $0.hear { () throws(OktaError) in try await status.resendFactor() } },
    ]
  }

  private static func enrolls(_ status: OktaAuthStatusFactorEnroll) -> [TrialCall] {
    [
      TrialCall("skip") { status.skipEnrollment(onStatusChange: $0.changed, onError: $0.failed) },
      TrialCall("skip, awaited") { await $0.hear { () throws(OktaError) in try await status.skipEnrollment() } },
    ]
      + status.availableFactors.flatMap { factor in
        [
          TrialCall("enroll \(factor.id ?? "-")") {
            status.enrollFactor(
              factor: factor, questionId: "q", answer: "Tofu", credentialId: "c", passCode: "123456",
              phoneNumber: "+1 555 0100", onStatusChange: $0.changed, onError: $0.failed)
          },
          TrialCall("enroll \(factor.id ?? "-"), with all") {
            status.enrollFactor(
              factor: factor, questionId: "q", answer: "Tofu", credentialId: "c", passCode: "123456",
              phoneNumber: "+1 555 0100", phoneExtension: "7", nextPassCode: "654321", updatePhone: true,
              onStatusChange: $0.changed, onError: $0.failed)
          },
          TrialCall("enroll \(factor.id ?? "-"), awaited") {
            await $0.hear { () throws(OktaError) in
              try await status.enrollFactor(
                factor: factor, questionId: nil, answer: nil, credentialId: nil, passCode: nil, phoneNumber: nil,
                phoneExtension: "8", updatePhone: false)
            }
          },
        ]
      }
  }

  private static func selects(_ status: OktaAuthStatusFactorRequired) -> [TrialCall] {
    status.availableFactors.flatMap { factor in
      [
        TrialCall("select \(factor.id ?? "-")") {
          status.selectFactor(factor, onStatusChange: $0.changed, onError: $0.failed)
        },
        TrialCall("select \(factor.id ?? "-"), awaited") {
          await $0.hear { () throws(OktaError) in try await status.selectFactor(factor) }
        },
      ]
    }
  }

  private static func verifies(_ status: OktaAuthStatusFactorChallenge) -> [TrialCall] {
    [
      TrialCall("verify") {
        status.verifyFactor(
          passCode: "123456", answerToSecurityQuestion: "Tofu", onStatusChange: $0.changed, onError: $0.failed,
          onFactorStatusUpdate: $0.updated)
      },
      TrialCall("verify and remember") {
        status.verifyFactor(
          passCode: nil, answerToSecurityQuestion: nil, rememberDevice: true, autoPush: false,
          onStatusChange: $0.changed, onError: $0.failed, onFactorStatusUpdate: $0.updated, onWaitingStatus: $0.waiting)
      },
      TrialCall("verify, awaited") { ear in
        await ear.hear { () throws(OktaError) in
          try await status.verifyFactor(
            passCode: "123456", answerToSecurityQuestion: nil, rememberDevice: false, autoPush: true,
            onFactorStatusUpdate: ear.updated, onWaitingStatus: ear.waiting)
        }
      },
      TrialCall("resend") { status.resendFactor(onStatusChange: $0.changed, onError: $0.failed) },
      TrialCall("resend, awaited") { await $0.hear { () throws(OktaError) in try await status.resendFactor() } },
    ]
  }

  private static func activates(_ status: OktaAuthStatusFactorEnrollActivate) -> [TrialCall] {
    [
      TrialCall("activate") {
        status.activateFactor(
          passCode: "123456", onStatusChange: $0.changed, onError: $0.failed, onFactorStatusUpdate: $0.updated)
      },
      TrialCall("activate and wait") {
        status.activateFactor(
          passCode: nil, onStatusChange: $0.changed, onError: $0.failed, onFactorStatusUpdate: $0.updated,
          onWaitingStatus: $0.waiting)
      },
      TrialCall("activate, awaited") { ear in
        await ear.hear { () throws(OktaError) in
          try await status.activateFactor(
            passCode: "123456", onFactorStatusUpdate: ear.updated, onWaitingStatus: ear.waiting)
        }
      },
      TrialCall("resend") { status.resendFactor(onStatusChange: $0.changed, onError: $0.failed) },
      TrialCall("resend, awaited") { await $0.hear { () throws(OktaError) in try await status.resendFactor() } },
    ]
  }

  private static func unlocks(_ status: OktaAuthStatusLockedOut) -> [TrialCall] {
    [
      TrialCall("unlock") {
        status.unlock(username: "ann", factorType: .email, onStatusChange: $0.changed, onError: $0.failed)
      },
      TrialCall("unlock with a state") {
        status.unlock(
          username: "ann", factorType: nil, relayState: "there", onStatusChange: $0.changed, onError: $0.failed)
      },
      TrialCall("unlock, awaited") {
        await $0.hear { () throws(OktaError) in
          try await status.unlock(username: "ann", factorType: .call, relayState: "there")
        }
      },
    ]
  }
}
