import EventStore
import FlowRecording
import FlowTestKit
import IDX
import Testing

/// Every phase of a flow of the Identity Engine against every input, those among them that cannot come: what is decided, as
/// a table.
@Suite struct IDXDecisionTests {
  private typealias Stage = CoreStage<IDXCore>

  @Test("every phase against every input")
  func table() {
    let lines = DecisionTable.lines(of: Self.inputs, at: Self.phases)
    #expect(lines.joined(separator: "\n") == Self.expected)
  }

  // MARK: Phases

  private static let settings: JSON = [
    "issuer": "https://org.example/oauth2/default", "clientId": "client", "scope": "openid",
    "redirectUri": "app:/callback",
  ]

  private static let phases: [(String, Stage)] = {
    let fresh = Stage(settings: settings)
    var interacting = fresh
    interacting.take(.callMade(CallMade(call: "start", arguments: ["state": "state"])))
    var introspecting = interacting
    introspecting.answer(["interaction_handle": "handle"])
    var identified = introspecting
    identified.answer(response())
    var proceeding = identified
    proceeding.take(
      .callMade(
        CallMade(
          call: "proceed", arguments: ["form": "remediation/0", "name": "identify"],
          on: proceeding.core.snapshotRevision)), on: proceeding.core)
    var waiting = identified
    waiting.take(
      .callMade(
        CallMade(call: "startPolling", arguments: ["name": "poll-form"], on: waiting.core.snapshotRevision)),
      on: waiting.core)
    var polling = waiting
    polling.take(.timerFired(TimerFired()), cause: polling.last("timer.set"))
    var limited = proceeding
    limited.answer([:], status: 429, headers: [HTTPField("Retry-After", "2")])
    var done = identified
    done.take(.callMade(CallMade(call: "exchangeCode", arguments: [:], on: done.core.snapshotRevision)), on: done.core)
    var exchanged = done
    exchanged.answer(["access_token": "a", "token_type": "Bearer", "expires_in": 3600])
    return [
      ("fresh", fresh), ("interacting", interacting), ("introspecting", introspecting), ("a response", identified),
      ("proceeding", proceeding), ("waiting for the next poll", waiting), ("polling", polling),
      ("waiting for a rate limit", limited), ("exchanging", done), ("tokens", exchanged),
    ]
  }()

  private static func response() -> JSON {
    func form(_ name: String, _ more: [(String, JSON?)] = []) -> JSON {
      .members(
        [
          ("name", .string(name)), ("href", .string("https://org.example/idp/idx/\(name)")), ("method", "POST"),
          ("accepts", "application/json; okta-version=1.0.0"),
          (
            "value", [["name": "stateHandle", "value": "handle", "visible": false, "mutable": false, "required": true]]
          ),
        ] + more)
    }
    let success: JSON = [
      "name": "issue", "href": "https://org.example/oauth2/default/v1/token", "method": "POST",
      "value": [
        ["name": "grant_type", "value": "interaction_code"], ["name": "interaction_code", "value": "code"],
        ["name": "client_id", "value": "client"],
      ],
    ]
    return [
      "version": "1.0.0", "stateHandle": "handle", "expiresAt": "2026-01-01T01:00:00.000Z", "intent": "LOGIN",
      "remediation": ["type": "array", "value": [form("identify"), form("poll-form", [("refresh", 2000)])]],
      "cancel": form("cancel"), "successWithInteractionCode": success,
    ]
  }

  // MARK: Inputs

