// The short and async forms of an application's calls, on objects that end as a trial says; cancelled calls; and
// challenges that the application no longer holds.

import EventStore
import FlowRecording
import Foundation

/// A challenge that delivers two steps and then ends. It has only the forms with closures.
private final class ToldChallenge: PushChallengeProtocol {
  private let end: DeviceAuthenticatorError?
  private let answer = Locked(PushChallengeUserResponse.userNotResponded)
  let transactionId = "ft-1"
  let originURL: URL? = nil
  let transactionTime = Date(timeIntervalSince1970: 1)
  let expiresAt = Date(timeIntervalSince1970: 2)
  let appInstanceName: String? = nil
  let isVerified = false
  let clientLocation: String? = nil
  let clientOS: String? = nil
  let userVerificationRequirement = UserVerificationChallengeRequirement.preferred
  let challengeTextItems: [String] = []
  let unusualActivities: [String] = []
  var userResponse: PushChallengeUserResponse {
    get { answer.withLock { $0 } }
    set { answer.withLock { $0 = newValue } }
  }

  init(_ end: DeviceAuthenticatorError?) { self.end = end }

  func resolve(
    onRemediation: @escaping (RemediationStep) -> Void, onCompletion: @escaping (DeviceAuthenticatorError?) -> Void
  ) {
    onRemediation(RemediationStepMessage(self, .information, .userVerificationFailed, "a message", end))
    onRemediation(RemediationStep(self))
    onCompletion(end)
  }

  func retrySubmission(onCompletion: @escaping (DeviceAuthenticatorError?) -> Void) { onCompletion(end) }
}

/// An enrollment that notes its calls and ends them.
private final class ToldEnrollment: AuthenticatorEnrollmentProtocol {
  private let end: DeviceAuthenticatorError?
  private let note: @Sendable (String) -> Void
  let enrollmentId = "pfd-1"
  let organization = Organization(id: "00o-1", url: "https://acme.example")
  let user = User(id: "00u-1", name: nil)
  let userVerificationEnabled = false
  let isCIBAEnabled = false
  let state = EnrollmentState.active
  let description = "told"

  init(_ end: DeviceAuthenticatorError?, note: @escaping @Sendable (String) -> Void) {
    (self.end, self.note) = (end, note)
  }

  func updateDeviceToken(
    _ token: DeviceToken, authenticationToken: AuthToken, completion: @escaping (DeviceAuthenticatorError?) -> Void
  ) {
    note("token \(token.text) \(authenticationToken.token)")
    completion(end)
  }

  func setUserVerification(
    authenticationToken: AuthToken, enable: Bool, completion: @escaping (DeviceAuthenticatorError?) -> Void
  ) {
    note("verification \(authenticationToken.token) \(enable)")
    completion(end)
  }

  func enableCIBATransactions(
    authenticationToken: AuthToken, enable: Bool, completion: @escaping (DeviceAuthenticatorError?) -> Void
  ) {
    note("CIBA \(authenticationToken.token) \(enable)")
    completion(end)
  }

  func retrievePushChallenges(
    authenticationToken: AuthToken, allowedClockSkewInSeconds: Int,
    completion: @escaping (Result<[any PushChallengeProtocol], DeviceAuthenticatorError>) -> Void
  ) {
    note("challenges \(authenticationToken.token) \(allowedClockSkewInSeconds)")
    if let end { completion(.failure(end)) } else { completion(.success([ToldChallenge(nil)])) }
  }

  func retrieveMaintenanceToken(
    scopes: [String], completion: @escaping (Result<Oauth2Credential, DeviceAuthenticatorError>) -> Void
  ) {
    note("maintenance \(scopes)")
    if let end { return completion(.failure(end)) }
    completion(.success(Oauth2Credential(access_token: "a", token_type: "Bearer", scope: scopes.first)))
  }

  func delete(
    enrollment: any AuthenticatorEnrollmentProtocol, authenticationToken: AuthToken,
    completion: @escaping (DeviceAuthenticatorError?) -> Void
  ) {
    note("delete")
    completion(end)
  }

  func deleteFromDevice() throws { note("delete here") }
}

extension HostTables {
  /// The forms of each call, for each of several ends.
  static var forms: [String] {
    let ends: [DeviceAuthenticatorError?] = [nil, .genericError("why"), .pushNotRecognized]
    let ended = ends.enumerated().flatMap { number, end -> [String] in
      (challengeForms(end) + enrollmentForms(end)).map { line("form \(number)", $0) }
    }
    return ended + begunCalls + swept
  }

