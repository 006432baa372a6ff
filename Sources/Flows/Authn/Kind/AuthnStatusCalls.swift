// The calls of statuses in a replay, each by the methods that the status's class offers for it.

import EventStore
import FlowRecording
import Foundation

/// Makes one recorded call on a status.
struct AuthnStatusCalls {
  let arguments: JSON
  let object: OktaAuthStatus
  let hearing: AuthnHearing
  let table: AuthnFormTable

  private var relayState: String? { arguments["relayState"]?.string }
  private var factorType: OktaRecoveryFactors? {
    arguments["factorType"]?.string.flatMap(OktaRecoveryFactors.init(rawValue:))
  }
  private var refused: PlayedCall { .refused("\(object.statusType.rawValue) has no method for this call") }

  /// Makes the call.
  func play() -> PlayedCall {
    let (changed, done, failed, object) = (table.changed, table.done, table.failed, object)
    switch table.call {
    case .authenticate: return authenticate()
    case .unlockAccount, .recoverPassword: return recover()
    case .recoverWithToken: return redeem()
    case .unlock: return unlock()
    case .changePassword, .resetPassword: return changePassword()
    case .recoverWithAnswer: return answer()
    case .skipEnrollment, .skipPasswordChange: return skip()
    case .cancel:
      return table.play([
        PlayedForm("status") { object.cancel(onSuccess: done, onError: failed) },
        PlayedForm("status, without closures", .silent) { object.cancel() },
        table.awaitedEnd("status, awaited") { () throws(OktaError) in
          let cancel: () async throws(OktaError) -> Void = object.cancel
          try await cancel()
        },
      ])
    case .returnToPreviousStatus:
      return table.play([
        PlayedForm("status") { object.returnToPreviousStatus(onStatusChange: changed, onError: failed) },
        table.awaited("status, awaited") { () throws(OktaError) in try await object.returnToPreviousStatus() },
      ])
    case .sendRequest: return send()
    case .enrollFactor, .activateFactor, .selectFactor, .verifyFactor, .checkFactorResult, .resendFactor,
      .sendActivationLink, .completeFactor, .downloadSecurityQuestions, .fetchStatus, .stopPolling:
      return .noForm
    }
  }

  private func authenticate() -> PlayedCall {
    guard let object = object as? OktaAuthStatusUnauthenticated else { return refused }
    let (changed, failed) = (table.changed, table.failed)
    let (username, password) = (arguments["username"]?.string, arguments["password"]?.string)
    let options = options
    var forms = [
      PlayedForm("with options") {
        object.authenticate(
          username: username, password: password, options: options, onStatusChange: changed, onError: failed)
      },
      table.awaited("with options, awaited") { () throws(OktaError) in
        try await object.authenticate(username: username, password: password, options: options)
      },
    ]
    if let username, let password, arguments.object?.members.count == 2 {
      forms += [
        PlayedForm("short") {
          object.authenticate(username: username, password: password, onStatusChange: changed, onError: failed)
        },
        table.awaited("short, awaited") { () throws(OktaError) in
          try await object.authenticate(username: username, password: password)
        },
      ]
    }
    return table.play(forms)
  }

  private var options: OktaAuthenticationOptions {
    var options = OktaAuthenticationOptions()
    options.multiOptionalFactorEnroll = arguments["multiOptionalFactorEnroll"]?.bool ?? true
    options.warnBeforePasswordExpired = arguments["warnBeforePasswordExpired"]?.bool ?? true
    options.relayState = relayState
    options.audience = arguments["audience"]?.string
    options.activationToken = arguments["token"]?.string
    // One that cannot be sent was recorded as null.
    options.deviceToken = arguments["deviceToken"].map { $0.string ?? "" }
    options.deviceFingerprint = arguments["deviceFingerprint"]?.string
    options.apiToken = arguments["apiToken"]?.string
    options.forwardedFor = arguments["forwardedFor"]?.string
    options.acceptLanguage = arguments["acceptLanguage"]?.string
    options.languagesStay = arguments["languagesStay"]?.bool == true
    options.deviceOnceSent = arguments["deviceOnceSent"]?.bool == true
    return options
  }