  private static let inputs: [StageInput<IDXCore>] =
    [
      .call("start"), .call("resume"),
      .call("restore", ["interaction_handle": "h", "state": "s", "code_verifier": "v"]),
      .call("reset"), .call("proceed", ["form": "remediation/0", "name": "identify"]),
      .call("proceed", ["form": "remediation/9", "name": "gone"], " with a form that is not there"),
      .call("startPolling", ["name": "poll-form"]), .call("startPolling", ["name": "gone"], " of nothing"),
      .call("stopPolling"), .call("exchangeCode"),
      .call("exchangeRedirect", ["redirect": "app:/callback", "state": "state", "interaction_code": "code"]),
      .call(
        "exchangeRedirect", ["redirect": "app:/callback", "state": "another", "interaction_code": "code"],
        " with another state"),
      .reply("handle", .answer(["interaction_handle": "handle"])), .reply("response", .answer(response())),
      .reply("tokens", .answer(["access_token": "a", "token_type": "Bearer", "expires_in": 3600])),
      .reply("400 of OAuth", .answer(["error": "invalid_grant"], status: 400)),
      .reply("400 slow down", .answer(["error": "slow_down"], status: 400)),
      .reply("429, wait an hour", .answer([:], status: 429, headers: [HTTPField("Retry-After", "3600")])),
    ] + StageInput.ofAnyKind

  // MARK: The table

