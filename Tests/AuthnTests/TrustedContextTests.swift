import EventStore
import FlowRecording
import Foundation
import Testing

@testable import Authn

/// Headers of trusted applications, requests to other origins, and Duo's form (authn §1.1, §1.2, §2).
@Suite struct TrustedContextTests {
  private static let options: OktaAuthenticationOptions = {
    var options = OktaAuthenticationOptions()
    options.apiToken = "ssws-canary-41"
    options.forwardedFor = "203.0.113.7"
    options.acceptLanguage = "de, en;q=0.5"
    return options
  }()

  private func header(_ name: String, of request: HTTPRequest?) -> String? {
    request?.headers.first { $0.name == name }?.value
  }

  private func written(_ script: Script, _ flow: String) -> String {
    script.recorder.records(of: flow).map { $0.event.data.text }.joined()
  }

  @Test("an API token, the user's address and languages are headers; the token is not written")
  func headers() async throws {
    let script = Script(Wire.success)
    let last = try await script.begin().authenticate(username: "ann", password: "Horse-7", options: Self.options)
    let request = script.transport.requests.last
    #expect(header("Authorization", of: request) == "SSWS ssws-canary-41")
    #expect(header("X-Forwarded-For", of: request) == "203.0.113.7")
    #expect(header("Accept-Language", of: request) == "de, en;q=0.5")
    #expect(!written(script, last.flowID).contains("ssws-canary-41"))
    try await script.expectWhole(last)
  }

  @Test("languages go along with all that follows, the API token and the address with the credentials alone")
  func languages() async throws {
    let sms = Wire.factor("sms", links: [("verify", Wire.link("/factors/fct1/verify"))])
    let required = Wire.transaction(
      "MFA_REQUIRED", embedded: [("factors", [sms])], links: [("cancel", Wire.link("/cancel"))])
    let challenge = Wire.transaction(
      "MFA_CHALLENGE", embedded: [("factor", sms)],
      links: [("next", Wire.link("/factors/fct1/verify", name: "verify")), ("cancel", Wire.link("/cancel"))])
    let script = Script(required, challenge, Wire.success, Wire.success)
    let start = script.begin()
    let first = try await start.authenticate(username: "ann", password: "Horse-7", options: Self.options)
    let chosen = try await #require(first.factors.first).select()
    let last = try await #require(chosen as? OktaAuthStatusFactorChallenge)
      .verifyFactor(passCode: "482913", answerToSecurityQuestion: nil)
    var requests = script.transport.requests
    #expect(requests.count == 3)
    #expect(requests.allSatisfy { header("Accept-Language", of: $0) == "de, en;q=0.5" })
    #expect(requests.dropFirst().allSatisfy { header("Authorization", of: $0) == nil })
    #expect(requests.dropFirst().allSatisfy { header("X-Forwarded-For", of: $0) == nil })
    try await script.expectWhole(last)
    // A sign-in that asks for none has none.
    _ = try await start.authenticate(username: "ann", password: "Horse-7")
    requests = script.transport.requests
    #expect(requests.count == 4 && header("Accept-Language", of: requests.last) == nil)
  }

  @Test("a sign-in that is refused changes neither the languages nor the device of the one under way")
  func refused() async throws {
    func options(_ device: String, _ languages: String) -> OktaAuthenticationOptions {
      var options = OktaAuthenticationOptions()
      options.deviceToken = device
      options.acceptLanguage = languages
      return options
    }
    let sms = Wire.factor("sms", links: [("verify", Wire.link("/factors/fct1/verify"))])
    let challenge = Wire.transaction(
      "MFA_CHALLENGE", embedded: [("factor", sms)],
      links: [("next", Wire.link("/factors/fct1/verify", name: "verify")), ("cancel", Wire.cancel)])
    let hold = ScriptedTransport.Hold()
    let script = Script([
      Script.answer(Wire.required(sms)), Script.answer(challenge, hold: hold), Script.answer(Wire.success),
      Script.answer(Wire.success),
    ])
    let start = script.begin()
    let first = try await start.authenticate(
      username: "ann", password: "Horse-7", options: options("device-1", "de"))
    let factor = try #require(first.factors.first)
    let selection = Task { try await factor.select() }
    _ = await script.transport.requests(atLeast: 2)
    let others = options("device-2", "fr")
    let error = try await failure { () async throws(OktaError) in
      try await start.authenticate(username: "ann", password: "Horse-7", options: others)
    }
    guard case .alreadyInProgress = error else { throw error }
    hold.release()
    let chosen = try await selection.value
    let last = try await #require(chosen as? OktaAuthStatusFactorChallenge)
      .verifyFactor(passCode: "482913", answerToSecurityQuestion: nil)
    var requests = script.transport.requests
    #expect(requests.map { header("Accept-Language", of: $0) } == ["de", "de", "de"])
    #expect(requests.map { header("Cookie", of: $0) } == Array(repeating: "DT=device-1", count: 3))
    try await script.expectWhole(last)
    // One that is sent counts, for itself too.
    _ = try await start.authenticate(username: "ann", password: "Horse-7", options: others)
    requests = script.transport.requests
    #expect(header("Accept-Language", of: requests.last) == "fr")
    #expect(header("Cookie", of: requests.last) == "DT=device-2")
  }

