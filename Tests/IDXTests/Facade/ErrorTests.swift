import EventStore
import FlowRecording
import Foundation
import OIDC
import Testing

@testable import IDX

/// Errors and what is none (idx §3.2, §9, §15, §16).
@Suite struct ErrorTests {
  private func identify(_ script: IDXScript) async throws -> (InteractionCodeFlow, Remediation) {
    let flow = script.flow()
    let response = try await flow.start()
    let remediation = try #require(response.remediations[.identify])
    remediation.identifier?.value = "ann"
    return (flow, remediation)
  }

  @Test("an answer of 4xx with a whole response is a response", arguments: [400, 401, 403, 404, 409])
  func responses(status: Int) async throws {
    let script = IDXScript(ION.identify)
    let (flow, remediation) = try await identify(script)
    script.add(
      ION.response(
        [ION.form("identify", nil, [ION.field("identifier")])],
        [("messages", ["value": [["message": "no", "class": "ERROR", "i18n": ["key": "errors.E0000004"]]]])]),
      status: status)
    let response = try await remediation.proceed()
    #expect(response.messages.map(\.message) == ["no"])
    #expect(response.messages[0]?.type == .error)
    try await script.expectWhole(flow)
    let shown = script.events(of: flow).contains {
      $0 == .domain(MessageShown(severity: "ERROR", key: "errors.E0000004", text: "no", field: nil))
    }
    #expect(shown)
  }

  @Test("the server misuses 429 for too many wrong answers: that is a response")
  func tooManyAnswers() async throws {
    let script = IDXScript(ION.challenge)
    let flow = script.flow()
    let response = try await flow.start()
    let challenge = try #require(response.remediations[.challengeAuthenticator])
    challenge["credentials.passcode"]?.value = "1"
    script.add(
      ["version": "1.0.0", "messages": ["value": [["message": "Too many", "class": "ERROR"]]]], status: 429)
    let last = try await challenge.proceed()
    #expect(last.isTerminal)
    #expect(last.remediations.isEmpty)
    try await script.expectWhole(flow)
    #expect(script.events(of: flow).last == .flowEnded(FlowEnded(outcome: "terminal")))
  }

