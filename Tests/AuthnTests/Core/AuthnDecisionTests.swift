import Authn
import EventStore
import FlowRecording
import FlowTestKit
import Testing

/// Every phase of a classic sign-in against every input, those among them that cannot come: what is decided, as a table.
@Suite struct AuthnDecisionTests {
  private typealias Stage = CoreStage<AuthnCore>

  @Test("every phase against every input")
  func table() {
    let lines = DecisionTable.lines(of: Self.inputs, at: Self.phases)
    #expect(lines.joined(separator: "\n") == Self.expected)
  }

  @Test(
    "the device token of a refused call counts in recordings of versions in which it did, and in no others",
    arguments: [true, false])
  func deviceOfRefused(isOld: Bool) {
    var stage = Stage(settings: Self.org)
    for device in ["one", "two"] {
      let arguments: [(String, JSON?)] = [
        ("deviceToken", .string(device)), ("deviceOnceSent", isOld ? nil : true),
      ]
      stage.take(.callMade(CallMade(call: "authenticate", arguments: .members(arguments))))
    }
    #expect(stage.records.count { $0.event.type == RequestSent.type } == 1)
    #expect(stage.core.ledger.cookies.cookies.map(\.value) == [isOld ? "two" : "one"])
  }

  @Test(
    "the poll interval of a refused call counts in recordings of versions in which it did, and in no others",
    arguments: [true, false])
  func intervalOfRefused(isOld: Bool) {
    var stage = Stage(settings: Self.org)
    stage.take(.callMade(CallMade(call: "authenticate", arguments: ["username": "ann", "password": "p"])))
    stage.answer(Self.transaction("MFA_REQUIRED"))
    func call(_ factor: Int, _ milliseconds: Int) {
      let arguments: [(String, JSON?)] = [
        ("factor", .int(factor)), ("pollMilliseconds", .int(milliseconds)), ("pollOnceSent", isOld ? nil : true),
      ]
      let made = CallMade(call: "selectFactor", arguments: .members(arguments), on: stage.core.snapshotRevision)
      stage.take(.callMade(made), on: stage.core)
    }
    call(9, 2000)
    #expect(stage.records.count { $0.event.type == RequestSent.type } == 1)
    #expect(stage.core.pollMilliseconds == (isOld ? 2000 : 5000))
    call(0, 3000)
    #expect(stage.records.count { $0.event.type == RequestSent.type } == 2)
    #expect(stage.core.pollMilliseconds == 3000)
  }

  // MARK: Phases

  private static let org: JSON = ["org": "https://org.example", "pollMilliseconds": 5000]

  private static let phases: [(String, Stage)] = {
    let fresh = Stage(settings: org)
    var requesting = fresh
    requesting.take(.callMade(CallMade(call: "authenticate", arguments: ["username": "ann", "password": "p"])))
    var required = requesting
    required.answer(transaction("MFA_REQUIRED"))
    var challenged = required
    challenged.take(
      .callMade(CallMade(call: "selectFactor", arguments: ["factor": 0], on: challenged.core.snapshotRevision)),
      on: challenged.core)
    var polling = challenged
    polling.answer(transaction("MFA_CHALLENGE"))
    polling.take(
      .callMade(CallMade(call: "verifyFactor", arguments: [:], on: polling.core.snapshotRevision)), on: polling.core)
    var waiting = polling
    waiting.answer(transaction("MFA_CHALLENGE", waits: true))
    var asked = waiting
    asked.take(.timerFired(TimerFired()), cause: asked.last("timer.set"))
    var backingOff = asked
    backingOff.take(
      .requestFailed(RequestFailed(TransportError(.timedOut, "late"))), cause: backingOff.last("request.sent"))
    var cancelling = waiting
    cancelling.take(
      .callMade(CallMade(call: "cancel", arguments: [:], on: cancelling.core.snapshotRevision)), on: cancelling.core)
    var signedIn = requesting
    signedIn.answer(["status": "SUCCESS", "sessionToken": "s"])
    var asking = Stage(settings: ["org": "https://org.example", "handler": true])
    asking.take(.callMade(CallMade(call: "authenticate", arguments: [:])))
    asking.answer(transaction("MFA_CHALLENGE", waits: true))
    return [
      ("fresh", fresh), ("requesting", requesting), ("required", required), ("selecting", challenged),
      ("verifying", polling), ("waiting for the next poll", waiting), ("polling", asked), ("backing off", backingOff),
      ("cancelling", cancelling), ("signed in", signedIn), ("asking the handler", asking),
    ]
  }()