  private static let expected = """
    fresh:
      call start: POST /oauth2/default/v1/interact
      call resume: call 1 invalidContext
      call restore: call 1 done
      call reset: call 1 done
      call proceed: call 1 invalidContext
      call proceed with a form that is not there: call 1 invalidContext
      call startPolling: call 1 missingRelatedObject
      call startPolling of nothing: call 1 missingRelatedObject
      call stopPolling: call 1 done
      call exchangeCode: call 1 successResponseMissing
      call exchangeRedirect: call 1 invalidContext
      call exchangeRedirect with another state: call 1 invalidContext
      call no such call: call 1 internalMessage
      release: ended abandoned
      23 others: nothing
    interacting:
      call start: call 1 cancelled, POST /oauth2/default/v1/interact
      call resume: call 6 internalMessage
      call restore: call 1 cancelled, call 6 done
      call reset: call 1 cancelled, call 6 done
      call proceed: call 6 internalMessage
      call proceed with a form that is not there: call 6 internalMessage
      call startPolling: call 6 missingRelatedObject
      call startPolling of nothing: call 6 missingRelatedObject
      call stopPolling: call 6 done
      call exchangeCode: call 6 internalMessage
      call exchangeRedirect: call 6 internalMessage
      call exchangeRedirect with another state: call 6 internalMessage
      answer handle: POST /idp/idx/introspect
      answer response: call 1 invalidResponseData, ended failed
      answer tokens: call 1 invalidResponseData, ended failed
      answer 400 of OAuth: call 1 oauthError, ended failed
      answer 400 slow down: call 1 oauthError, ended failed
      answer 429, wait an hour: call 1 rateLimited, ended failed
      call no such call: call 6 internalMessage
      give the last call up: call 1 cancelled
      release: call 1 cancelled, ended abandoned
      answer 500: call 1 invalidHTTPResponse, ended failed
      answer 429: call 1 invalidHTTPResponse, ended failed
      answer 429, wait 7 s: timer 7000 retry
      answer that is no object: call 1 invalidResponseData, ended failed
      answer lost: call 1 internalError, ended failed
      answer past the limit: call 1 internalError, ended failed
      10 others: nothing
    introspecting:
      call start: call 1 cancelled, POST /oauth2/default/v1/interact
      call resume: call 8 internalMessage
      call restore: call 1 cancelled, call 8 done
      call reset: call 1 cancelled, call 8 done, ended cancelled
      call proceed: call 8 internalMessage
      call proceed with a form that is not there: call 8 internalMessage
      call startPolling: call 8 missingRelatedObject
      call startPolling of nothing: call 8 missingRelatedObject
      call stopPolling: call 8 done
      call exchangeCode: call 8 internalMessage
      call exchangeRedirect: call 8 internalMessage
      call exchangeRedirect with another state: call 8 internalMessage
      answer handle: call 1 invalidResponseData
      answer response: remediation, call 1 status
      answer tokens: call 1 invalidResponseData
      answer 400 of OAuth: call 1 oauthError
      answer 400 slow down: call 1 oauthError
      answer 429, wait an hour: call 1 rateLimited
      call no such call: call 8 internalMessage
      give the last call up: call 1 cancelled
      release: call 1 cancelled, ended abandoned
      answer 500: call 1 invalidHTTPResponse
      answer 429: call 1 invalidHTTPResponse
      answer 429, wait 7 s: timer 7000 retry
      answer that is no object: call 1 invalidResponseData
      answer lost: call 1 internalError
      answer past the limit: call 1 internalError
      10 others: nothing
    a response:
      call start: POST /oauth2/default/v1/interact
      call resume: POST /idp/idx/introspect
      call restore: call 11 done
      call reset: call 11 done, ended cancelled
      call proceed: POST /idp/idx/identify
      call proceed with a form that is not there: call 11 unknownRemediationOption
      call startPolling: timer 2000 poll
      call startPolling of nothing: call 11 missingRelatedObject
      call stopPolling: call 11 done
      call exchangeCode: POST /oauth2/default/v1/token
      call exchangeRedirect: GET /oauth2/default/.well-known/openid-configuration
      call exchangeRedirect with another state: call 11 invalidContext
      call no such call: call 11 internalMessage
      release: ended abandoned
      23 others: nothing
    proceeding:
      call start: call 11 cancelled, POST /oauth2/default/v1/interact
      call resume: call 13 internalMessage
      call restore: call 11 cancelled, call 13 done
      call reset: call 11 cancelled, call 13 done, ended cancelled
      call proceed: call 13 internalMessage
      call proceed with a form that is not there: call 13 internalMessage
      call startPolling: timer 2000 poll
      call startPolling of nothing: call 13 missingRelatedObject
      call stopPolling: call 13 done
      call exchangeCode: call 13 internalMessage
      call exchangeRedirect: call 13 internalMessage
      call exchangeRedirect with another state: call 13 internalMessage
      answer handle: call 11 invalidResponseData
      answer response: remediation identify, call 11 status
      answer tokens: call 11 invalidResponseData
      answer 400 of OAuth: call 11 oauthError
      answer 400 slow down: call 11 oauthError
      answer 429, wait an hour: call 11 rateLimited
      call no such call: call 13 internalMessage
      give the last call up: call 11 cancelled
      release: call 11 cancelled, ended abandoned
      answer 500: call 11 invalidHTTPResponse
      answer 429: call 11 invalidHTTPResponse
      answer 429, wait 7 s: timer 7000 retry
      answer that is no object: call 11 invalidResponseData
      answer lost: call 11 internalError
      answer past the limit: call 11 internalError
      10 others: nothing
    waiting for the next poll:
      call start: call 11 cancelled, POST /oauth2/default/v1/interact
      call resume: call 11 cancelled, POST /idp/idx/introspect
      call restore: call 11 cancelled, call 13 done
      call reset: call 11 cancelled, call 13 done, ended cancelled
      call proceed: call 11 cancelled, POST /idp/idx/identify
      call proceed with a form that is not there: call 13 unknownRemediationOption
      call startPolling: call 11 cancelled, timer 2000 poll
      call startPolling of nothing: call 13 missingRelatedObject
      call stopPolling: call 11 cancelled, call 13 done
      call exchangeCode: call 11 cancelled, POST /oauth2/default/v1/token
      call exchangeRedirect: call 11 cancelled, GET /oauth2/default/.well-known/openid-configuration
      call exchangeRedirect with another state: call 13 invalidContext
      call no such call: call 13 internalMessage
      give the last call up: call 11 cancelled
      release: call 11 cancelled, ended abandoned
      timer: POST /idp/idx/poll-form
      21 others: nothing
    polling:
      call start: call 11 cancelled, POST /oauth2/default/v1/interact
      call resume: call 11 cancelled, POST /idp/idx/introspect
      call restore: call 11 cancelled, call 15 done
      call reset: call 11 cancelled, call 15 done, ended cancelled
      call proceed: call 11 cancelled, POST /idp/idx/identify
      call proceed with a form that is not there: call 15 unknownRemediationOption
      call startPolling: call 11 cancelled, timer 2000 poll
      call startPolling of nothing: call 15 missingRelatedObject
      call stopPolling: call 11 cancelled, call 15 done
      call exchangeCode: call 11 cancelled, POST /oauth2/default/v1/token
      call exchangeRedirect: call 11 cancelled, GET /oauth2/default/.well-known/openid-configuration
      call exchangeRedirect with another state: call 15 invalidContext
      answer handle: call 11 invalidResponseData
      answer response: timer 2000 poll
      answer tokens: call 11 invalidResponseData
      answer 400 of OAuth: call 11 oauthError
      answer 400 slow down: timer 7000 poll
      answer 429, wait an hour: call 11 rateLimited
      call no such call: call 15 internalMessage
      give the last call up: call 11 cancelled
      release: call 11 cancelled, ended abandoned
      answer 500: call 11 invalidHTTPResponse
      answer 429: call 11 invalidHTTPResponse
      answer 429, wait 7 s: timer 7000 retry
      answer that is no object: call 11 invalidResponseData
      answer lost: timer 2000 poll
      answer past the limit: call 11 internalError
      10 others: nothing
    waiting for a rate limit:
      call start: call 11 cancelled, POST /oauth2/default/v1/interact
      call resume: call 15 internalMessage
      call restore: call 11 cancelled, call 15 done
      call reset: call 11 cancelled, call 15 done, ended cancelled
      call proceed: call 15 internalMessage
      call proceed with a form that is not there: call 15 internalMessage
      call startPolling: timer 2000 poll
      call startPolling of nothing: call 15 missingRelatedObject
      call stopPolling: call 15 done
      call exchangeCode: call 15 internalMessage
      call exchangeRedirect: call 15 internalMessage
      call exchangeRedirect with another state: call 15 internalMessage
      call no such call: call 15 internalMessage
      give the last call up: call 11 cancelled
      release: call 11 cancelled, ended abandoned
      timer: POST /idp/idx/identify
      21 others: nothing
    exchanging:
      call start: call 11 cancelled, POST /oauth2/default/v1/interact
      call resume: call 13 internalMessage
      call restore: call 11 cancelled, call 13 done
      call reset: call 11 cancelled, call 13 done, ended cancelled
      call proceed: call 13 internalMessage
      call proceed with a form that is not there: call 13 internalMessage
      call startPolling: timer 2000 poll
      call startPolling of nothing: call 13 missingRelatedObject
      call stopPolling: call 13 done
      call exchangeCode: call 13 internalMessage
      call exchangeRedirect: call 13 internalMessage
      call exchangeRedirect with another state: call 13 internalMessage
      answer handle: call 11 invalidResponseData
      answer response: call 11 invalidResponseData
      answer tokens: token Bearer, call 11 done, ended success
      answer 400 of OAuth: call 11 oauthError
      answer 400 slow down: call 11 oauthError
      answer 429, wait an hour: call 11 rateLimited
      call no such call: call 13 internalMessage
      give the last call up: call 11 cancelled
      release: call 11 cancelled, ended abandoned
      answer 500: call 11 invalidHTTPResponse
      answer 429: call 11 invalidHTTPResponse
      answer 429, wait 7 s: timer 7000 retry
      answer that is no object: call 11 invalidResponseData
      answer lost: call 11 internalError
      answer past the limit: call 11 internalError
      10 others: nothing
    tokens:
      call start: POST /oauth2/default/v1/interact
      call resume: call 17 invalidContext
      call restore: call 17 done
      call reset: call 17 done
      call proceed: call 17 invalidContext
      call proceed with a form that is not there: call 17 invalidContext
      call startPolling: timer 2000 poll
      call startPolling of nothing: call 17 missingRelatedObject
      call stopPolling: call 17 done
      call exchangeCode: call 17 invalidContext
      call exchangeRedirect: call 17 invalidContext
      call exchangeRedirect with another state: call 17 invalidContext
      call no such call: call 17 internalMessage
      release: ended abandoned
      23 others: nothing
    """
}