  @Test("they stay at home if a link leads elsewhere, and the log says that it does")
  func foreign() async throws {
    let stepUp = Wire.transaction(
      "UNAUTHENTICATED", links: [("next", Wire.link("https://sso.example/api/v1/authn", name: "authenticate"))])
    let script = Script(stepUp, Wire.success)
    let status: OktaAuthStatusUnauthenticated = try await script.status(origins: ["https://sso.example"])
    let last = try await status.authenticate(username: "ann", password: "Horse-7", options: Self.options)
    let request = script.transport.requests.last
    #expect(request?.url == "https://sso.example/api/v1/authn")
    #expect(header("Authorization", of: request) == nil)
    #expect(header("X-Forwarded-For", of: request) == nil)
    let origins = script.recorder.records(of: last.flowID).compactMap { record -> String?? in
      if case .requestSent(let sent) = record.event { .some(sent.foreignOrigin) } else { nil }
    }
    #expect(origins == [nil, "https://sso.example"])
    try await script.expectWhole(last)
  }

  @Test("that a listener sends a request elsewhere stands in the log as well")
  func listenerElsewhere() async throws {
    let script = Script(Wire.success)
    var environment = script.environment
    environment.requestListener = { request in
      var request = request
      request.url = "https://proxy.example/api/v1/authn"
      return request
    }
    let start = OktaAuthStatusUnauthenticated(
      oktaDomain: try #require(URL(string: Script.org)), environment: environment)
    let last = try await start.authenticate(username: "ann", password: "Horse-7")
    #expect(written(script, last.flowID).contains(#""foreignOrigin":"https://proxy.example""#))
    try await script.expectWhole(last)
  }

  @Test("what Duo signed goes to the link `complete`, as a form, and the next poll says what follows")
  func duo() async throws {
    let verification: JSON = ["_links": ["complete": Wire.link("/factors/fct1/lifecycle/duoCallback")]]
    let duo = Wire.factor("web", provider: "DUO", links: [], [("_embedded", ["verification": verification])])
    let challenge = Wire.transaction(
      "MFA_CHALLENGE", embedded: [("factor", duo)],
      links: [("next", Wire.link("/factors/fct1/verify", name: "poll")), ("cancel", Wire.cancel)],
      [("factorResult", "WAITING")])
    let empty = ScriptedTransport.Answer.respond(with: HTTPResponse(status: 200, body: []))
    let script = Script([Script.answer(challenge), empty, Script.answer(Wire.success)])
    let status: OktaAuthStatusFactorChallenge = try await script.status()
    let factor = try #require(status.factor as? OktaFactorOther)
    try await factor.complete(signedResponse: "AUTH|a+b c/é=:APP|canary-duo-52")
    let request = try #require(script.transport.requests.last)
    #expect(request.url == Script.factorURL + "/fct1/lifecycle/duoCallback")
    #expect(header("Content-Type", of: request) == "application/x-www-form-urlencoded")
    #expect(
      String(decoding: request.body ?? [], as: UTF8.self)
        == "id=fct1&sig_response=AUTH%7Ca%2Bb%20c%2F%C3%A9%3D%3AAPP%7Ccanary-duo-52&stateToken=state-token-1")
    #expect(try await status.verifyFactor(passCode: nil, answerToSecurityQuestion: nil).statusType == .success)
    #expect(!written(script, status.flowID).contains("canary-duo-52"))
    try await script.expectWhole(status)
  }

  @Test("without the link no request leaves")
  func noDuo() async throws {
    let script = Script(
      Wire.transaction(
        "MFA_CHALLENGE", embedded: [("factor", Wire.factor("web", provider: "DUO", links: []))],
        links: [("next", Wire.link("/factors/fct1/verify"))]))
    let status: OktaAuthStatusFactorChallenge = try await script.status()
    let factor = try #require(status.factor as? OktaFactorOther)
    let error = try await failure { () async throws(OktaError) in try await factor.complete(signedResponse: "x") }
    guard case .wrongStatus = error else { throw error }
    #expect(script.transport.requests.count == 1)
  }
}
