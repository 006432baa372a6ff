// The application of a classic sign-in in a replay: it holds status objects, and calls their methods as recorded.

import EventStore
package import FlowRecording
import Foundation

extension AuthnKind: PlayableKind {
  package typealias Application = AuthnApplication
}

/// Plays an application of the seed's API.
package final class AuthnApplication: PlayedApplication {
  private let handler: OktaAuthStatusResponseHandler
  private let start: OktaAuthStatusUnauthenticated
  private let objects = Locked<[Int: OktaAuthStatus]>([:])
  private let got = PlayedResults<Got>()
  private let hearings = Locked<[Int: AuthnHearing]>([:])
  private let questions = Locked<[Int: [SecurityQuestion]]>([:])
  private let recorder: ObservedRecorder?
  private let silent = Locked<Set<Int>>([])

  /// What a call brought.
  private enum Got: Sendable {
    case status(OktaAuthStatus)
    case done
    case error(OktaError)
  }

  package init?(_ start: FlowStarted, _ environment: FlowEnvironment) {
    let settings = start.settings
    guard start.resumes == nil, settings["handler"] == nil, let url = settings.url("org"),
      let milliseconds = settings["pollMilliseconds"]?.int
    else { return nil }
    var environment = environment
    recorder = environment.recorder.map(ObservedRecorder.init)
    if let recorder { environment.recorder = recorder }
    handler = OktaAuthStatusResponseHandler(pollInterval: Double(milliseconds) / 1000)
    self.start = OktaAuthStatusUnauthenticated(
      oktaDomain: url, responseHandler: handler,
      allowedOrigins: settings["origins"]?.array.map { $0.compactMap(\.string) }, environment: environment)
  }

  package var flow: Flow<AuthnCore> { start.object.session.flow }

  package func complaint(about outcome: CallReturned.Outcome, of call: Int, in core: AuthnCore) -> String? {
    if got.isRepeated(call) { return PlayedResults<Got>.repeated }
    let hearing = hearings.withLock { $0.removeValue(forKey: call) }
    return resultComplaint(about: outcome, of: call, in: core)
      ?? hearing?.complaint(of: call, recorder?.records ?? [])
  }

  private func resultComplaint(about outcome: CallReturned.Outcome, of call: Int, in core: AuthnCore) -> String? {
    let got = got.take(call)
    switch (outcome, got) {
    case (.cancelled, nil): return nil
    case (.done, .done): return questionComplaint(of: call, in: core)
    // The end of polling is announced to no one.
    case (.done, nil) where silent.withLock({ $0.remove(call) }) != nil: return nil
    case (.status, .status(let status)):
      guard status.object.state.snapshotRevision == core.snapshotRevision else {
        return "the status object of another revision was handed over"
      }
      return AuthnObjectCheck(status).complaint
    case (.failed(let code, let details), .error(let error)):
      guard error.record["code"]?.string == code else {
        return PlayedResults<Got>.error(error.record["code"]?.text ?? "")
      }
      return AuthnErrorCheck(error: error, details: details, core: core, vault: flow.vault).complaint
    case (_, .error(let error)): return PlayedResults<Got>.error(error.record["code"]?.text ?? "")
    case (_, .status), (_, .done): return PlayedResults<Got>.another
    case (_, nil): return PlayedResults<Got>.nothing
    }
  }

  /// What a list of questions shows otherwise than the org sent it.
  private func questionComplaint(of call: Int, in core: AuthnCore) -> String? {
    guard let shown = questions.withLock({ $0.removeValue(forKey: call) }) else { return nil }
    guard case .json(let json) = core.ledger.answer?.body else { return nil }
    let sent = (flow.vault.reveal(json).array ?? []).filter { $0.object != nil }
    let isSame =
      shown.map(\.question) == sent.map { $0["question"]?.string }
      && shown.map(\.questionText) == sent.map { $0["questionText"]?.string }
    return isSame ? nil : "the questions are not what the org sent"
  }

  // MARK: Calls

  /// The closures of one call.
  private struct Closures {
    let changed: (OktaAuthStatus) -> Void
    let done: () -> Void
    let failed: (OktaError) -> Void
  }

  private func closures(_ call: Int) -> Closures {
    let (got, objects) = (got, objects)
    return Closures(
      changed: { status in
        got.keep(.status(status), of: call)
        if let revision = status.object.state.snapshotRevision { objects.withLock { $0[revision] = status } }
      },
      done: { got.keep(.done, of: call) }, failed: { got.keep(.error($0), of: call) })
  }

  package func call(_ made: CallMade, at revision: Int, on snapshot: AuthnCore?) -> Bool {
    guard let name = AuthnCall(rawValue: made.call) else { return false }
    let arguments = made.arguments
    let object =
      made.on.flatMap { on in objects.withLock { $0[on] } }
      ?? snapshot.flatMap { start.object.session.status(of: $0) } ?? start
    if let milliseconds = arguments["pollMilliseconds"]?.int { handler.pollInterval = Double(milliseconds) / 1000 }
    let closures = closures(revision)
    switch name {
    case .authenticate, .unlockAccount, .recoverPassword:
      guard let object = object as? OktaAuthStatusUnauthenticated else { return false }
      return begin(name, arguments, on: object, closures)
    case .recoverWithToken: return redeem(arguments, on: object, closures)
    case .unlock, .changePassword, .resetPassword, .recoverWithAnswer, .skipEnrollment, .skipPasswordChange:
      return goOn(name, arguments, on: object, closures)
    case .cancel: object.cancel(onSuccess: closures.done, onError: closures.failed)
    case .returnToPreviousStatus:
      object.returnToPreviousStatus(onStatusChange: closures.changed, onError: closures.failed)
    case .enrollFactor, .activateFactor, .selectFactor, .verifyFactor, .checkFactorResult, .resendFactor,
      .sendActivationLink, .completeFactor, .downloadSecurityQuestions:
      let (hearing, questions) = (AuthnHearing(), questions)
      hearings.withLock { $0[revision] = hearing }
      return AuthnFactorCalls(
        arguments: arguments, object: object, hearing: hearing, changed: closures.changed, done: closures.done,
        listed: { list in questions.withLock { $0[revision] = list } }, failed: closures.failed
      ).call(name)
    case .stopPolling:
      silent.withLock { _ = $0.insert(revision) }
      handler.cancel()
    // Made by a class method, or with a payload of the application's own.
    case .fetchStatus, .sendRequest: return false
    }
    return true
  }

  private func begin(
    _ name: AuthnCall, _ arguments: JSON, on object: OktaAuthStatusUnauthenticated, _ closures: Closures
  ) -> Bool {
    if name == .authenticate {
      guard arguments["deviceToken"] == nil else { return false }
      var options = OktaAuthenticationOptions()
      options.multiOptionalFactorEnroll = arguments["multiOptionalFactorEnroll"]?.bool ?? true
      options.warnBeforePasswordExpired = arguments["warnBeforePasswordExpired"]?.bool ?? true
      options.relayState = arguments["relayState"]?.string
      options.audience = arguments["audience"]?.string
      options.activationToken = arguments["token"]?.string
      options.deviceFingerprint = arguments["deviceFingerprint"]?.string
      options.apiToken = arguments["apiToken"]?.string
      options.forwardedFor = arguments["forwardedFor"]?.string
      options.acceptLanguage = arguments["acceptLanguage"]?.string
      object.authenticate(
        username: arguments["username"]?.string, password: arguments["password"]?.string, options: options,
        onStatusChange: closures.changed, onError: closures.failed)
      return true
    }
    guard let username = arguments["username"]?.string else { return false }
    let factor = arguments["factorType"]?.string.flatMap(OktaRecoveryFactors.init(rawValue:))
    let relayState = arguments["relayState"]?.string
    if name == .unlockAccount {
      object.unlockAccount(
        username: username, factorType: factor, relayState: relayState, onStatusChange: closures.changed,
        onError: closures.failed)
    } else {
      object.recoverPassword(
        username: username, factorType: factor, relayState: relayState, onStatusChange: closures.changed,
        onError: closures.failed)
    }
    return true
  }

  private func redeem(_ arguments: JSON, on object: OktaAuthStatus, _ closures: Closures) -> Bool {
    guard let token = arguments["recoveryToken"]?.string else { return false }
    switch object {
    case let object as OktaAuthStatusUnauthenticated:
      object.recover(
        with: token, relayState: arguments["relayState"]?.string, onStatusChange: closures.changed,
        onError: closures.failed)
    case let object as OktaAuthStatusRecovery:
      object.recoverWithToken(token, onStatusChange: closures.changed, onError: closures.failed)
    case let object as OktaAuthStatusRecoveryChallenge:
      object.verifyFactor(recoveryToken: token, onStatusChange: closures.changed, onError: closures.failed)
    default: return false
    }
    return true
  }

  private func goOn(
    _ name: AuthnCall, _ arguments: JSON, on object: OktaAuthStatus, _ closures: Closures
  ) -> Bool {
    let (changed, failed) = (closures.changed, closures.failed)
    switch (name, object) {
    case (.unlock, let object as OktaAuthStatusLockedOut):
      guard let username = arguments["username"]?.string else { return false }
      object.unlock(
        username: username, factorType: arguments["factorType"]?.string.flatMap(OktaRecoveryFactors.init(rawValue:)),
        relayState: arguments["relayState"]?.string, onStatusChange: changed, onError: failed)
    case (.changePassword, let object as OktaAuthStatusPasswordChange):
      guard let old = arguments["oldPassword"]?.string, let new = arguments["newPassword"]?.string else { return false }
      object.changePassword(
        oldPassword: old, newPassword: new, revokeSessions: arguments["revokeSessions"]?.bool, onStatusChange: changed,
        onError: failed)
    case (.resetPassword, let object as OktaAuthStatusPasswordReset):
      guard let new = arguments["newPassword"]?.string else { return false }
      object.resetPassword(
        newPassword: new, revokeSessions: arguments["revokeSessions"]?.bool, onStatusChange: changed, onError: failed)
    case (.recoverWithAnswer, let object as OktaAuthStatusRecovery):
      guard let answer = arguments["answer"]?.string else { return false }
      object.recoverWithAnswer(answer, onStatusChange: changed, onError: failed)
    case (.skipEnrollment, let object as OktaAuthStatusFactorEnroll):
      object.skipEnrollment(onStatusChange: changed, onError: failed)
    case (.skipPasswordChange, let object as OktaAuthStatusPasswordWarning):
      object.skipPasswordChange(onStatusChange: changed, onError: failed)
    default: return false
    }
    return true
  }
}
