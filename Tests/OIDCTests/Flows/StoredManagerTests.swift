// Stored tokens through the objects that an application holds (oidc §9.3).

import EventStore
import FlowRecording
import OIDC
import Scenarios
import Testing

@Suite struct StoredManagerTests {
  private let older = [
    TinyProvider.issuer + "/_client-7", TinyProvider.issuer + "_client-7", "client-7",
  ]

  private func tokens(_ id: String) -> StoredTokens {
    var tokens = StoredTokens(
      id: id, issuer: TinyProvider.issuer + "/", clientID: "client-7", tokenType: "Bearer",
      accessToken: "access-canary-\(id)", issued: OIDCRig.start.microseconds)
    tokens.refreshToken = "refresh-canary-\(id)"
    return tokens
  }

  @Test(arguments: 0..<3)
  func `tokens under a key of an older version are read, move to the right key, and are renewed there`(row: Int)
    async throws
  {
    let rig = try OIDCRig()
    try rig.store.write(tokens("old"), for: StorageKey(older: older[row]))
    let manager = try #require(
      try OktaAuthStateManager.readFromSecureStorageOrThrow(
        for: rig.auth.configuration, environment: rig.environment))
    #expect(manager.refreshToken == "refresh-canary-old")
    let key = StorageKey(rig.auth.configuration)
    #expect(try rig.store.keys() == [key])
    try await manager.renew()
    #expect(try rig.store.read(key)?.refreshToken == "refresh-canary-1")
    #expect(try rig.store.keys() == [key])
    try rig.expectReplay()
  }

  @Test func `a removal takes the forms of older versions too, and no other client's tokens`() throws {
    let rig = try OIDCRig()
    for text in older { try rig.store.write(tokens(text), for: StorageKey(older: text)) }
    var other = tokens("other")
    other.clientID = "client-8"
    try rig.store.write(other, for: other.key)
    let manager = try #require(
      OktaAuthStateManager.readFromSecureStorage(for: rig.auth.configuration, environment: rig.environment))
    manager.clear()
    #expect(try rig.store.keys() == [other.key])
    try rig.expectReplay()
  }

  @Test func `the key of versions before composite keys is read, and stays`() throws {
    let rig = try OIDCRig()
    try rig.store.write(tokens("legacy"), for: .legacy)
    #expect(
      OktaAuthStateManager.readFromSecureStorage(for: rig.auth.configuration, environment: rig.environment) == nil)
    let manager = try #require(OktaAuthStateManager.readFromSecureStorage(environment: rig.environment))
    #expect(manager.refreshToken == "refresh-canary-legacy")
    #expect(try rig.store.keys() == [.legacy])
    try rig.expectReplay()
  }
}
