// The verdict of each check on a challenge without an authenticator, for `auditctl explain`.

package import EventStore
import FlowRecording
import Foundation

/// Runs a notification through the checks of spec/device.md §8 one by one, without an enrollment or a network.
package struct ChallengeJudgement: Sendable, Equatable {
  /// The result of a check.
  package enum Verdict: Sendable, Equatable {
    /// The challenge passes it.
    case passed
    /// The challenge fails it, for the given reason.
    case failed(String)
    /// The check cannot be decided here, for the given reason.
    case open(String)
  }

  /// A check and its verdict.
  package struct Finding: Sendable, Equatable {
    /// The check.
    package var check: ChallengeCheck
    /// The verdict of the check.
    package var verdict: Verdict
  }

  /// The results of all checks, in order.
  package private(set) var findings: [Finding] = []
  /// The contents of the challenge, with placeholders for secrets; `nil` if it cannot be read.
  package private(set) var challenge: Challenge?
  /// Whether one of the given keys signed the challenge; `nil` if no key was given or if this kind of challenge needs
  /// no such check.
  package private(set) var isSigned: Bool?

  /// The values that a challenge is checked against.
  package struct Evidence: Sendable {
    /// The org's keys (RFC 7517 §5); `nil` if they are not known.
    package var keys: [JSON]?
    /// The org's URL; `nil` if it is not known.
    package var orgURL: String?
    /// The time at which the challenge is checked.
    package var at: Timestamp
    /// The accepted difference between the org's clock and this one, in seconds.
    package var skew: Int

    /// Creates evidence.
    package init(keys: [JSON]? = nil, orgURL: String? = nil, at: Timestamp, skew: Int = 300) {
      self.keys = keys
      self.orgURL = orgURL
      self.at = at
      self.skew = skew
    }
  }

  /// Checks the JSON object of a notification, or the text of a challenge JWT.
  package init(_ text: [UInt8], _ evidence: Evidence) async {
    let trimmed = String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    let notification = trimmed.hasPrefix("{") ? PushNotification(json: Data(trimmed.utf8)) : nil
    let token = notification.map { $0.challenge?.string ?? "" } ?? trimmed
    let reading =
      notification.map { ChallengeReading(version: $0.version, challenge: $0.challenge) }
      ?? ChallengeReading(token: token)
    switch reading {
    case .failure(let failure, let readable):
      if readable.object?.members.isEmpty == false { challenge = Self.masked(Challenge(header: [:], claims: readable)) }
      read(failure, isPayload: notification != nil)
    case .challenge(let read):
      challenge = Self.masked(read)
      self.read(nil, isPayload: notification != nil)
      for check in ChallengeCheck.ofForm {
        add(check, read.form(check, at: evidence.at.microseconds, skew: evidence.skew))
      }
      await judgeSignature(of: token, read, evidence)
      for check in ChallengeCheck.ofBelonging {
        findings.append(Finding(check: check, verdict: verdict(check, read, evidence)))
      }
    }
  }

  /// Whether the text is a notification of this product or a JWT.
  package var isChallenge: Bool { challenge != nil }

  private static func masked(_ challenge: Challenge) -> Challenge {
    let policy = DevicePolicy.policy
    return Challenge(
      header: policy.masked(challenge.header, as: DevicePolicy.header),
      claims: policy.masked(challenge.claims, as: DevicePolicy.claims))
  }

  private mutating func add(_ check: ChallengeCheck, _ failure: CheckFailure?) {
    findings.append(Finding(check: check, verdict: failure.map { .failed($0.message) } ?? .passed))
  }

  /// Records P1 to P7: the checks before the failed one passed, and those after it were not reached.
  private mutating func read(_ failure: CheckFailure?, isPayload: Bool) {
    let failed = failure.flatMap { ChallengeCheck(rawValue: $0.check) }
    var isPast = false
    for check in ChallengeCheck.ofReading {
      let verdict: Verdict =
        if check == failed {
          .failed(failure?.message ?? "")
        } else if isPast {
          .open("not reached")
        } else if !isPayload, check == .p1 || check == .p2 {
          .open("a JWT by itself has no notification around it")
        } else {
          .passed
        }
      isPast = isPast || check == failed
      findings.append(Finding(check: check, verdict: verdict))
    }
    findings.append(Finding(check: .p7, verdict: .open(Self.noEnrollment)))
    guard failed != nil else { return }
    for check in ChallengeCheck.ofForm + [.v5, .v6] + ChallengeCheck.ofBelonging {
      findings.append(Finding(check: check, verdict: .open("not reached")))
    }
  }

  private static let noEnrollment = "needs the device's enrollments"

  /// Records V5 and V6.
  private mutating func judgeSignature(of token: String, _ read: Challenge, _ evidence: Evidence) async {
    var verdicts: (key: Verdict, signature: Verdict)
    if let failure = read.form(.v5, at: evidence.at.microseconds, skew: evidence.skew) {
      verdicts = (.failed(failure.message), .open("not reached"))
    } else if [.v2, .v4].contains(where: { read.form($0, at: evidence.at.microseconds, skew: evidence.skew) != nil }) {
      verdicts = (.open("not asked of such a challenge"), .open("not reached"))
    } else if let keys = evidence.keys {
      let value = await TokenVerifier.value(token: token, kid: read.keyID ?? "", keys: keys)
      switch value["result"]?.string {
      case "verified":
        isSigned = true
        verdicts = (.passed, .passed)
      case "badSignature":
        isSigned = false
        verdicts = (.passed, .failed("bad signature"))
      case "weakKey":
        isSigned = false
        verdicts = (.failed("the key is too short"), .open("not reached"))
      case nil, .some:
        isSigned = false
        verdicts = (.failed("no such key was given"), .open("not reached"))
      }
    } else {
      verdicts = (.open("needs the org's keys"), .open("needs the org's keys"))
    }
    findings += [Finding(check: .v5, verdict: verdicts.key), Finding(check: .v6, verdict: verdicts.signature)]
  }

  /// Decides H1 to H9, as far as the challenge and the org's URL allow.
  private func verdict(_ check: ChallengeCheck, _ read: Challenge, _ evidence: Evidence) -> Verdict {
    let expected = ChallengeExpectation(
      orgURL: evidence.orgURL ?? "", orgID: read.orgID, userID: read.userID ?? "", transactionTypes: [])
    let failure = read.belonging(check, to: expected)
    func decided() -> Verdict { failure.map { .failed($0.message) } ?? .passed }
    switch check {
    case .h1, .h5: return evidence.orgURL == nil ? .open("needs the org's URL") : decided()
    case .h6: return decided()
    // The product's own audience and a plain sign-in are valid for every enrollment.
    case .h2, .h8: return failure == nil ? .passed : .open(Self.noEnrollment)
    case .h7: return .open("needs the device's memory of what was answered")
    case .h3, .h4: return .open(Self.noEnrollment)
    case .h9: return .open("is asked of pulled challenges alone")
    case .p1, .p2, .p3, .p4, .p5, .p6, .p7, .v1, .v2, .v3, .v4, .v5, .v6: return .open("not reached")
    }
  }
}