  private static func told(_ body: @escaping @Sendable () async throws -> String) -> String {
    let end = outcome { () async -> String in
      do {
        return try await body()
      } catch {
        return (error as? DeviceAuthenticatorError)?.description ?? "another error"
      }
    }
    return end ?? "waits"
  }

  private static func challengeForms(_ end: DeviceAuthenticatorError?) -> [String] {
    let (challenge, heard) = (ToldChallenge(end), Locked<[String]>([]))
    @Sendable func hear(_ step: RemediationStep) {
      step.defaultProcess()
      let message = (step as? RemediationStepMessage).map { message in
        let error = message.error?.description ?? "-"
        return "\(message.messageType.rawValue) \(message.reasonType.rawValue) \(message.message) \(error)"
      }
      heard.withLock { $0.append("\(step.challenge.transactionId) \(message ?? "a step")") }
    }
    challenge.resolve(onRemediationStep: hear) { error in
      heard.withLock { $0.append(error?.description ?? "resolved") }
    }
    let resolved = told {
      try await challenge.resolve(onRemediation: hear)
      return "resolved"
    }
    let sent = told {
      try await challenge.retrySubmission()
      return "sent"
    }
    return ["\(heard.withLock { $0 }) \(resolved) \(sent)"]
  }

  private static func enrollmentForms(_ end: DeviceAuthenticatorError?) -> [String] {
    let heard = Locked<[String]>([])
    @Sendable func hear(_ said: String) { heard.withLock { $0.append(said) } }
    let enrollment = ToldEnrollment(end, note: hear)
    let token = AuthToken.bearer("t")
    enrollment.updateDeviceToken(Data([1, 171]), authenticationToken: token) { hear($0?.description ?? "done") }
    enrollment.retrievePushChallenges(authenticationToken: token) { hear("\((try? $0.get())?.count ?? -1)") }
    enrollment.retrieveMaintenanceToken { hear((try? $0.get())?.description ?? "no token") }
    let ends = [
      told {
        try await enrollment.updateDeviceToken(.tokenString("x"), authenticationToken: token)
        return "updated"
      },
      told {
        try await enrollment.setUserVerification(authenticationToken: token, enable: true)
        return "verifying"
      },
      told {
        try await enrollment.enableCIBATransactions(authenticationToken: token, enable: false)
        return "without CIBA"
      },
      told {
        let usual = try await enrollment.retrievePushChallenges(authenticationToken: token)
        let strict = try await enrollment.retrievePushChallenges(
          authenticationToken: token, allowedClockSkewInSeconds: 7)
        return "\(usual.count) \(strict.count)"
      },
      told {
        let usual = try await enrollment.retrieveMaintenanceToken()
        let scoped = try await enrollment.retrieveMaintenanceToken(scopes: ["a", "b"])
        return "\(usual.description) \(scoped.description)"
      },
    ]
    return ["\(heard.withLock { $0 })", "\(ends)"]
  }

  /// How often a call is given up that begins before or after its task is cancelled.
  private static var begunCalls: [String] {
    let orders = [
      ["began"], ["gives up"], ["began", "gives up"], ["gives up", "began"], ["began", "gives up", "gives up"],
      ["gives up", "began", "began"],
    ]
    return orders.map { order in
      let (call, count) = (BegunCall(), Locked(0))
      for step in order {
        if step == "began" {
          call.began { count.withLock { $0 += 1 } }
        } else {
          call.giveUp()
        }
      }
      return line("\(order)", "\(count.withLock { $0 })")
    }
  }

  /// Which of many challenges are found again: those that the application holds.
  private static var swept: [String] {
    let context = DeviceContext(
      environment: environment, services: services(MemoryEnrollmentStorage(), HostKeys()), settings: [:],
      apsEnvironment: "production")
    let desk = ChallengeDesk()
    var held: [ChallengeSession] = []
    for number in 1...200 {
      let session = ChallengeSession(context.begin())
      if number % 3 == 0 { held.append(session) }
      desk["ft-\(number)"] = session
    }
    let found = (1...200).filter { number in desk["ft-\(number)"] != nil }
    let areSame = held.enumerated().allSatisfy { number, session in desk["ft-\(3 * (number + 1))"] === session }
    return [line("held", "\(found) \(areSame) \(desk["ft-0"] == nil)")]
  }
}
