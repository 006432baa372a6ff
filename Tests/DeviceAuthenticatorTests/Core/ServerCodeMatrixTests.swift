// What an org's answer does to an enrollment (spec/device.md §13.6, §13.7, §15), row by row, as the core decides it.

import DeviceAuthenticator
import EventStore
import FlowRecording
import FlowTestKit
import Testing

/// Each code of the org, each way to lose an answer and each failure of keys and storage, against what the application
/// gets, what is stored, and what becomes of keys.
@Suite struct ServerCodeMatrixTests {
  @Test func `deleting is the table of §13·6`() {
    #expect(Self.deleting(deletesSuspended: true).joined(separator: "\n") == Self.deletion)
  }

  @Test func `deleting what is suspended is left to the application`() {
    #expect(Self.deleting(deletesSuspended: false).joined(separator: "\n") == Self.deletionKeepingSuspended)
  }

  @Test(arguments: [
    DeviceCall.updateDeviceToken, .setUserVerification, .enableCIBATransactions, .retrieveMaintenanceToken,
    .retrievePushChallenges, .resolve,
  ])
  func `each call keeps the code that means something, and ends in the org's error`(call: DeviceCall) {
    #expect(Self.table { Self.run(Self.sent(call), $0) }.joined(separator: "\n") == Self.refusals)
  }

  @Test(arguments: [DeviceCall.updateDeviceToken, .setUserVerification, .enableCIBATransactions])
  func `the next success clears the code`(call: DeviceCall) {
    var stage = Self.sent(call, code: "E0000155")
    stage.answer(DeviceStages.enrolled)
    let write = Self.writes(stage.records).last
    #expect(write?["set"]?["serverErrorCode"] == .null)
    stage.bring(["done": true])
    #expect(Self.changes(stage.records) == ["suspended -> active"])
  }

  @Test func `an enrollment that is refused is undone, and stored nowhere; as a known device it is tried once more`() {
    let lines = Self.table { end in
      var stage = Self.ended(Self.enrolling, end)
      guard stage.last("enrollment.deviceReset") == nil else { return "once more, as a new device" }
      let undone = Self.asked(stage.records).last
      #expect(undone?["step"] == "rollback" && undone?["tags"] == ["T-proofOfPossession"])
      stage.bring(["deleted": ["T-proofOfPossession"]])
      #expect(!Self.writes(stage.records).contains { $0["write"] == "enrollment" })
      return "undone, " + Self.outcome(stage)
    }
    #expect(lines.joined(separator: "\n") == Self.enrollment)
  }

  @Test func `a draw that has no value is the error of §15·2 that it names`() {
    let details: [String?] = [
      nil, "x", "keyGenFailed: k", "failedToSignPayload: s", "jwkError: j", "generalEncryptionError: g",
      "storage.itemNotFound: i", "storage.missingAppGroupEntitlement: m", "storage.storageMigrationError: v",
      "storage.sqliteError: q (5)", "storage.generalStorageError: u", "storage.", "elsewhere: e",
    ]
    let rows = [DrawFailure.Reason.failed, .missing, .invalidated, .cancelled, .lockedOut].flatMap { reason in
      details.map { detail -> (name: String, decision: String) in
        var stage = Self.sent(.updateDeviceToken)
        stage.answer(DeviceStages.enrolled)
        stage.bring(.failure(DrawFailure(reason, detail)))
        return ("\(reason) \(detail ?? "-")", Self.outcome(stage))
      }
    }
    #expect(DecisionTable.grouped(rows).joined(separator: "\n") == Self.drawFailures)
  }

  // MARK: What comes

  /// How a request ends.
  private enum End: Sendable {
    case answer(Int, JSON)
    case lost(TransportError.Code)
  }

  private static let ends: [(name: String, end: End)] =
    [
      (404, "E0000007"), (404, "E0000008"), (401, "E0000011"), (403, "E0000152"), (410, "E0000153"), (410, "E0000154"),
      (423, "E0000155"), (410, "E0000156"), (400, "E0000158"), (423, "E0000180"), (403, "E0000212"), (400, "E0000001"),
      (403, "E0000006"), (401, "E0000015"), (429, "E0000047"), (500, "E0000009"), (400, "E9999999"),
    ].map { ("\($0.1)", .answer($0.0, ["errorCode": .string($0.1), "errorSummary": "s"])) }
    + [
      ("500 without code", .answer(500, [:])), ("400 of another shape", .answer(400, ["status": "REJECT"])),
      ("code of another type", .answer(400, ["errorCode": 7])), ("302", .answer(302, [:])),
    ]
    + [TransportError.Code.connectionLost, .timedOut, .limitReached].map { ("\($0)", .lost($0)) }

  private static func table(_ decide: (End) -> String) -> [String] {
    DecisionTable.grouped(ends.map { ($0.name, decide($0.end)) })
  }

