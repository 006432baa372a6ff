// The application of a device's flow in a replay: it holds an authenticator, enrollments and challenges, and calls their methods
// as recorded. Keys, storage, the person, clock and network are what the recording says.

package import EventStore
package import FlowRecording
import Foundation

extension DeviceKind: PlayableKind {
  package typealias Application = DeviceApplication
}

/// Plays an application of the seed's API.
package final class DeviceApplication: PlayedApplication {
  /// What a call brought.
  enum Got: Sendable {
    case done
    case policy(any AuthenticatorPolicyProtocol)
    case enrollment(any AuthenticatorEnrollmentProtocol)
    /// A challenge; nil for a pulled one that the application does not get.
    case challenge((any PushChallengeProtocol)?)
    case challenges([any PushChallengeProtocol])
    case credential(Oauth2Credential)
    case error(DeviceAuthenticatorError)
  }

  private let settings: DevicePlayedSettings
  private let environment: FlowEnvironment
  private let replay = DeviceReplay()
  private let storage: DevicePlayedStorage
  private let device: DeviceFlow
  let context: DeviceContext
  let got = PlayedResults<Got>()
  let steps = DevicePlayedSteps()
  /// The challenge that the application was given last.
  var challenge: (any PushChallengeProtocol)?
  /// The enrollment of an operation, and the operation's call.
  private var operation: (call: Int, enrollment: any AuthenticatorEnrollmentProtocol)?
  /// Calls whose end is announced to no one.
  var silent: Set<Int> = []
  /// A call that a thread of its own waits for.
  private var thread: (call: Int, end: DispatchSemaphore)?

  package init?(_ start: FlowStarted, _ environment: FlowEnvironment) {
    guard start.resumes == nil, let settings = DevicePlayedSettings(start.settings) else { return nil }
    var environment = environment
    storage = DevicePlayedStorage()
    environment[KeyStoreSeam.self] = MemoryKeyStore()
    environment[StorageSeam.self] = storage.rows
    self.settings = settings
    self.environment = environment
    guard let context = try? settings.context(environment, replay) else { return nil }
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

  package func call(_ made: CallMade, at revision: Int, on snapshot: DeviceCore?) -> Bool {
    guard let name = DeviceCall(rawValue: made.call) else { return false }
    if name.isOfChallenge { return callOfChallenge(name, made.arguments, at: revision) }
    if name == .downloadPolicy || name == .enroll { return begin(name, made.arguments, at: revision) }
    guard let enrollment = enrollment(made.arguments, at: revision) else { return false }
    operation = (revision, enrollment)
    return call(name, made.arguments, at: revision, on: enrollment)
  }

  /// Closures of a call keep what it brought.
  func ending(_ call: Int) -> (DeviceAuthenticatorError?) -> Void {
    { [got] error in got.keep(error.map(Got.error) ?? .done, of: call) }
  }

  private func bringing<Value>(
    _ call: Int, _ make: @escaping (Value) -> Got
  ) -> (Result<Value, DeviceAuthenticatorError>) -> Void {
    { [got] result in
      switch result {
      case .success(let value): got.keep(make(value), of: call)
      case .failure(let error): got.keep(.error(error), of: call)
      }
    }
  }

  private func begin(_ name: DeviceCall, _ arguments: JSON, at revision: Int) -> Bool {
    guard let token = arguments["token"]?.string, let url = arguments.url("orgURL"),
      let client = arguments["clientId"]?.string
    else { return false }
    let config = DeviceAuthenticatorConfig(orgURL: url, oidcClientId: client)
    if name == .downloadPolicy {
      DeviceAuthenticator(context).downloadPolicy(
        authenticationToken: .bearer(token), authenticatorConfig: config,
        completion: bringing(revision) { .policy($0) })
      return true
    }
    guard let environment = arguments["apsEnvironment"]?.string.flatMap(APSEnvironment.init),
      let pushToken = arguments["pushToken"]?.string,
      let authenticator = try? settings.context(self.environment, replay, apsEnvironment: environment)
    else { return false }
    var parameters = EnrollmentParameters(deviceToken: pushToken.isEmpty ? .empty : .tokenString(pushToken))
    if let enable = arguments["userVerification"]?.bool { parameters.enableUserVerification(enable: enable) }
    if let enable = arguments["ciba"]?.bool { parameters.enableCIBATransactions(enable: enable) }
    DeviceAuthenticator(authenticator).enroll(
      authenticationToken: .bearer(token), authenticatorConfig: config, enrollmentParameters: parameters,
      completion: bringing(revision) { .enrollment($0) })
    return true
  }

  /// The enrollment that an application would have listed: what the flow is about to read from storage.
  private func enrollment(_ arguments: JSON, at revision: Int) -> (any AuthenticatorEnrollmentProtocol)? {
    guard let id = arguments["enrollmentId"]?.string, let draws = environment.rerun?.draws else { return nil }
    let stored = draws.draw(.deviceStored, input: ["enrollment": .string(id)], ordinal: 0, revision: revision + 1)
    if case .success(let value) = stored { storage.put(value["enrollment"] ?? .null) }
    // An old handle: what it shows is stored no more.
    let gone = StoredEnrollment(id: id, orgID: "", orgURL: "", userID: "", deviceID: "")
    return DeviceAuthenticator(context).allEnrollments().first { $0.enrollmentId == id }
      ?? AuthenticatorEnrollment(gone, context)
  }

  private func call(
    _ name: DeviceCall, _ arguments: JSON, at revision: Int, on enrollment: any AuthenticatorEnrollmentProtocol
  ) -> Bool {
    let token = AuthToken.bearer(arguments["token"]?.string ?? "")
    let enable = arguments["enable"]?.bool
    switch (name, enable) {
    case (.updateDeviceToken, _):
      let text = arguments["pushToken"]?.string ?? ""
      enrollment.updateDeviceToken(.tokenString(text), authenticationToken: token, completion: ending(revision))
    case (.setUserVerification, let enable?):
      enrollment.setUserVerification(authenticationToken: token, enable: enable, completion: ending(revision))
    case (.enableCIBATransactions, let enable?):
      enrollment.enableCIBATransactions(authenticationToken: token, enable: enable, completion: ending(revision))
    case (.delete, _):
      // Both objects have the method; which is called goes by the name of the flow.
      if flow.stream.utf8.last.map({ $0 % 2 == 0 }) == true {
        enrollment.delete(enrollment: enrollment, authenticationToken: token, completion: ending(revision))
      } else {
        DeviceAuthenticator(context).delete(
          enrollment: enrollment, authenticationToken: token, completion: ending(revision))
      }
    case (.deleteFromDevice, _): deleteHere(enrollment, at: revision)
    case (.retrieveMaintenanceToken, _):
      let scopes = (arguments["scopes"]?.array ?? []).compactMap(\.string)
      enrollment.retrieveMaintenanceToken(scopes: scopes, completion: bringing(revision) { .credential($0) })
    case (.retrievePushChallenges, _):
      enrollment.retrievePushChallenges(
        authenticationToken: token, allowedClockSkewInSeconds: 300,
        completion: bringing(revision) { .challenges($0) })
    case (.setUserVerification, nil), (.enableCIBATransactions, nil), (.downloadPolicy, _), (.enroll, _), (.receive, _),
      (.respond, _), (.resolve, _), (.provideConsent, _), (.provideVerification, _), (.retrySubmission, _):
      return false
    }
    return true
  }

  /// The method returns when the deletion is over, and the recording goes on meanwhile: a thread of its own waits in it.
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

  // MARK: What came

  package func complaint(about outcome: CallReturned.Outcome, of call: Int, in core: DeviceCore) -> String? {
    if let thread, thread.call == call { _ = thread.end.wait(timeout: .now() + .seconds(10)) }
    if silent.remove(call) != nil { return nil }
    if got.isRepeated(call) { return PlayedResults<Got>.repeated }
    switch (outcome, got.take(call)) {
    case (.cancelled, .error(.genericError)): return nil
    case (.done, .some(let got)):
      return complaint(about: got, in: core)
        ?? operation.flatMap { $0.call == call ? storage.complaint(about: $0.enrollment) : nil }
    case (.failed(let code, let details), .error(let error)):
      return DeviceErrorCheck(error).complaint(code, flow.vault.reveal(details), in: core)
    // A pulled challenge that fails a check is left out.
    case (.failed, .challenge(nil)): return nil
    case (_, .error(let error)): return PlayedResults<Got>.error(DeviceErrorCheck(error).code)
    case (_, .some): return PlayedResults<Got>.another
    case (_, nil): return PlayedResults<Got>.nothing
    }
  }

  private func complaint(about got: Got, in core: DeviceCore) -> String? {
    let vault = flow.vault
    let body = { (step: DeviceStep) in vault.reveal(core.operation?.answers[step]?.body ?? .null) }
    switch got {
    case .done: return challenge.flatMap { DeviceObjectCheck($0, in: core, vault).complaint }
    case .policy(let policy): return DevicePolicyCheck.complaint(about: policy, body(.policy))
    case .enrollment(let enrollment): return storage.complaint(about: enrollment)
    case .challenge(let challenge?): return DeviceObjectCheck(challenge, in: core, vault).complaint
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