  @Test("an expired session is a server error of introspect, with its key")
  func expired() async throws {
    let script = IDXScript([IDXScript.answer(["interaction_handle": "h"])])
    script.add(
      [
        "version": "1.0.0",
        "messages": [
          "value": [["message": "Session expired", "class": "ERROR", "i18n": ["key": "idx.session.expired"]]]
        ],
      ], status: 401)
    let flow = script.flow()
    let error = try await idxFailure { try await flow.start() }
    #expect(
      error == .serverError(message: "Session expired", localizationKey: "idx.session.expired", type: .error))
    #expect(IDXServerError(error)?.localizationKey == "idx.session.expired")
    #expect(IDXServerError(.invalidContext) == nil)
    #expect(flow.isAuthenticating)
    try await script.expectWhole(flow)
  }

  @Test(
    "bodies that are no response are errors",
    arguments: [
      (#"{"errorCode":"E0000011","errorSummary":"bad token","errorId":"id1"}"#, 401),
      (#"{"error":"invalid_grant","error_description":"no"}"#, 400), ("", 200), ("<html>", 200), ("[]", 200),
      (#"{"message":"odd"}"#, 200), ("", 500), ("oops", 503),
    ])
  func errors(body: String, status: Int) async throws {
    let script = IDXScript(ION.identify)
    let (flow, remediation) = try await identify(script)
    script.transport.add(.respond(with: HTTPResponse(status: status, body: Array(body.utf8))))
    let error = try await idxFailure { try await remediation.proceed() }
    switch (body.prefix(8), status) {
    case (#"{"errorC"#, _):
      #expect(
        error == .apiError(.init(errorCode: "E0000011", errorSummary: "bad token", errorId: "id1", httpStatus: 401)))
    case (#"{"error""#, _): #expect(error == .oauthError(summary: "no", code: "invalid_grant", errorId: nil))
    case ("", 500): #expect(error == .invalidHTTPResponse)
    default: #expect(error == .invalidResponseData)
    }
    #expect(error.errorDescription?.isEmpty == false)
    try await script.expectWhole(flow)
  }

  @Test(
    "an error keeps the status and what was wrong, and says both",
    arguments: [
      ("", 502, InteractionCodeFlowError.invalidHTTPResponse, nil), ("<html>", 503, .invalidResponseData, "no JSON"),
      (#"{"version":7}"#, 500, .invalidHTTPResponse, nil), ("[]", 200, .invalidResponseData, "no JSON object"),
    ] as [(String, Int, InteractionCodeFlowError, String?)])
  func details(body: String, status: Int, expected: InteractionCodeFlowError, reason: String?) async throws {
    let script = IDXScript(ION.identify)
    let (_, remediation) = try await identify(script)
    script.transport.add(.respond(with: HTTPResponse(status: status, body: Array(body.utf8))))
    let error = try await idxFailure { try await remediation.proceed() }
    #expect(error == expected)
    #expect(error.details?.httpStatus == status)
    #expect(error.errorDescription?.contains("HTTP \(status)") == true)
    if let reason {
      #expect(error.details?.reason?.contains(reason) == true)
      #expect(error.errorDescription?.contains(reason) == true)
    }
  }

  @Test("the error for an address that cannot be used says why")
  func reason() async throws {
    let script = IDXScript(
      ION.response([["name": "identify", "href": "http://acme.example/idp/idx/identify", "method": "POST"]]))
    let remediation = try #require(try await script.flow().start().remediations[.identify])
    let error = try await idxFailure { try await remediation.proceed() }
    guard case .invalidUrl(let details) = error else { throw error }
    #expect(details.reason == "an address leaves https")
    #expect(details.httpStatus == nil)
    #expect(error.errorDescription == "An address cannot be used: an address leaves https.")
  }

  @Test("a missing required field is found before anything is sent, and named with its path")
  func missing() async throws {
    let script = IDXScript(ION.challenge)
    let flow = script.flow()
    let response = try await flow.start()
    let challenge = try #require(response.remediations[.challengeAuthenticator])
    let error = try await idxFailure { try await challenge.proceed() }
    #expect(error == .missingRequiredParameter(name: "credentials.passcode"))
    #expect(error.errorDescription?.contains("credentials.passcode") == true)
    #expect(script.transport.requests.count == 2)
    try await script.expectWhole(flow)
  }

  @Test("a boolean field takes booleans and the words for them")
  func booleans() async throws {
    let script = IDXScript(ION.identify, ION.challenge)
    let (flow, remediation) = try await identify(script)
    remediation["rememberMe"]?.value = "perhaps"
    let error = try await idxFailure { try await remediation.proceed() }
    #expect(error == .invalidParameterValue(name: "rememberMe", type: "boolean"))
    remediation["rememberMe"]?.value = "TRUE"
    _ = try await remediation.proceed()
    #expect(try script.lastBody["rememberMe"] == true)
    try await script.expectWhole(flow)
  }

  @Test("a redirect is for a browser, and an address must be one", arguments: ["GET", "POST"])
  func addresses(method: String) async throws {
    let href: JSON = method == "GET" ? "https://acme.example/sso/idps/1" : ""
    let script = IDXScript(
      ION.response([["name": "redirect-idp", "href": href, "method": .string(method), "type": "GOOGLE"]]))
    let flow = script.flow()
    let response = try await flow.start()
    let remediation = try #require(response.remediations[.redirectIdp])
    let error = try await idxFailure { try await remediation.proceed() }
    #expect(error == (method == "GET" ? .cannotCreateRequest : .invalidUrl))
    #expect(script.transport.requests.count == 2)
    try await script.expectWhole(flow)
  }

  @Test("an address that leaves https or the allowed origins is not sent to")
  func origins() async throws {
    for (href, origins) in [
      ("http://acme.example/idp/idx/identify", nil), ("https://evil.example/idp/idx/identify", [String]()),
    ] as [(String, [String]?)] {
      let script = IDXScript(ION.response([["name": "identify", "href": .string(href), "method": "POST"]]))
      let flow = script.flow(origins: origins)
      let response = try await flow.start()
      let remediation = try #require(response.remediations[.identify])
      #expect(try await idxFailure { try await remediation.proceed() } == .invalidUrl)
      #expect(script.transport.requests.count == 2)
    }
  }

  @Test("what was entered goes to another origin only if it is listed, and the error names the origin and the way out")
  func entriesElsewhere() async throws {
    let form: JSON = [
      "name": "identify", "href": "https://sso.example/idp/idx/identify", "method": "POST",
      "value": [["name": "identifier"], ["name": "rememberMe", "type": "boolean"]],
    ]
    for (origins, entered, sent) in [
      (nil, "ann", 2), (nil, nil, 3), (["https://sso.example"], "ann", 3), (["https://other.example"], nil, 2),
    ] as [([String]?, String?, Int)] {
      let script = IDXScript(ION.response([form]), ION.challenge)
      let flow = script.flow(origins: origins)
      let remediation = try #require(try await flow.start().remediations[.identify])
      if let entered { remediation.identifier?.value = entered }
      if sent == 2 {
        let error = try await idxFailure { try await remediation.proceed() }
        #expect(error == .invalidUrl)
        let text = error.details?.reason ?? ""
        #expect(text.contains("https://sso.example,") && text.contains("allowedOrigins"), "\(text)")
      } else {
        _ = try await remediation.proceed()
        let last = script.events(of: flow).compactMap { if case .requestSent(let sent) = $0 { sent } else { nil } }.last
        #expect(last?.foreignOrigin == "https://sso.example")
      }
      #expect(script.transport.requests.count == sent)
      try await script.expectWhole(flow)
    }
  }

  @Test("tokens are asked for at the issuer's origin, unless another is listed")
  func tokensElsewhere() async throws {
    let success = String(decoding: ION.success().bytes, as: UTF8.self)
    let elsewhere = try JSON(
      parsing: Array(success.replacing("https://acme.example/oauth2", with: "https://sso.example/oauth2").utf8))
    for (origins, sent) in [(nil, 2), (["https://sso.example"], 3)] as [([String]?, Int)] {
      let script = IDXScript(elsewhere)
      let flow = script.flow(origins: origins)
      let response = try await flow.start()
      _ = try? await response.exchangeCode()
      #expect(script.transport.requests.count == sent)
    }
  }

  @Test("a second request while one is under way is refused, and cancel of a response without one is named")
  func busy() async throws {
    let hold = ScriptedTransport.Hold()
    let script = IDXScript(ION.identify)
    let (flow, remediation) = try await identify(script)
    script.add(ION.challenge, hold: hold)
    let first = Task { try await remediation.proceed() }
    _ = await script.transport.requests(atLeast: 3)
    guard case .internalMessage = try await idxFailure({ try await remediation.proceed() }) else {
      return #expect(Bool(false))
    }
    hold.release()
    _ = try await first.value
    try await script.expectWhole(flow)
    let bare = IDXScript(["version": "1.0.0", "remediation": ["value": []]])
    let other = bare.flow()
    let response = try await other.start()
    #expect(!response.canCancel)
    #expect(try await idxFailure { try await response.cancel() } == .unknownRemediationOption(name: "cancel"))
  }

  @Test("an error as the OAuth part sees it")
  func oauth() {
    guard
      case .server("invalid_grant", "no") = InteractionCodeFlowError.oauthError(
        summary: "no", code: "invalid_grant", errorId: nil
      ).oauth
    else { return #expect(Bool(false)) }
    guard case .invalidContext = InteractionCodeFlowError.invalidContext.oauth else { return #expect(Bool(false)) }
    let failure = InteractionCodeFlowError.TransportFailure(code: .timedOut, detail: "no answer")
    guard case .network = InteractionCodeFlowError.internalError(failure).oauth else { return #expect(Bool(false)) }
    #expect(failure.isNetwork)
  }
}