  private static func ended(_ stage: DeviceStages.Stage, _ end: End) -> DeviceStages.Stage {
    var stage = stage
    switch end {
    case .answer(let status, let body): stage.answer(body, status: status)
    case .lost(let code):
      stage.take(
        .requestFailed(RequestFailed(TransportError(code, "lost"))), cause: stage.last(RequestSent.type))
    }
    return stage
  }

  // MARK: Stages

  /// A call as far as its request, of an enrollment with this code.
  private static func sent(_ call: DeviceCall, code: String? = nil) -> DeviceStages.Stage {
    var stored = DeviceStages.stored().object
    var enrollment = stored?["enrollment"]?.object
    enrollment?["serverErrorCode"] = code.map(JSON.string)
    stored?["enrollment"] = enrollment.map(JSON.object)
    stored?["policy"] = ["orgID": "00o1", "id": "aut1"]
    var stage = DeviceStages.stage(.object(stored ?? JSONObject([])), jwk: ["kid": "key-1"])
    guard call == .resolve else {
      DeviceStages.call(
        &stage, call,
        ["enrollmentId": "pfd1", "token": "t", "pushToken": "p", "enable": .bool(call != .setUserVerification)])
      if call == .retrieveMaintenanceToken { stage.bring(["jwt": "jwt"]) }
      return stage
    }
    DeviceStages.call(&stage, .receive, DeviceStages.notification)
    DeviceStages.call(&stage, .respond, ["answer": "denied", "by": "application"])
    DeviceStages.call(&stage, .resolve)
    stage.bring(["result": "verified", "thumbprint": "t"])
    stage.bring(["claimed": true])
    stage.bring(["jwt": "jwt"])
    stage.bring(["done": true])
    return stage
  }

  private static var enrolling: DeviceStages.Stage {
    var stage = DeviceStages.stage(["device": DeviceStages.stored()["device"] ?? .null])
    DeviceStages.call(
      &stage, .enroll, ["token": "t", "orgURL": .string(DeviceStages.org), "clientId": "client", "pushToken": "p"])
    stage.answer(["id": "00o1"])
    stage.answer(DeviceStages.policy)
    stage.bring(["done": true])
    stage.bring(DeviceStages.keys("proofOfPossession"))
    stage.bring(["jwt": "jwt"])
    return stage
  }

  private static func deleting(deletesSuspended: Bool) -> [String] {
    table { end in
      var stage = DeviceStages.stage(settings: ["deleteOnSuspended": .bool(deletesSuspended)])
      DeviceStages.call(&stage, .delete, ["enrollmentId": "pfd1", "token": "t"])
      stage = ended(stage, end)
      guard writes(stage.records).contains(where: { $0["write"] == "delete" }) else { return "kept, " + run(stage) }
      stage.bring(["done": true, "orphaned": ["POP", "UV"]])
      let dropped = asked(stage.records).last
      #expect(dropped?["tags"] == ["POP", "UV"])
      stage.bring(["deleted": ["POP", "UV"]])
      let by = stage.records.last { $0.event.type == "enrollment.deleted" }?.event.data["by"]?.string ?? "?"
      return "deleted, \(by), \(outcome(stage))"
    }
  }

  // MARK: What follows

  private static func run(_ stage: DeviceStages.Stage, _ end: End) -> String { run(ended(stage, end)) }

  /// Brings what is still waited for, and says what is stored and what the call ends in.
  private static func run(_ stage: DeviceStages.Stage) -> String {
    var stage = stage
    let code = writes(stage.records).last.flatMap {
      $0["serverErrorCode"]?.string ?? $0["set"]?["serverErrorCode"]?.string
    }
    if case .drawAsked? = stage.records.last?.event { stage.bring(["done": true]) }
    let change = changes(stage.records).last ?? "the same state"
    return [code.map { _ in "the code is kept" } ?? "no code is kept", change, outcome(stage)].joined(separator: ", ")
  }

  private static func asked(_ records: [FlowRecord]) -> [JSON] {
    records.compactMap { if case .drawAsked(let asked) = $0.event { asked.input } else { nil } }
  }

  private static func writes(_ records: [FlowRecord]) -> [JSON] { asked(records).filter { $0["write"] != nil } }

  private static func changes(_ records: [FlowRecord]) -> [String] {
    records.filter { $0.event.type == "enrollment.stateChanged" }.map {
      "\($0.event.data["from"]?.string ?? "") -> \($0.event.data["to"]?.string ?? "")"
    }
  }

  /// How the call ended that failed or came to its end.
  private static func outcome(_ stage: DeviceStages.Stage) -> String {
    let outcomes = stage.records.compactMap { record -> String? in
      guard case .callReturned(let returned) = record.event else { return nil }
      switch returned.outcome {
      case .done, .status: return "done"
      case .cancelled: return "cancelled"
      case .failed(let code, let details):
        let name = details["case"]?.string.map { ".\($0)" } ?? ""
        #expect(code != "serverAPIError" || details["httpStatus"]?.int != nil)
        return code + name
      }
    }
    return outcomes.last ?? "goes on"
  }
}
