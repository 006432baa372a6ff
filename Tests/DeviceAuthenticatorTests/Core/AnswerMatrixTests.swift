// The matrices of spec/device.md §9.3 and §9.5, row by row, as the core decides them.

import DeviceAuthenticator
import EventStore
import FlowRecording
import FlowTestKit
import Testing

/// Which steps come, which key signs and what the answer says, for each requirement, each state of the key, each way to
/// answer and each end of a verification.
@Suite struct AnswerMatrixTests {
  @Test(arguments: [nil, "NONE", "DISCOURAGED", "SOMETHING"] as [String?])
  func `without a wish for verification the silent key signs, whatever the key of the person is worth`(
    requirement: String?
  ) {
    #expect(Self.table(requirement).joined(separator: "\n") == Self.withoutVerification)
  }

  @Test func `verification preferred is the matrix`() {
    #expect(Self.table("PREFERRED").joined(separator: "\n") == Self.preferred)
  }

  @Test func `verification required is the matrix`() {
    #expect(Self.table("REQUIRED").joined(separator: "\n") == Self.required)
  }

  @Test(arguments: ["PREFERRED", "REQUIRED"])
  func `the decisions of the reference change what a key that cannot be used means, and nothing else`(
    requirement: String
  ) {
    let ours = Self.table(requirement)
    let reference = Self.table(requirement, ["reference": true])
    let consent = requirement == "PREFERRED" ? "NONE" : "UV_PERMANENTLY_UNAVAILABLE"
    let changed = reference.filter { !ours.contains($0) && !$0.hasPrefix("    on ") }
    #expect(!changed.isEmpty)
    for line in changed {
      #expect(line.hasSuffix("message userVerificationKeyNotEnrolled | proofOfPossession [] \(consent)"), "\(line)")
    }
  }

  // MARK: Rows

  /// A way to answer: what is done before the challenge is resolved, and what is said when the person is asked.
  private struct Way {
    var name: String
    var action: JSON?
    var early: JSON?
    var said: JSON = "none"
    var isYes = true
  }

  private static let ways = [
    Way(name: "yes", said: "approved"), Way(name: "yes by button", action: "APPROVE_BUTTON"),
    Way(name: "yes before", early: "approved"), Way(name: "no", said: "denied", isYes: false),
    Way(name: "no answer", isYes: false), Way(name: "no by button", action: "DENY_BUTTON", isYes: false),
    Way(name: "no before", early: "denied", isYes: false),
  ]

  private static let keys: [(name: String, state: JSON?)] = [
    ("good key", "available"), ("no key", nil), ("key lost", "lost"), ("key locked", "lockedOut"),
  ]

  /// What the verifier says, and what the signature comes to after it.
  private static let ends: [(name: String, said: Result<JSON, DrawFailure>, signature: DrawFailure.Reason?)] =
    ["pin", "fingerprint", "face", "none"].map { ("verified by \($0)", .success(verified(.string($0))), nil) }
    + ["cancelled", "failed", "notSetUp", "lockedOut", "timedOut", "unheard of"].map {
      ($0, .success(["outcome": .string($0)]), nil)
    }
    + [DrawFailure.Reason.failed, .missing].map { ("no verifier: \($0.rawValue)", .failure(DrawFailure($0)), nil) }
    + [DrawFailure.Reason.missing, .invalidated, .cancelled, .lockedOut, .failed].map {
      ("signature \($0.rawValue)", .success(verified("pin")), $0)
    }

  private static func verified(_ method: JSON) -> JSON { ["outcome": "verified", "method": method] }

  private static func table(_ requirement: String?, _ settings: JSON = [:]) -> [String] {
    DecisionTable.grouped(
      ways.flatMap { way in
        keys.flatMap { key -> [(name: String, decision: String)] in
          let name = "\(way.name), \(key.name)"
          guard way.isYes, requirement?.hasSuffix("RED") == true, key.state == "available" else {
            return [(name, row(requirement, key.state, way, ends[0], settings))]
          }
          return ends.map { ("\(name), \($0.name)", row(requirement, key.state, way, $0, settings)) }
        }
      })
  }

  private static func row(
    _ requirement: String?, _ key: JSON?, _ way: Way,
    _ end: (name: String, said: Result<JSON, DrawFailure>, signature: DrawFailure.Reason?), _ settings: JSON
  ) -> String {
    var stage = DeviceStages.stage(
      DeviceStages.stored(verificationKey: key), jwk: ["kid": "key-1"], settings: settings,
      read: DeviceStages.challenge(with: "userVerification", requirement.map(JSON.string)))
    var notification = DeviceStages.notification.object
    notification?["action"] = way.action
    DeviceStages.call(&stage, .receive, .object(notification ?? JSONObject([])))
    if let early = way.early { DeviceStages.call(&stage, .respond, ["answer": early, "by": "application"]) }
    DeviceStages.call(&stage, .resolve)
    stage.bring(["result": "verified", "thumbprint": "t"])
    if stage.core.challenge?.phase == .consentRequested {
      DeviceStages.call(&stage, .provideConsent, ["answer": way.said, "by": "step"])
    }
    stage.bring(["claimed": true])
    if stage.core.challenge?.phase == .verificationRequested {
      DeviceStages.call(&stage, .provideVerification, ["reason": "Sign in?"])
      stage.bring(end.said)
      if let signature = end.signature { stage.bring(.failure(DrawFailure(signature))) }
    }
    let steps = steps(stage.records)
    return (steps.isEmpty ? "no step" : steps.joined(separator: ", ")) + " | " + answer(stage.records)
  }

  /// What the application receives.
  private static func steps(_ records: [FlowRecord]) -> [String] {
    records.compactMap { record in
      guard case .domain(let event) = record.event else { return nil }
      switch DeviceEvent(event) {
      case .consentRequested: return "consent"
      case .verificationRequested: return "verification"
      case .keyFallback: return "message " + (event.data["reason"]?.string ?? "")
      default: return nil
      }
    }
  }

  /// What is signed last.
  private static func answer(_ records: [FlowRecord]) -> String {
    let signed = records.compactMap { record -> JSON? in
      if case .drawAsked(let asked) = record.event, asked.kind == .deviceSign { asked.input } else { nil }
    }.last
    let about = signed?["about"]
    let claims = signed?["claims"]
    let methods = (about?["amr"]?.array ?? []).compactMap(\.string).joined(separator: " ")
    let consent = about?["consent"]?.string ?? ""
    // What is signed is what the log says.
    #expect(claims?["keyType"] == about?["keyType"] && claims?["amr"] == about?["amr"])
    #expect(claims?["challengeResponseContext"]?["userConsent"]?.string == consent)
    #expect(signed?["tag"]?.string == (about?["keyType"] == "userVerification" ? "UV" : "POP"))
    return "\(about?["keyType"]?.string ?? "nothing is signed") [\(methods)] \(consent)"
  }
}