  private func recover() -> PlayedCall {
    guard let object = object as? OktaAuthStatusUnauthenticated, let username = arguments["username"]?.string else {
      return refused
    }
    let (changed, failed) = (table.changed, table.failed)
    let (factor, relayState) = (factorType, relayState)
    let isUnlock = table.call == .unlockAccount
    var forms = [
      PlayedForm("long") {
        if isUnlock {
          object.unlockAccount(
            username: username, factorType: factor, relayState: relayState, onStatusChange: changed, onError: failed)
        } else {
          object.recoverPassword(
            username: username, factorType: factor, relayState: relayState, onStatusChange: changed, onError: failed)
        }
      },
      table.awaited("awaited") { () throws(OktaError) in
        isUnlock
          ? try await object.unlockAccount(username: username, factorType: factor, relayState: relayState)
          : try await object.recoverPassword(username: username, factorType: factor, relayState: relayState)
      },
    ]
    if let factor, relayState == nil {
      forms.append(
        PlayedForm("short") {
          if isUnlock {
            object.unlockAccount(username: username, factorType: factor, onStatusChange: changed, onError: failed)
          } else {
            object.recoverPassword(username: username, factorType: factor, onStatusChange: changed, onError: failed)
          }
        })
    }
    return table.play(forms)
  }

  private func redeem() -> PlayedCall {
    guard let token = arguments["recoveryToken"]?.string else { return .noForm }
    let (changed, failed, relayState) = (table.changed, table.failed, relayState)
    switch object {
    case let object as OktaAuthStatusUnauthenticated:
      return table.play([
        PlayedForm("beginning") {
          object.recover(with: token, relayState: relayState, onStatusChange: changed, onError: failed)
        },
        table.awaited("beginning, awaited") { () throws(OktaError) in
          try await object.recover(with: token, relayState: relayState)
        },
      ])
    case let object as OktaAuthStatusRecovery:
      return table.play([
        PlayedForm("recovery") { object.recoverWithToken(token, onStatusChange: changed, onError: failed) },
        table.awaited("recovery, awaited") { () throws(OktaError) in try await object.recoverWithToken(token) },
      ])
    case let object as OktaAuthStatusRecoveryChallenge:
      return table.play([
        PlayedForm("challenge") {
          object.verifyFactor(recoveryToken: token, onStatusChange: changed, onError: failed)
        },
        table.awaited("challenge, awaited") { () throws(OktaError) in
          try await object.verifyFactor(recoveryToken: token)
        },
      ])
    default: return refused
    }
  }

  private func unlock() -> PlayedCall {
    guard let object = object as? OktaAuthStatusLockedOut, let username = arguments["username"]?.string else {
      return refused
    }
    let (changed, failed) = (table.changed, table.failed)
    let (factor, relayState) = (factorType, relayState)
    var forms = [
      PlayedForm("long") {
        object.unlock(
          username: username, factorType: factor, relayState: relayState, onStatusChange: changed, onError: failed)
      },
      table.awaited("awaited") { () throws(OktaError) in
        try await object.unlock(username: username, factorType: factor, relayState: relayState)
      },
    ]
    if let factor, relayState == nil {
      forms.append(
        PlayedForm("short") {
          object.unlock(username: username, factorType: factor, onStatusChange: changed, onError: failed)
        })
    }
    return table.play(forms)
  }

