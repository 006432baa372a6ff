// The application of a classic sign-in in a replay: it holds status objects, and calls their methods as recorded.

import EventStore
package import FlowRecording
import Foundation

extension AuthnKind: PlayableKind {
  package typealias Application = AuthnApplication
}

/// A replayed application of the seed's API.
package final class AuthnApplication: PlayedApplication {
  /// The first object; nil if a class method makes it.
  private let start: OktaAuthStatusUnauthenticated?
  /// The first call, if a class method made it.
  private var begunByMethod: Int?
  /// The factor of the last poll that was waiting.
  private var waiting: JSON?
  private let rerun: FlowRerun
  private let environment: FlowEnvironment
  private let org: URL
  private let origins: [String]?
  package let flow: Flow<AuthnCore>
  private let objects = Locked<[Int: OktaAuthStatus]>([:])
  private let got = PlayedResults<Got>()
  private let hearings = Locked<[Int: AuthnHearing]>([:])
  private let questions = Locked<[Int: [SecurityQuestion]]>([:])
  private let recorder: ObservedRecorder<AuthnHearing.News>?
  private let silent = Locked<Set<Int>>([])

  /// The result of a call.
  private enum Got: Sendable {
    case status(OktaAuthStatus)
    case done
    case error(OktaError)
  }

  package init?(_ start: FlowStarted, _ environment: FlowEnvironment) throws(PlayedRefusal) {
    let settings = start.settings
    // Without an interval, the flow was not started by an object.
    guard start.resumes == nil, settings["handler"] == nil, let rerun = environment.rerun,
      let milliseconds = settings["pollMilliseconds"]?.int
    else { return nil }
    guard let url = settings.url("org") else { throw PlayedRefusal("the address of the org cannot be set") }
    var environment = environment
    recorder = environment.recorder.map { ObservedRecorder($0, note: AuthnHearing.News.init) }
    if let recorder { environment.recorder = recorder }
    (self.rerun, self.environment, org) = (rerun, environment, url)
    let origins = settings["origins"]?.array.map { $0.compactMap(\.string) }
    self.origins = origins
    if Self.beginsByMethod(rerun, settings) {
      flow = Flow(environment: environment, settings: settings)
      rerun.ready.keep(flow, begunWith: settings)
      self.start = nil
    } else {
      // A slash at the end is not part of the address.
      let isPlain = rerun.forms.choose("org", among: ["plain", "with a slash"]) == "plain"
      let address = isPlain ? url : URL(string: url.absoluteString + "/") ?? url
      let begun = OktaAuthStatusUnauthenticated(
        oktaDomain: address,
        responseHandler: OktaAuthStatusResponseHandler(pollInterval: Double(milliseconds) / 1000),
        allowedOrigins: origins, environment: environment)
      self.start = begun
      flow = begun.object.session.flow
    }
  }

  package func complaint(about outcome: CallReturned.Outcome, of call: Int, in core: AuthnCore) -> String? {
    if let complaint = got.complaint(about: call) { return complaint }
    let hearing = hearings.withLock { $0.removeValue(forKey: call) }
    return resultComplaint(about: outcome, of: call, in: core)
      ?? hearing?.complaint(of: call, recorder?.notes ?? [], answered: Self.result(outcome, core))
  }

  /// The factor result in the answer with a status.
  private static func result(_ outcome: CallReturned.Outcome, _ core: AuthnCore) -> String? {
    guard outcome == .status, case .json(let json) = core.ledger.answer?.body else { return nil }
    return json["factorResult"]?.string
  }

  private func resultComplaint(about outcome: CallReturned.Outcome, of call: Int, in core: AuthnCore) -> String? {
    let got = got.take(call)
    let manner = rerun.forms.manner(of: call)
    switch (outcome, got) {
    // Without closures there is no callback; a waiting task receives an error.
    case (_, nil) where manner == .silent: return nil
    case (.cancelled, nil) where manner != .awaited: return nil
    case (.cancelled, .error(.cancelled)) where manner == .awaited: return nil
    case (.done, .done): return questionComplaint(of: call, in: core)
    // The end of polling is not reported.
    case (.done, nil) where silent.withLock({ $0.remove(call) }) != nil: return nil
    case (.status, .status(let status)): return complaint(about: status, in: core)
    case (.failed(let code, let details), .error(let error)):
      rerun.forms.hear(error, [error.httpStatus.map(String.init)], of: call)
      guard error.record["code"]?.string == code else {
        return PlayedResults<Got>.error(error.record["code"]?.text ?? "")
      }
      return AuthnErrorCheck(error: error, details: details, core: core, secrets: rerun.secrets).complaint
    case (_, .error(let error)): return PlayedResults<Got>.error(error.record["code"]?.text ?? "")
    case (_, .status), (_, .done): return PlayedResults<Got>.another
    case (_, nil): return PlayedResults<Got>.nothing
    }
  }

  private func complaint(about status: OktaAuthStatus, in core: AuthnCore) -> String? {
    guard status.object.state.snapshotRevision == core.snapshotRevision else {
      return "the status object of another revision was handed over"
    }
    return AuthnObjectCheck(status, rerun.secrets).complaint
  }

  /// What a poll shows while it waits, such as a number to choose: checked whenever the factor changes.
  package func complaint(
    aboutNews events: [(revision: Int, event: DomainEvent)], in core: AuthnCore
  ) -> (Int, String)? {
    guard let (revision, _) = events.first(where: { FactorUpdated($0.event)?.result == "WAITING" }) else { return nil }
    let factor = core.current?.body["_embedded"]?["factor"]
    guard factor != waiting, let session else { return nil }
    waiting = factor
    // An incomplete answer is not a challenge, and the call fails.
    guard let status = session.status(of: core), type(of: status) != OktaAuthStatus.self else { return nil }
    return complaint(about: status, in: core).map { (revision, $0) }
  }

  package func letGo() -> Bool {
    let waiting = flow.core.openCalls
    objects.withLock { $0 = [:] }
    // A waiting task has not released the flow.
    return waiting.allSatisfy { call in
      hearings.withLock { $0[call] != nil } && rerun.forms.manner(of: call) != .awaited
    }
  }

  private var session: AuthnSession? {
    start?.object.session ?? objects.withLock { $0.values.first?.object.session }
  }

  /// How a list of questions differs from the one sent by the org.
  private func questionComplaint(of call: Int, in core: AuthnCore) -> String? {
    guard let shown = questions.withLock({ $0.removeValue(forKey: call) }) else { return nil }
    guard case .json(let json) = core.ledger.answer?.body else { return nil }
    let sent = (rerun.secrets.reveal(json).array ?? []).filter { $0.object != nil }
    let isSame =
      shown.map(\.question) == sent.map { $0["question"]?.string }
      && shown.map(\.questionText) == sent.map { $0["questionText"]?.string }
    return isSame ? nil : "the questions are not what the org sent"
  }

  // MARK: Calls

  package func call(_ made: CallMade, at revision: Int, on snapshot: AuthnCore?) -> PlayedCall {
    guard let name = AuthnCall(rawValue: made.call) else { return .noForm }
    let arguments = made.arguments
    let (got, objects, questions) = (got, objects, questions)
    let table = AuthnFormTable(
      call: name, revision: revision, forms: rerun.forms, tasks: rerun.tasks,
      changed: { status in
        got.keep(.status(status), of: revision)
        if let place = status.object.state.snapshotRevision { objects.withLock { $0[place] = status } }
      },
      done: { got.keep(.done, of: revision) }, failed: { got.keep(.error($0), of: revision) })
    if start == nil, begunByMethod == nil {
      begunByMethod = revision
      return beginByMethod(table, arguments)
    }
    let session = session
    let held = made.on.flatMap { on in objects.withLock { $0[on] } }
    guard let object = held ?? snapshot.flatMap({ session?.status(of: $0) }) ?? start else { return .noForm }
    if let milliseconds = arguments["pollMilliseconds"]?.int {
      object.responseHandler.pollInterval = Double(milliseconds) / 1000
      object.responseHandler.intervalCountsOnceSent = arguments["pollOnceSent"]?.bool == true
    } else if name.polls {
      // The interval of a refused call may have been changed back.
      object.responseHandler.pollInterval = Double(object.object.session.flow.core.pollMilliseconds) / 1000
    }
    if name == .stopPolling {
      silent.withLock { _ = $0.insert(revision) }
      object.responseHandler.cancel()
      return .played
    }
    let hearing = AuthnHearing(name, rerun.secrets)
    hearings.withLock { $0[revision] = hearing }
    switch name {
    case .enrollFactor, .activateFactor, .selectFactor, .verifyFactor, .checkFactorResult, .resendFactor,
      .sendActivationLink, .completeFactor, .downloadSecurityQuestions:
      return AuthnFactorCalls(
        arguments: arguments, object: object, hearing: hearing, table: table,
        listed: { list in questions.withLock { $0[revision] = list } }
      ).play()
    case .authenticate, .fetchStatus, .unlockAccount, .recoverPassword, .recoverWithToken, .unlock, .cancel,
      .returnToPreviousStatus, .skipEnrollment, .skipPasswordChange, .changePassword, .resetPassword,
      .recoverWithAnswer, .sendRequest, .stopPolling:
      return AuthnStatusCalls(arguments: arguments, object: object, hearing: hearing, table: table).play()
    }
  }

  /// Starts by the class methods of the seed's entry point, which create the first object themselves.
  private func beginByMethod(_ table: AuthnFormTable, _ arguments: JSON) -> PlayedCall {
    let (changed, failed, environment) = (table.changed, table.failed, environment)
    let (org, origins) = (org, origins)
    guard arguments.object?.members.allSatisfy({ Self.methodArguments.contains($0.key) }) == true else {
      return .noForm
    }
    let (user, token) = (arguments["username"]?.string ?? "", arguments["stateToken"]?.string)
    let password = arguments["password"]?.string
    let factor = arguments["factorType"]?.string.flatMap(OktaRecoveryFactors.init(rawValue:))
    let recoveryToken = arguments["recoveryToken"]?.string ?? ""
    let name = table.call
    return table.play([
      PlayedForm("class method") {
        environment.run {
          switch name {
          case .fetchStatus:
            OktaAuthSdk.fetchStatus(
              with: token ?? "", using: org, allowedOrigins: origins, onStatusChange: changed,
              onError: failed)
          case .unlockAccount:
            OktaAuthSdk.unlockAccount(
              with: org, username: user, factorType: factor, allowedOrigins: origins, onStatusChange: changed,
              onError: failed)
          case .recoverPassword:
            OktaAuthSdk.recoverPassword(
              with: org, username: user, factorType: factor, allowedOrigins: origins, onStatusChange: changed,
              onError: failed)
          case .recoverWithToken:
            OktaAuthSdk.recover(
              with: recoveryToken, using: org, allowedOrigins: origins, onStatusChange: changed,
              onError: failed)
          case _:
            OktaAuthSdk.authenticate(
              with: org, username: user, password: password, allowedOrigins: origins, onStatusChange: changed,
              onError: failed)
          }
        }
      },
      table.awaited("class method, awaited") { () throws(OktaError) in
        switch name {
        case .fetchStatus:
          try await OktaAuthSdk.fetchStatus(
            with: token ?? "", using: org, allowedOrigins: origins, environment: environment)
        case .unlockAccount:
          try await OktaAuthSdk.unlockAccount(
            with: org, username: user, factorType: factor, allowedOrigins: origins, environment: environment)
        case .recoverPassword:
          try await OktaAuthSdk.recoverPassword(
            with: org, username: user, factorType: factor, allowedOrigins: origins, environment: environment)
        case .recoverWithToken:
          try await OktaAuthSdk.recover(
            with: recoveryToken, using: org, allowedOrigins: origins, environment: environment)
        case _:
          try await OktaAuthSdk.authenticate(
            with: org, username: user, password: password, allowedOrigins: origins, environment: environment)
        }
      },
    ])
  }

  private static let methodArguments: Set = ["username", "password", "factorType", "recoveryToken", "stateToken"]
  private static let methods: Set<AuthnCall> = [
    .authenticate, .unlockAccount, .recoverPassword, .recoverWithToken, .fetchStatus,
  ]

  /// Whether a flow starts with a class method: always if no object has the call, otherwise occasionally.
  private static func beginsByMethod(_ rerun: FlowRerun, _ settings: JSON) -> Bool {
    guard let first = (rerun.calls.first?.call).flatMap(AuthnCall.init), methods.contains(first),
      settings["pollMilliseconds"] == 5000
    else { return false }
    let hasMore = settings.object?.members.contains { !["org", "pollMilliseconds", "origins"].contains($0.key) }
    if first == .fetchStatus { return hasMore == false }
    return settings.object?.members.count == 2
      && rerun.forms.choose("beginning", among: ["object", "object", "class method"]) == "class method"
  }
}
