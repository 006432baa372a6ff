// Where metadata come from, and that those who need them at the same time share one fetch (oidc §2).

import Dispatch
import EventStore
import FlowRecording
import OIDC
import Replay
import Scenarios
import Testing

@Suite struct DiscoveryTests {
  @Test func `flows that need the metadata at the same time share one fetch`() async throws {
    let gate = DispatchSemaphore(value: 0)
    let rig = try OIDCRig(
      TinyProvider { request, response in
        guard request.url.hasSuffix("/openid-configuration") else { return }
        gate.wait()
        // Those who wait get it, even if it may not be kept.
        response.headers.append(HTTPField("Cache-Control", "no-store"))
      })
    try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<8 { group.addTask { try await rig.signIn().accessToken } }
      while Self.waiting(rig) < 7 { await Task.yield() }
      gate.signal()
      var tokens: Set<String> = []
      for try await token in group { tokens.insert(token ?? "") }
      #expect(tokens.count == 8)
    }
    #expect(rig.provider.paths.filter { $0.hasSuffix("/openid-configuration") }.count == 1)
    try rig.expectReplay()
  }

  /// How many flows have asked to wait: for another's fetch, or for what is named.
  private static func waiting(_ rig: OIDCRig, for kind: DrawKind = .oidcShared) -> Int {
    rig.flows.flatMap(\.records).count { record in
      if case .drawAsked(let draw) = record.event { draw.kind == kind } else { false }
    }
  }

  @Test func `if the first fetch gets nothing, the others ask for themselves`() async throws {
    let gate = DispatchSemaphore(value: 0)
    let isFirst = Locked(true)
    let rig = try OIDCRig(
      TinyProvider { request, response in
        guard request.url.hasSuffix("/openid-configuration"),
          isFirst.withLock({ isFirst in
            defer { isFirst = false }
            return isFirst
          })
        else { return }
        gate.wait()
        response = .json([:], status: 503)
      })
    let errors = await withTaskGroup(of: OktaError?.self) { group in
      for _ in 0..<3 { group.addTask { await failure { try await rig.signIn() } } }
      while Self.waiting(rig) < 2 { await Task.yield() }
      gate.signal()
      var errors: [OktaError] = []
      for await error in group { errors += [error].compactMap { $0 } }
      return errors
    }
    #expect(errors.map(\.httpStatus) == [503])
    try rig.expectReplay()
  }

  @Test func `renewals over one store that lack the metadata do not wait for each other without end`() async throws {
    // Open for the sign-in, and closed behind it.
    let gate = DispatchSemaphore(value: 0)
    gate.signal()
    let rig = try OIDCRig(
      TinyProvider { request, _ in
        if request.url.hasSuffix("/openid-configuration") { gate.wait() }
      })
    try await rig.signIn().writeToSecureStorageOrThrow()
    var environment = rig.environment
    environment[MetadataCacheSeam.self] = MetadataCache()
    let cold = environment
    let managers = try (0..<6).map { _ in
      try #require(OktaAuthStateManager.readFromSecureStorage(for: rig.auth.configuration, environment: cold))
    }
    await withTaskGroup(of: OktaError?.self) { group in
      for manager in managers { group.addTask { await failure { try await manager.renew() } } }
      while Self.waiting(rig, for: .tokensClaim) < 6 { await Task.yield() }
      gate.signal()
      for await error in group { #expect(error == nil) }
    }
    #expect(Set(managers.map(\.accessToken)) == ["access-canary-2"])
    #expect(rig.provider.paths.filter { $0.hasSuffix("/openid-configuration") }.count == 2)
    try rig.expectReplay()
  }

  @Test func `a server of OAuth alone has its metadata between host and path, and needs no keys`() async throws {
    let rig = try OIDCRig(
      TinyProvider(metadata: [("jwks_uri", nil)]) { request, response in
        if request.url.hasSuffix("/openid-configuration") { response = .json(["errorCode": "E0000007"], status: 404) }
      })
    #expect(try await rig.signIn().accessToken == "access-canary-1")
    #expect(
      rig.provider.requests.prefix(2).map(\.url) == [
        "https://id.example/tenant/.well-known/openid-configuration",
        "https://id.example/.well-known/oauth-authorization-server/tenant",
      ])
    _ = try await rig.signIn()
    #expect(rig.provider.paths.count == 6)
    try rig.expectReplay()
  }

  @Test func `Okta's custom servers have them behind the path`() async throws {
    let issuer = "https://acme.example/oauth2/default"
    let rig = try OIDCRig(
      TinyProvider(metadata: [("issuer", .string(issuer))]) { request, response in
        if request.url.hasSuffix("/openid-configuration") { response = .json([:], status: 404) }
      }, values: ["issuer": issuer])
    _ = try await rig.signIn()
    #expect(rig.provider.requests[1].url == issuer + "/.well-known/oauth-authorization-server")
    try rig.expectReplay()
  }

  @Test func `a server with neither is an error with its status, and metadata of another issuer are refused`()
    async throws
  {
    let none = try OIDCRig(
      TinyProvider { request, response in
        if request.url.contains("/.well-known/") { response = .json(["errorCode": "E0000007"], status: 404) }
      })
    #expect(await failure { try await none.signIn() }?.httpStatus == 404)
    try none.expectReplay()
    let other = try OIDCRig(
      TinyProvider(metadata: [("issuer", "https://evil.example")]) { request, response in
        if request.url.hasSuffix("/openid-configuration") { response = .json([:], status: 404) }
      })
    let expected = OktaError.issuerMismatch(expected: TinyProvider.issuer, actual: "https://evil.example")
    #expect(await failure { try await other.signIn() } == expected)
    try other.expectReplay()
  }
}