  private static func transaction(_ status: String, waits: Bool = false) -> JSON {
    let links: JSON = [
      "next": ["href": "https://org.example/next"], "cancel": ["href": "https://org.example/cancel"],
      "prev": ["href": "https://org.example/prev"],
    ]
    let factor: JSON = [
      "id": "opf1", "factorType": "push", "provider": "OKTA",
      "_links": ["verify": ["href": "https://org.example/verify"]],
    ]
    return .members([
      ("status", .string(status)), ("stateToken", "token"), ("expiresAt", "2026-01-01T01:00:00.000Z"),
      ("factorResult", waits ? "WAITING" : nil),
      ("_embedded", ["factors": [factor], "factor": factor]), ("_links", links),
    ])
  }

  // MARK: Inputs

  private static let inputs: [StageInput<AuthnCore>] =
    [
      .call("authenticate", ["username": "ann", "password": "p"]), .call("verifyFactor"),
      .call("selectFactor", ["factor": 0]), .call("selectFactor", ["factor": 9], " that is not there"), .call("cancel"),
      .call("returnToPreviousStatus"), .call("stopPolling"),
      .reply("MFA_REQUIRED", .answer(transaction("MFA_REQUIRED"))),
      .reply("MFA_CHALLENGE that waits", .answer(transaction("MFA_CHALLENGE", waits: true))),
      .reply("SUCCESS", .answer(["status": "SUCCESS", "sessionToken": "s"])),
      .reply("401", .answer(["errorCode": "E0000004"], status: 401)),
      StageInput("handler: a status") { $0.take(handled(["outcome": "status"]), cause: $0.last("draw.asked")) },
      StageInput("handler: wait") { $0.take(handled(["outcome": "wait"]), cause: $0.last("draw.asked")) },
      StageInput("handler: an error") {
        $0.take(handled(["outcome": "error", "code": "wrongStatus"]), cause: $0.last("draw.asked"))
      },
      StageInput("an output: status.changed") {
        $0.take(.domain(StatusChanged(status: "SUCCESS", previous: nil, summary: [:])))
      },
    ] + StageInput.ofAnyKind

  private static func handled(_ value: JSON) -> FlowEvent {
    .drawMade(DrawMade(kind: DrawKind(rawValue: "handler.status"), ordinal: 9, result: .success(value)))
  }

  // MARK: The table

