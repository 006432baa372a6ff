import DeviceAuthenticator
import EventStore
import FlowRecording
import FlowTestKit
import Testing

/// Every phase of a challenge against every input, those among them that cannot come: what is decided, as a table.
@Suite struct ChallengeDecisionTests {
  @Test func `every phase of a challenge against every input`() {
    let lines = DecisionTable.grouped(of: DeviceStages.inputs, at: Self.phases)
    #expect(lines.joined(separator: "\n") == Self.expected)
  }

  @Test func `the phases of the table are all that a challenge has`() {
    let phases = Self.phases.compactMap { $0.1.core.challenge?.phase }
    #expect(Set(phases) == Set(ChallengeWork.Phase.allCases).subtracting([.received]))
  }

  // MARK: Phases

  private static let phases: [(String, DeviceStages.Stage)] = {
    let fresh = DeviceStages.stage()
    func parsed(_ stage: DeviceStages.Stage) -> DeviceStages.Stage {
      var stage = stage
      DeviceStages.call(&stage, .receive, DeviceStages.notification)
      return stage
    }
    let waiting = parsed(fresh)
    var discovering = waiting
    DeviceStages.call(&discovering, .resolve)
    var fetching = discovering
    fetching.answer(["jwks_uri": .string(DeviceStages.org + "/oauth2/v1/keys")])
    var checking = fetching
    checking.answer(["keys": [["kty": "RSA", "kid": "key-1", "n": "n", "e": "AQAB"]]])
    var asking = checking
    asking.bring(["result": "verified", "thumbprint": "t"])
    var claiming = asking
    DeviceStages.call(&claiming, .provideConsent, ["answer": "approved", "by": "step"])
    var collecting = parsed(
      DeviceStages.stage(
        jwk: ["kid": "key-1"], settings: ["plugins": ["com.acme.one"]],
        read: DeviceStages.challenge(with: "integrations", [["name": "com.acme.one"], ["name": "com.acme.two"]])))
    DeviceStages.call(&collecting, .respond, ["answer": "approved", "by": "application"])
    DeviceStages.call(&collecting, .resolve)
    collecting.bring(["result": "verified", "thumbprint": "t"])
    collecting.bring(["claimed": true])
    var wanting = claiming
    wanting.bring(["claimed": true])
    var verifying = wanting
    DeviceStages.call(&verifying, .provideVerification, ["reason": "Sign in?"])
    var signing = verifying
    signing.bring(["outcome": "verified", "method": "pin"])
    var silent = verifying
    silent.bring(["outcome": "cancelled"])
    var saving = signing
    saving.bring(["jwt": "jwt"])
    var sending = saving
    sending.bring(["done": true])
    var unknown = sending
    unknown.take(
      .requestFailed(RequestFailed(TransportError(.connectionLost, "lost"))), cause: unknown.last(RequestSent.type))
    var closing = sending
    closing.answer(.null)
    var ended = closing
    ended.bring(["done": true])
    let earlier: JSON = [
      "stage": "signed", "fingerprint": "f", "response": "jwt", "responseExpiry": "1767229200.0",
    ]
    let answered = parsed(
      DeviceStages.stage(DeviceStages.stored(transaction: ["stage": "ended", "fingerprint": "f"])))
    let signed = parsed(DeviceStages.stage(DeviceStages.stored(transaction: earlier)))
    return [
      ("fresh", fresh), ("parsed", waiting), ("looking for the org's keys", discovering),
      ("fetching the org's keys", fetching), ("checking the signature", checking), ("asking the person", asking),
      ("claiming", claiming), ("collecting signals", collecting), ("wanting verification", wanting),
      ("verifying", verifying),
      ("signing for a verified person", signing), ("signing silently", silent), ("saving the answer", saving),
      ("sending the answer", sending), ("not known whether it arrived", unknown), ("closing", closing),
      ("ended", ended), ("answered in another flow", answered), ("signed in another flow", signed),
    ]
  }()
}