  private func changePassword() -> PlayedCall {
    guard let new = arguments["newPassword"]?.string else { return .noForm }
    let (changed, failed, revokes) = (table.changed, table.failed, arguments["revokeSessions"]?.bool)
    var forms: [PlayedForm] = []
    switch object {
    case let object as OktaAuthStatusPasswordChange:
      guard let old = arguments["oldPassword"]?.string else { return refused }
      forms = [
        PlayedForm("long") {
          object.changePassword(
            oldPassword: old, newPassword: new, revokeSessions: revokes, onStatusChange: changed, onError: failed)
        },
        table.awaited("awaited") { () throws(OktaError) in
          try await object.changePassword(oldPassword: old, newPassword: new, revokeSessions: revokes)
        },
      ]
      if revokes == nil {
        forms.append(
          PlayedForm("short") {
            object.changePassword(oldPassword: old, newPassword: new, onStatusChange: changed, onError: failed)
          })
      }
    case let object as OktaAuthStatusPasswordReset:
      forms = [
        PlayedForm("long") {
          object.resetPassword(newPassword: new, revokeSessions: revokes, onStatusChange: changed, onError: failed)
        },
        table.awaited("awaited") { () throws(OktaError) in
          try await object.resetPassword(newPassword: new, revokeSessions: revokes)
        },
      ]
      if revokes == nil {
        forms.append(
          PlayedForm("short") { object.resetPassword(newPassword: new, onStatusChange: changed, onError: failed) })
      }
    default: return refused
    }
    return table.play(forms)
  }

  private func answer() -> PlayedCall {
    guard let object = object as? OktaAuthStatusRecovery, let answer = arguments["answer"]?.string else {
      return refused
    }
    let (changed, failed) = (table.changed, table.failed)
    return table.play([
      PlayedForm("status") { object.recoverWithAnswer(answer, onStatusChange: changed, onError: failed) },
      table.awaited("status, awaited") { () throws(OktaError) in try await object.recoverWithAnswer(answer) },
    ])
  }

  private func skip() -> PlayedCall {
    let (changed, failed) = (table.changed, table.failed)
    switch (table.call, object) {
    case (.skipEnrollment, let object as OktaAuthStatusFactorEnroll):
      return table.play([
        PlayedForm("status") { object.skipEnrollment(onStatusChange: changed, onError: failed) },
        table.awaited("status, awaited") { () throws(OktaError) in try await object.skipEnrollment() },
      ])
    case (.skipPasswordChange, let object as OktaAuthStatusPasswordWarning):
      return table.play([
        PlayedForm("status") { object.skipPasswordChange(onStatusChange: changed, onError: failed) },
        table.awaited("status, awaited") { () throws(OktaError) in try await object.skipPasswordChange() },
      ])
    default: return refused
    }
  }

  /// A request with a payload from the application, to one of the links of the status.
  private func send() -> PlayedCall {
    let (changed, failed, hearing, object) = (table.changed, table.failed, hearing, object)
    guard let address = arguments["link"]?.string, case .object(let payload)? = arguments["payload"],
      let url = URL(string: address)
    else { return .noForm }
    var values = PlainJSON.value(.object(payload)) as? [String: Any] ?? [:]
    values["stateToken"] = arguments["stateToken"]?.string
    let allowed = (arguments["allow"]?.array ?? []).compactMap(\.string)
    let shown = object.links
    let links: [LinksResponse.Link?] = [shown?.next, shown?.prev, shown?.cancel, shown?.skip]
    let link = links.compactMap(\.self).first { $0.address == address && $0.allow == allowed }
    guard let link = link ?? (allowed.isEmpty ? LinksResponse.Link(href: url) : nil), link.address == address,
      PayloadArguments.json(values.filter { $0.key != "stateToken" }) == .object(payload)
    else { return .noForm }
    // The values are JSON, which is shared as it is.
    let kept = UncheckedPayload(values: values)
    return table.play([
      PlayedForm("status") {
        object.sendRequest(
          with: link, keyValuePayload: kept.values, onStatusChange: changed, onError: failed,
          onFactorStatusUpdate: hearing.result())
      },
      table.awaited("status, awaited") { () throws(OktaError) in
        try await object.sendRequest(
          with: link, keyValuePayload: kept.values, onFactorStatusUpdate: hearing.result())
      },
    ])
  }
}

/// Values that came out of JSON. `@unchecked`: texts, numbers and containers of them, which are never changed.
private struct UncheckedPayload: @unchecked Sendable {
  let values: [String: Any]
}
