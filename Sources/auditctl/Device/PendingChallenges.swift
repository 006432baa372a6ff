import AuditReports
import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation

/// The challenges that wait for enrollments, and how they are shown.
struct PendingChallenges {
  let authenticator: any DeviceAuthenticatorProtocol
  let enrollments: [any AuthenticatorEnrollmentProtocol]

  /// A challenge and the enrollment that it is for.
  struct Pending: Sendable {
    var challenge: any PushChallengeProtocol
    var enrollment: any AuthenticatorEnrollmentProtocol

    var json: JSON {
      .members([
        ("transactionId", .string(challenge.transactionId)), ("enrollmentId", .string(enrollment.enrollmentId)),
        ("user", .string(enrollment.user.name ?? enrollment.user.id)),
        ("app", challenge.appInstanceName.map(JSON.string)), ("clientOS", challenge.clientOS.map(JSON.string)),
        ("location", challenge.clientLocation.map(JSON.string)),
        ("time", .string(time(challenge.transactionTime))), ("expires", .string(time(challenge.expiresAt))),
        ("userVerification", .string(challenge.userVerificationRequirement.rawValue)),
        ("message", (challenge as? any CIBAChallengeProtocol)?.cibaBindingMessage.map(JSON.string)),
        ("compare", challenge.challengeTextItems.isEmpty ? nil : .array(challenge.challengeTextItems.map(JSON.string))),
      ])
    }

    /// What the person must know before answering. None of it is verified before the answer.
    var lines: [String] {
      var lines = ["\(challenge.transactionId)  \(enrollment.user.name ?? enrollment.user.id)"]
      let about = [
        challenge.appInstanceName.map { "signs in to \($0)" }, challenge.clientOS.map { "from \($0)" },
        challenge.clientLocation.map { "in \($0)" }, "at \(time(challenge.transactionTime))",
      ]
      lines.append("  " + about.compactMap { $0 }.joined(separator: ", "))
      if let message = (challenge as? any CIBAChallengeProtocol)?.cibaBindingMessage { lines.append("  \(message)") }
      if !challenge.challengeTextItems.isEmpty {
        lines.append("  compare: " + challenge.challengeTextItems.joined(separator: ", "))
      }
      lines += challenge.unusualActivities.map { "  unusual: \($0)" }
      return lines.map(\.printable)
    }

    private func time(_ date: Date) -> String {
      Timestamp(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded())).description
    }
  }

  /// Fetches the pending challenges of all enrollments that can be asked, and says of each other one why it cannot.
  ///
  /// - Parameter reported: the enrollments of which that was said already.
  /// - Throws: `DeviceAuthenticatorError` of the first enrollment if none can be asked.
  private func fetch(_ reported: inout Set<String>) async throws -> [Pending] {
    var pending: [Pending] = []
    var failures: [(enrollment: any AuthenticatorEnrollmentProtocol, error: DeviceAuthenticatorError)] = []
    for enrollment in enrollments {
      do {
        pending += try await challenges(of: enrollment)
      } catch {
        failures.append((enrollment, error))
      }
    }
    if let first = failures.first, failures.count == enrollments.count { throw first.error }
    for (enrollment, error) in failures where reported.insert(enrollment.enrollmentId).inserted {
      let name = "the enrollment \(enrollment.enrollmentId) of \(enrollment.user.name ?? enrollment.user.id)"
      Messages.say("\(name) cannot be asked: \(DeviceRefusal.text(error).unstopped).".printable)
    }
    return pending
  }

  private func challenges(
    of enrollment: any AuthenticatorEnrollmentProtocol
  ) async throws(DeviceAuthenticatorError) -> [Pending] {
    let token = try await enrollment.retrieveMaintenanceToken(scopes: [
      "okta.myAccount.appAuthenticator.maintenance.read"
    ])
    let challenges = try await enrollment.retrievePushChallenges(authenticationToken: .bearer(token.access_token))
    return challenges.map { Pending(challenge: $0, enrollment: enrollment) }
  }

  /// Fetches until a challenge is pending, the time has passed, or a signal was received.
  func wait(seconds: Int) async throws -> [Pending] {
    let end = ContinuousClock.now + .seconds(seconds)
    var reported: Set<String> = []
    while true {
      let pending = try await fetch(&reported)
      if !pending.isEmpty || ContinuousClock.now >= end || Interruption.hasCome { return pending }
      try await Task.sleep(for: .seconds(1))
    }
  }
}
