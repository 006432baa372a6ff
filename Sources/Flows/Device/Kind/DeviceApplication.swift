// The application of a device flow in a replay. It holds an authenticator, enrollments, and challenges, and calls their
// methods as recorded. Keys, storage, the person, the clock, and the network return what was recorded.

package import EventStore
package import FlowRecording
import Foundation

extension DeviceKind: PlayableKind {
  package typealias Application = DeviceApplication
}

/// Plays an application that uses the public device API.
package final class DeviceApplication: PlayedApplication {
  /// The result of a call.
  enum Got: Sendable {
    case done
    case policy(any AuthenticatorPolicyProtocol)
    case enrollment(any AuthenticatorEnrollmentProtocol)
    /// A challenge; `nil` for a pulled one that the application does not receive.
    case challenge((any PushChallengeProtocol)?)
    case challenges([any PushChallengeProtocol])
    case credential(Oauth2Credential)
    case error(DeviceAuthenticatorError)
  }

  private let rerun: FlowRerun
  private let settings: DevicePlayedSettings
  private let environment: FlowEnvironment
  private let replay = DeviceReplay()
  private let storage: DevicePlayedStorage
  private let device: DeviceFlow
  let context: DeviceContext
  let got = PlayedResults<Got>()
  let steps = DevicePlayedSteps()
  /// The challenge that the application received last.
  var challenge: (any PushChallengeProtocol)?
  /// The enrollment that an operation uses, and the operation's call.
  private var operation: (call: Int, enrollment: any AuthenticatorEnrollmentProtocol)?
  /// The calls whose end is not reported to the application.
  var silent: Set<Int> = []
  /// The call that a dedicated thread waits for.
  private var thread: (call: Int, end: DispatchSemaphore)?

  package init?(_ start: FlowStarted, _ environment: FlowEnvironment) throws(PlayedRefusal) {
    guard start.resumes == nil, let rerun = environment.rerun, start.settings["userAgent"] != nil else { return nil }
    guard let settings = DevicePlayedSettings(start.settings) else {
      throw PlayedRefusal("no configuration of a device brings such settings about")
    }
    self.rerun = rerun
    var environment = environment
    storage = DevicePlayedStorage()
    environment[KeyStoreSeam.self] = MemoryKeyStore()
    environment[StorageSeam.self] = storage.rows
    self.settings = settings
    self.environment = environment
    guard let context = try? settings.context(environment, replay) else {
      throw PlayedRefusal("the authenticator is not built with such a configuration")
    }
    self.context = context
    device = context.begin()
    replay.flow = device
  }

  deinit { replay.letGo() }

  package var flow: Flow<DeviceCore> { device.flow }

  package func answers(_ asked: DrawAsked, with result: Result<JSON, DrawFailure>) {
    guard asked.kind == .deviceStore, case .success = result else { return }
    storage.write(asked.input, knowing: flow.vault.reveal(flow.core.challenge?.stored["enrollment"] ?? .null))
  }

  // MARK: Calls

  package func call(_ made: CallMade, at revision: Int, on snapshot: DeviceCore?) -> PlayedCall {
    guard let name = DeviceCall(rawValue: made.call) else { return .noForm }
    let table = DeviceFormTable(
      call: name, revision: revision, forms: rerun.forms, tasks: rerun.tasks, got: got)
    if name.isOfChallenge { return callOfChallenge(table, made.arguments) }
    if name == .downloadPolicy || name == .enroll { return begin(table, made.arguments) }
    guard let enrollment = enrollment(made.arguments, at: revision) else {
      return .refused("the enrollment is not listed")
    }
    operation = (revision, enrollment)
    return call(table, made.arguments, on: enrollment)
  }

  private func begin(_ table: DeviceFormTable, _ arguments: JSON) -> PlayedCall {
    guard let token = arguments["token"]?.string, let url = arguments.url("orgURL"),
      let client = arguments["clientId"]?.string
    else { return .noForm }
    let config = DeviceAuthenticatorConfig(orgURL: url, oidcClientId: client)
    if table.call == .downloadPolicy {
      let device = DeviceAuthenticator(context)
      return table.value(DeviceApplication.Got.policy) {
        device.downloadPolicy(authenticationToken: .bearer(token), authenticatorConfig: config, completion: $0)
      } awaited: { () throws(DeviceAuthenticatorError) in
        try await device.downloadPolicy(authenticationToken: .bearer(token), authenticatorConfig: config)
      }
    }
    guard let environment = arguments["apsEnvironment"]?.string.flatMap(APSEnvironment.init),
      let pushToken = arguments["pushToken"]?.string,
      let authenticator = try? settings.context(self.environment, replay, apsEnvironment: environment)
    else { return .noForm }
    var parameters = EnrollmentParameters(deviceToken: pushToken.isEmpty ? .empty : .tokenString(pushToken))
    if let enable = arguments["userVerification"]?.bool { parameters.enableUserVerification(enable: enable) }
    if let enable = arguments["ciba"]?.bool { parameters.enableCIBATransactions(enable: enable) }
    let device = DeviceAuthenticator(authenticator)
    return table.value(DeviceApplication.Got.enrollment) { [parameters] in
      device.enroll(
        authenticationToken: .bearer(token), authenticatorConfig: config, enrollmentParameters: parameters,
        completion: $0)
    } awaited: { [parameters] () throws(DeviceAuthenticatorError) in
      try await device.enroll(
        authenticationToken: .bearer(token), authenticatorConfig: config, enrollmentParameters: parameters)
    }
  }

  /// The enrollment that an application would have listed, based on what the flow is about to read from storage.
  private func enrollment(_ arguments: JSON, at revision: Int) -> (any AuthenticatorEnrollmentProtocol)? {
    guard let id = arguments["enrollmentId"]?.string, let draws = environment.rerun?.draws else { return nil }
    let stored = draws.draw(.deviceStored, input: ["enrollment": .string(id)], ordinal: 0, revision: revision + 1)
    if case .success(let value) = stored { storage.put(value["enrollment"] ?? .null) }
    // An old handle whose enrollment is no longer stored.
    let gone = StoredEnrollment(id: id, orgID: "", orgURL: "", userID: "", deviceID: "")
    return DeviceAuthenticator(context).allEnrollments().first { $0.enrollmentId == id }
      ?? AuthenticatorEnrollment(gone, context)
  }

  private func call(
    _ table: DeviceFormTable, _ arguments: JSON, on enrollment: any AuthenticatorEnrollmentProtocol
  ) -> PlayedCall {
    let token = AuthToken.bearer(arguments["token"]?.string ?? "")
    let enable = arguments["enable"]?.bool
    switch (table.call, enable) {
    case (.updateDeviceToken, _):
      let text = arguments["pushToken"]?.string ?? ""
      return table.end {
        enrollment.updateDeviceToken(.tokenString(text), authenticationToken: token, completion: $0)
      } awaited: { () throws(DeviceAuthenticatorError) in
        try await enrollment.updateDeviceToken(.tokenString(text), authenticationToken: token)
      }
    case (.setUserVerification, let enable?):
      return table.end {
        enrollment.setUserVerification(authenticationToken: token, enable: enable, completion: $0)
      } awaited: { () throws(DeviceAuthenticatorError) in
        try await enrollment.setUserVerification(authenticationToken: token, enable: enable)
      }
    case (.enableCIBATransactions, let enable?):
      return table.end {
        enrollment.enableCIBATransactions(authenticationToken: token, enable: enable, completion: $0)
      } awaited: { () throws(DeviceAuthenticatorError) in
        try await enrollment.enableCIBATransactions(authenticationToken: token, enable: enable)
      }
    case (.delete, _): return delete(table, enrollment, token)
    case (.deleteFromDevice, _):
      return table.play([PlayedForm("here", .returning) { self.deleteHere(enrollment, at: table.revision) }])
    case (.retrieveMaintenanceToken, _):
      let scopes = (arguments["scopes"]?.array ?? []).compactMap(\.string)
      return table.value(DeviceApplication.Got.credential) {
        if scopes.isEmpty {
          enrollment.retrieveMaintenanceToken(completion: $0)
        } else {
          enrollment.retrieveMaintenanceToken(scopes: scopes, completion: $0)
        }
      } awaited: { () throws(DeviceAuthenticatorError) in
        try await enrollment.retrieveMaintenanceToken(scopes: scopes)
      }
    case (.retrievePushChallenges, _):
      return table.value(DeviceApplication.Got.challenges) {
        enrollment.retrievePushChallenges(authenticationToken: token, completion: $0)
      } awaited: { () throws(DeviceAuthenticatorError) in
        try await enrollment.retrievePushChallenges(authenticationToken: token, allowedClockSkewInSeconds: 300)
      }
    case (.setUserVerification, nil), (.enableCIBATransactions, nil), (.downloadPolicy, _), (.enroll, _), (.receive, _),
      (.respond, _), (.resolve, _), (.provideConsent, _), (.provideVerification, _), (.retrySubmission, _):
      return .noForm
    }
  }

  /// Deletes through whichever object has the enrollment; both have the method.
  private func delete(
    _ table: DeviceFormTable, _ enrollment: any AuthenticatorEnrollmentProtocol, _ token: AuthToken
  ) -> PlayedCall {
    let (device, got, revision) = (DeviceAuthenticator(context), got, table.revision)
    let end: @Sendable (DeviceAuthenticatorError?) -> Void = { got.keep($0.map(Got.error) ?? .done, of: revision) }
    return table.play([
      PlayedForm("of the enrollment") {
        enrollment.delete(enrollment: enrollment, authenticationToken: token, completion: end)
      },
      PlayedForm("of the authenticator") {
        device.delete(enrollment: enrollment, authenticationToken: token, completion: end)
      },
      table.awaited("of the authenticator, awaited") { () throws(DeviceAuthenticatorError) in
        try await device.delete(enrollment: enrollment, authenticationToken: token)
        return .done
      },
    ])
  }

  /// The method returns when the deletion is over while the recording continues, so a dedicated thread calls it.
  private func deleteHere(_ enrollment: any AuthenticatorEnrollmentProtocol, at revision: Int) {
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    replay.whenWaiting { begun.signal() }
    let got = got
    Thread {
      do {
        try enrollment.deleteFromDevice()
        got.keep(.done, of: revision)
      } catch {
        got.keep(.error(error as? DeviceAuthenticatorError ?? .internalError("\(error)")), of: revision)
      }
      begun.signal()
      end.signal()
    }.start()
    begun.wait()
    replay.whenWaiting(nil)
    thread = (revision, end)
  }

  // MARK: Results

  package func complaint(about outcome: CallReturned.Outcome, of call: Int, in core: DeviceCore) -> String? {
    if let thread, thread.call == call { _ = thread.end.wait(timeout: .now() + .seconds(10)) }
    if silent.remove(call) != nil { return nil }
    if let complaint = got.complaint(about: call) { return complaint }
    switch (outcome, got.take(call)) {
    case (_, nil) where rerun.forms.manner(of: call) == .silent: return nil
    case (.cancelled, .error(.genericError)): return nil
    case (.done, .some(let got)):
      return complaint(about: got, in: core)
        ?? operation.flatMap { $0.call == call ? storage.complaint(about: $0.enrollment) : nil }
    case (.failed(let code, let details), .error(let error)):
      rerun.forms.hear(error, [String(error.errorCode)], of: call)
      return DeviceErrorCheck(error).complaint(code, rerun.secrets.reveal(details), in: core)
    // A pulled challenge that fails a check is left out.
    case (.failed, .challenge(nil)): return nil
    case (_, .error(let error)): return PlayedResults<Got>.error(DeviceErrorCheck(error).code)
    case (_, .some): return PlayedResults<Got>.another
    case (_, nil): return PlayedResults<Got>.nothing
    }
  }

  private func complaint(about got: Got, in core: DeviceCore) -> String? {
    let secrets = rerun.secrets
    let body = { (step: DeviceStep) in secrets.reveal(core.operation?.answers[step]?.body ?? .null) }
    switch got {
    case .done: return challenge.flatMap { DeviceObjectCheck($0, in: core, secrets).complaint }
    case .policy(let policy): return DevicePolicyCheck.complaint(about: policy, body(.policy))
    case .enrollment(let enrollment): return storage.complaint(about: enrollment)
    case .challenge(let challenge?): return DeviceObjectCheck(challenge, in: core, secrets).complaint
    case .challenge(nil):
      switch core.challenge?.phase {
      case .answeredBefore, .closing, .ended: return nil
      case .received, .parsed, .validating, .consentRequested, .claiming, .collecting, .verificationRequested,
        .verifying, .signing, .saving, .submitting, .submissionUnknown, nil:
        return PlayedResults<Got>.nothing
      }
    case .challenges(let list):
      let pulled = replay.takePulled()
      let isWhole = pulled?.list == body(.pending).array && pulled?.enrollment == operation?.enrollment.enrollmentId
      return list.isEmpty && isWhole ? nil : "other challenges than those of the org were handed over"
    case .credential(let token):
      let sent = body(.token)
      let isSame =
        token.access_token == sent["access_token"]?.string && token.token_type == sent["token_type"]?.string
        && token.expires_in == sent["expires_in"]?.int && token.refresh_token == sent["refresh_token"]?.string
        && token.scope == sent["scope"]?.string
      return isSame ? nil : "another token was handed over"
    case .error(let error): return PlayedResults<Got>.error(DeviceErrorCheck(error).code)
    }
  }
}
