import EventStore
import FlowRecording
import OIDC
import Replay
import Scenarios
import Testing

@Suite struct DeviceGrantTests {
  private static let endpoint: [(String, JSON?)] = [
    ("device_authorization_endpoint", .string(TinyProvider.home + "/device"))
  ]

  /// A provider whose token endpoint says these words first.
  private static func provider(_ words: [String]) -> TinyProvider {
    let left = Locked(words)
    return TinyProvider(metadata: endpoint) { request, response in
      guard request.url.hasSuffix("/token") else { return }
      let word = left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      if let word { response = .json(["error": .string(word)], status: 400) }
    }
  }

  @Test func `the person goes to a page, and the flow asks until there are tokens, slower if the server asks for that`()
    async throws
  {
    let rig = try OIDCRig(Self.provider(["authorization_pending", "slow_down", "authorization_pending"]))
    let shown = Locked<[DeviceCode]>([])
    let manager = try await rig.auth.signInOnDevice { code in shown.withLock { $0.append(code) } }
    #expect(manager.accessToken == "access-canary-4")
    #expect(shown.withLock { $0.map(\.userCode) } == ["WDJB-MJHT"])
    #expect(shown.withLock { $0.first?.verificationUriComplete } == "https://id.example/go?c=WDJB-MJHT")
    #expect(Self.timers(rig) == [5_000, 5_000, 10_000, 10_000])
    let form = TinyProvider.form(rig.provider.requests[2])
    #expect(form["grant_type"] == "urn:ietf:params:oauth:grant-type:device_code")
    #expect(form["device_code"] == "device-code-canary")
    try rig.expectReplay()
  }

  /// The waits of the first flow, in milliseconds.
  private static func timers(_ rig: OIDCRig) -> [Int] {
    rig.flows[0].records.compactMap { record -> Int? in
      if case .timerSet(let timer) = record.event { timer.milliseconds } else { nil }
    }
  }

  @Test func `a rate limit is waited for, if it is longer than the interval`() async throws {
    let left = Locked(["60", "2"])
    let rig = try OIDCRig(
      TinyProvider(metadata: Self.endpoint) { request, response in
        guard request.url.hasSuffix("/token") else { return }
        let seconds = left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let seconds {
          response = HTTPResponse(status: 429, headers: [HTTPField("Retry-After", seconds)], body: [])
        }
      })
    let manager = try await rig.auth.signInOnDevice { _ in }
    #expect(manager.accessToken == "access-canary-3")
    #expect(Self.timers(rig) == [5_000, 60_000, 5_000])
    try rig.expectReplay()
  }

  @Test func `a refusal ends it, and so does silence`() async throws {
    let denied = try OIDCRig(Self.provider(["authorization_pending", "access_denied"]))
    #expect(await failure { try await denied.auth.signInOnDevice { _ in } }?.oauthCode == "access_denied")
    try denied.expectReplay()
    let silent = try OIDCRig(Self.provider(Array(repeating: "authorization_pending", count: 1_000)))
    #expect(await failure { try await silent.auth.signInOnDevice { _ in } }?.oauthCode == "expired_token")
    #expect(silent.provider.requests.count < 125)
    try silent.expectReplay()
  }

  @Test func `a server without the endpoint is an error by its name`() async throws {
    let rig = try OIDCRig()
    let expected = OktaError.APIError("the server has no endpoint for sign-ins on another device")
    #expect(await failure { try await rig.auth.signInOnDevice { _ in } } == expected)
    try rig.expectReplay()
  }
}
