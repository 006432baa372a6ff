import DeviceAuthenticator
import EventStore
import FlowRecording
import FlowTestKit
import Testing

/// Every step of the operations on enrollments against every input, those among them that cannot come: what is decided, as
/// a table.
@Suite struct OperationDecisionTests {
  @Test func `every step of an enrollment against every input`() {
    let lines = DecisionTable.grouped(of: DeviceStages.inputs, at: Self.enrolling)
    #expect(lines.joined(separator: "\n") == Self.enrollment)
  }

  @Test func `every step of the other operations against every input`() {
    let lines = DecisionTable.grouped(of: DeviceStages.inputs, at: Self.others)
    #expect(lines.joined(separator: "\n") == Self.operations)
  }

  // MARK: Steps

  private typealias Stage = DeviceStages.Stage

  private static func begun(_ call: DeviceCall, _ more: [(String, JSON)] = [], _ stored: JSON = DeviceStages.stored())
    -> Stage
  {
    var stage = DeviceStages.stage(stored)
    DeviceStages.call(&stage, call, .members([("enrollmentId", "pfd1"), ("token", "t")] + more.map { ($0, $1) }))
    return stage
  }

  private static let enrolling: [(String, Stage)] = {
    var organization = DeviceStages.stage(["device": DeviceStages.stored()["device"] ?? .null])
    DeviceStages.call(
      &organization, .enroll,
      [
        "token": "t", "orgURL": .string(DeviceStages.org), "clientId": "client", "pushToken": "p",
        "userVerification": true,
      ])
    var policy = organization
    policy.answer(["id": "00o1"])
    var storing = policy
    storing.answer(DeviceStages.policy)
    var verifying = storing
    verifying.bring(["done": true])
    var making = verifying
    making.bring(["outcome": "verified", "method": "pin"])
    var attesting = making
    attesting.bring(DeviceStages.keys("proofOfPossession", "userVerification"))
    var replacing = attesting
    replacing.bring(.failure(DrawFailure(.missing, "missing")))
    var sending = attesting
    sending.bring(["jwt": "jwt"])
    var reset = sending
    reset.answer(["errorCode": "E0000153"], status: 410)
    var again = reset
    again.bring(DeviceStages.keys("clientInstance"))
    var saving = sending
    saving.answer(DeviceStages.enrolled)
    var undoing = sending
    undoing.answer(["errorCode": "E0000011"], status: 401)
    var done = saving
    done.bring(["done": true])
    return [
      ("asking for the org's id", organization), ("fetching the policy", policy), ("storing the policy", storing),
      ("verifying the person", verifying), ("making keys", making), ("attesting the device", attesting),
      ("replacing the device's key", replacing), ("enrolling", sending), ("making keys of a new device", reset),
      ("enrolling as a new device", again), ("storing the enrollment", saving), ("undoing", undoing),
      ("done", done),
    ]
  }()

  private static let others: [(String, Stage)] = {
    let token = begun(.updateDeviceToken, [("pushToken", "p")])
    let verification = begun(.setUserVerification, [("enable", true)], DeviceStages.stored(verificationKey: "lost"))
    let off = begun(.setUserVerification, [("enable", false)])
    let ciba = begun(.enableCIBATransactions, [("enable", true)])
    let deleting = begun(.delete)
    var forgetting = deleting
    forgetting.answer(.null, status: 204)
    var dropping = forgetting
    dropping.bring(["done": true, "orphaned": ["POP", "UV"]])
    let local = begun(.deleteFromDevice)
    let signing = begun(.retrieveMaintenanceToken)
    var obtaining = signing
    obtaining.bring(["jwt": "jwt"])
    let pulling = begun(.retrievePushChallenges)
    return [
      ("sending a push token", token), ("verifying before a key", verification), ("taking verification off", off),
      ("sending CIBA", ciba), ("deleting at the org", deleting), ("deleting here", forgetting),
      ("destroying keys", dropping), ("deleting here alone", local), ("signing an assertion", signing),
      ("obtaining a token", obtaining), ("pulling", pulling),
    ]
  }()
}