  private static let expected = """
    fresh:
      call authenticate: POST /api/v1/authn
      call verifyFactor: call 1 wrongStatus
      call selectFactor: call 1 invalidParameters
      call selectFactor that is not there: call 1 invalidParameters
      call cancel: call 1 done
      call returnToPreviousStatus: call 1 wrongStatus
      call stopPolling: call 1 done
      call no such call: call 1 internalError
      release: ended abandoned
      25 others: nothing
    requesting:
      call authenticate: call 4 alreadyInProgress
      call verifyFactor: call 4 alreadyInProgress
      call selectFactor: call 4 alreadyInProgress
      call selectFactor that is not there: call 4 alreadyInProgress
      call cancel: call 1 cancelled, call 4 done
      call returnToPreviousStatus: call 4 alreadyInProgress
      call stopPolling: call 4 done
      answer MFA_REQUIRED: status MFA_REQUIRED, call 1 status
      answer MFA_CHALLENGE that waits: status MFA_CHALLENGE, call 1 status
      answer SUCCESS: status SUCCESS, call 1 status, ended success
      answer 401: call 1 serverRespondedWithError
      call no such call: call 4 alreadyInProgress
      give the last call up: call 1 cancelled
      release: call 1 cancelled, ended abandoned
      answer 500: call 1 serverRespondedWithError
      answer 429: call 1 serverRespondedWithError
      answer 429, wait 7 s: call 1 serverRespondedWithError
      answer that is no object: call 1 responseSerializationError
      answer lost: call 1 connectionError
      answer past the limit: call 1 connectionError
      14 others: nothing
    required:
      call authenticate: POST /next
      call verifyFactor: call 7 wrongStatus
      call selectFactor: POST /verify
      call selectFactor that is not there: call 7 invalidParameters
      call cancel: POST /cancel
      call returnToPreviousStatus: POST /prev
      call stopPolling: call 7 done
      call no such call: call 7 internalError
      release: ended abandoned
      25 others: nothing
    selecting:
      call authenticate: call 9 alreadyInProgress
      call verifyFactor: call 9 alreadyInProgress
      call selectFactor: call 9 alreadyInProgress
      call selectFactor that is not there: call 9 alreadyInProgress
      call cancel: call 7 cancelled, POST /cancel
      call returnToPreviousStatus: call 9 alreadyInProgress
      call stopPolling: call 9 done
      answer MFA_REQUIRED: status MFA_REQUIRED, call 7 status
      answer MFA_CHALLENGE that waits: status MFA_CHALLENGE, call 7 status
      answer SUCCESS: status SUCCESS, call 7 status, ended success
      answer 401: call 7 serverRespondedWithError
      call no such call: call 9 alreadyInProgress
      give the last call up: call 7 cancelled
      release: call 7 cancelled, ended abandoned
      answer 500: call 7 serverRespondedWithError
      answer 429: call 7 serverRespondedWithError
      answer 429, wait 7 s: call 7 serverRespondedWithError
      answer that is no object: call 7 responseSerializationError
      answer lost: call 7 connectionError
      answer past the limit: call 7 connectionError
      14 others: nothing
    verifying:
      call authenticate: call 14 alreadyInProgress
      call verifyFactor: call 14 alreadyInProgress
      call selectFactor: call 14 alreadyInProgress
      call selectFactor that is not there: call 14 alreadyInProgress
      call cancel: call 12 cancelled, POST /cancel
      call returnToPreviousStatus: call 14 alreadyInProgress
      call stopPolling: call 14 done
      answer MFA_REQUIRED: status MFA_REQUIRED, call 12 status
      answer MFA_CHALLENGE that waits: factor WAITING, timer 5000 poll
      answer SUCCESS: status SUCCESS, call 12 status, ended success
      answer 401: call 12 serverRespondedWithError
      call no such call: call 14 alreadyInProgress
      give the last call up: call 12 cancelled
      release: call 12 cancelled, ended abandoned
      answer 500: call 12 serverRespondedWithError
      answer 429: call 12 serverRespondedWithError
      answer 429, wait 7 s: call 12 serverRespondedWithError
      answer that is no object: call 12 responseSerializationError
      answer lost: call 12 connectionError
      answer past the limit: call 12 connectionError
      14 others: nothing
    waiting for the next poll:
      call authenticate: call 12 cancelled, POST /next
      call verifyFactor: call 12 cancelled, POST /next
      call selectFactor: call 12 cancelled, POST /verify
      call selectFactor that is not there: call 17 invalidParameters
      call cancel: call 12 cancelled, POST /cancel
      call returnToPreviousStatus: call 12 cancelled, POST /prev
      call stopPolling: call 12 cancelled, call 17 done
      call no such call: call 17 internalError
      give the last call up: call 12 cancelled
      release: call 12 cancelled, ended abandoned
      timer: POST /next
      23 others: nothing
    polling:
      call authenticate: call 12 cancelled, POST /next
      call verifyFactor: call 12 cancelled, POST /next
      call selectFactor: call 12 cancelled, POST /verify
      call selectFactor that is not there: call 19 invalidParameters
      call cancel: call 12 cancelled, POST /cancel
      call returnToPreviousStatus: call 12 cancelled, POST /prev
      call stopPolling: call 12 cancelled, call 19 done
      answer MFA_REQUIRED: status MFA_REQUIRED, call 12 status
      answer MFA_CHALLENGE that waits: factor WAITING, timer 5000 poll
      answer SUCCESS: status SUCCESS, call 12 status, ended success
      answer 401: call 12 serverRespondedWithError
      call no such call: call 19 internalError
      give the last call up: call 12 cancelled
      release: call 12 cancelled, ended abandoned
      answer 500: call 12 serverRespondedWithError
      answer 429: timer 1123 retry
      answer 429, wait 7 s: timer 7000 retry
      answer that is no object: call 12 responseSerializationError
      answer lost: timer 1000 retry
      answer past the limit: call 12 connectionError
      14 others: nothing
    backing off:
      call authenticate: call 12 cancelled, POST /next
      call verifyFactor: call 12 cancelled, POST /next
      call selectFactor: call 12 cancelled, POST /verify
      call selectFactor that is not there: call 21 invalidParameters
      call cancel: call 12 cancelled, POST /cancel
      call returnToPreviousStatus: call 12 cancelled, POST /prev
      call stopPolling: call 12 cancelled, call 21 done
      call no such call: call 21 internalError
      give the last call up: call 12 cancelled
      release: call 12 cancelled, ended abandoned
      timer: POST /next
      23 others: nothing
    cancelling:
      call authenticate: call 20 alreadyInProgress
      call verifyFactor: call 20 alreadyInProgress
      call selectFactor: call 20 alreadyInProgress
      call selectFactor that is not there: call 20 alreadyInProgress
      call cancel: call 20 alreadyInProgress
      call returnToPreviousStatus: call 20 alreadyInProgress
      call stopPolling: call 20 done
      answer MFA_REQUIRED: call 17 done, ended cancelled
      answer MFA_CHALLENGE that waits: call 17 done, ended cancelled
      answer SUCCESS: call 17 done, ended cancelled
      answer 401: call 17 serverRespondedWithError
      call no such call: call 20 alreadyInProgress
      give the last call up: call 17 cancelled
      release: call 17 cancelled, ended abandoned
      answer 500: call 17 serverRespondedWithError
      answer 429: call 17 serverRespondedWithError
      answer 429, wait 7 s: call 17 serverRespondedWithError
      answer that is no object: call 17 responseSerializationError
      answer lost: call 17 connectionError
      answer past the limit: call 17 connectionError
      14 others: nothing
    signed in:
      call authenticate: POST /api/v1/authn
      call verifyFactor: call 8 wrongStatus
      call selectFactor: call 8 invalidParameters
      call selectFactor that is not there: call 8 invalidParameters
      call cancel: call 8 wrongStatus
      call returnToPreviousStatus: call 8 wrongStatus
      call stopPolling: call 8 done
      call no such call: call 8 internalError
      release: ended abandoned
      25 others: nothing
    asking the handler:
      call authenticate: call 7 alreadyInProgress
      call verifyFactor: call 7 alreadyInProgress
      call selectFactor: call 7 alreadyInProgress
      call selectFactor that is not there: call 7 alreadyInProgress
      call cancel: call 1 cancelled, POST /cancel
      call returnToPreviousStatus: call 7 alreadyInProgress
      call stopPolling: call 7 done
      handler: a status: call 1 status
      handler: wait: timer 5000 poll
      handler: an error: call 1 wrongStatus
      call no such call: call 7 alreadyInProgress
      give the last call up: call 1 cancelled
      release: call 1 cancelled, ended abandoned
      21 others: nothing
    """
}
