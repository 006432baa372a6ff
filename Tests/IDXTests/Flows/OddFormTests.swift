import EventStore
import FlowRecording
import Foundation
import Testing

@testable import IDX

/// Forms and answers that no org should send.
@Suite struct OddFormTests {
  private func form(method: String) -> JSON {
    ION.response([["name": "identify", "href": "https://acme.example/idp/idx/identify", "method": .string(method)]])
  }

  @Test(
    "a form whose method is none that carries a form is refused before anything is sent",
    arguments: [
      "no method", "POST\r\nX-Evil: 1", "P\u{00F6}ST", "TRACE", "connect", "HEAD", "OPTIONS", "a:b", "{}", "",
    ])
  func refusedMethod(method: String) async throws {
    let script = IDXScript(form(method: method), ION.challenge)
    let flow = script.flow()
    let remediation = try #require(try await flow.start().remediations[.identify])
    #expect(try await idxFailure { try await remediation.proceed() } == .invalidRequestData)
    #expect(script.transport.requests.count == 2)
    try await script.expectWhole(flow)
  }

  @Test("a method is sent in upper case", arguments: ["post", "Put", "PATCH", "DELETE"])
  func method(method: String) async throws {
    let script = IDXScript(form(method: method), ION.challenge)
    let flow = script.flow()
    let remediation = try #require(try await flow.start().remediations[.identify])
    _ = try await remediation.proceed()
    #expect(script.transport.requests.last?.method == method.uppercased())
    try await script.expectWhole(flow)
  }

  @Test("an object that only wraps fields is not sent if it has none, be it a preset or a chosen option")
  func emptyWrapper() async throws {
    let wrappers: [JSON] = [["form": ["value": []]], ["form": ["value": .null]], ["form": [:]]]
    for wrapper in wrappers {
      let fields = [
        ION.field("group", [("value", wrapper)]),
        ION.field("authenticator", [("options", [["label": "Email", "value": wrapper]])]),
      ]
      let script = IDXScript(ION.response([ION.form("identify", nil, fields)]), ION.challenge)
      let flow = script.flow()
      let remediation = try #require(try await flow.start().remediations[.identify])
      let choice = try #require(remediation["authenticator"])
      choice.selectedOption = choice.options?.first
      _ = try await remediation.proceed()
      #expect(try script.lastBody == ["stateHandle": .string(ION.stateHandle)], "\(wrapper.text)")
      try await script.expectWhole(flow)
    }
  }

  @Test("a form is sent also if a member that nothing declares has a form or an address of the org")
  func undeclaredForm() async throws {
    let body = ION.response(
      [ION.form("identify", nil, [ION.field("identifier", [("required", true)])])],
      [("registration", ["type": "object", "value": ION.form("identify")]), ("home", "https://acme.example/")])
    let script = IDXScript(body, ION.challenge)
    let flow = script.flow()
    let remediation = try #require(try await flow.start().remediations[.identify])
    remediation.identifier?.value = "ann"
    _ = try await remediation.proceed()
    #expect(script.transport.requests.last?.url == "https://acme.example/idp/idx/identify")
    try await script.expectWhole(flow)
  }

  @Test("a byte order mark before an answer is skipped, and one alone is an empty answer")
  func byteOrderMark() async throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let handle: JSON = ["interaction_handle": .string(IDXScript.interactionHandle)]
    let script = IDXScript([.respond(with: HTTPResponse(status: 200, body: mark + handle.bytes))])
    script.transport.add(.respond(with: HTTPResponse(status: 200, body: mark + ION.identify.bytes)))
    script.transport.add(.respond(with: HTTPResponse(status: 500, body: mark)))
    let flow = script.flow()
    let identify = try #require(try await flow.start().remediations[.identify])
    identify.identifier?.value = "ann"
    #expect(try await idxFailure { try await identify.proceed() } == .invalidHTTPResponse)
    try await script.expectWhole(flow)
    #expect(!script.events(of: flow).map(\.data.text).joined().contains("opaque"))
  }

  @Test(
    "an issuer that has a query, a fragment, an empty part or a user is refused before anything is sent",
    arguments: [
      "https://acme.example/oauth2/default?tenant=1", "https://acme.example/oauth2/default#top",
      "https://acme.example//oauth2/default", "https://acme.example/oauth2//default",
      "https://ann@acme.example/oauth2/default", "https://acme.example?", "https://acme.example#", "ftp://acme.example",
    ])
  func issuer(text: String) async throws {
    let script = IDXScript(ION.identify)
    let flow = script.flow(issuer: text)
    #expect(try await idxFailure { try await flow.start() } == .invalidUrl)
    #expect(script.transport.requests.isEmpty)
    #expect(!flow.isAuthenticating)
    try await script.expectWhole(flow)
  }

  @Test("slashes at the end of an issuer do not count")
  func slashes() async throws {
    let script = IDXScript(ION.identify)
    _ = try await script.flow(issuer: "https://acme.example/oauth2/default//").start()
    #expect(script.transport.requests.first?.url == "https://acme.example/oauth2/default/v1/interact")
  }

  /// A device whose token is whatever the application says.
  private struct OddDevice: DeviceIdentity {
    var token: String
    func token(for issuer: String) -> String { token }
  }

  @Test(
    "a device token of another form is not sent",
    arguments: [
      "abc; sid=evil", "abc,def", "a b", "\"abc\"", "\u{00E9}", "a\r\nb", "", String(repeating: "a", count: 33),
    ])
  func oddDevice(token: String) async throws {
    var script = IDXScript(ION.identify)
    script.environment.device = OddDevice(token: token)
    let flow = script.flow()
    _ = try await flow.start()
    #expect(script.transport.requests.count == 2)
    #expect(!script.transport.requests.contains { request in request.headers.contains { $0.name == "Cookie" } })
    try await script.expectWhole(flow)
  }

  @Test("a device token of 32 characters is sent", arguments: ["0123456789abcdef0123456789ABCDEF", "a-b_c+d/e=="])
  func device(token: String) async throws {
    var script = IDXScript(ION.identify)
    script.environment.device = OddDevice(token: token)
    _ = try await script.flow().start()
    #expect(script.transport.requests.first?.headers.first { $0.name == "Cookie" }?.value == "DT=\(token)")
  }
}
