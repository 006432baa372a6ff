// Renewals over one store on disk, as several processes have it: each opens the store for itself.

import EventStore
import FlowRecording
import Foundation
import OIDC
import Scenarios
import Testing

@Suite struct SharedStoreTests {
  /// A provider that ends the authorization if a refresh token is used twice.
  private static func strict() -> TinyProvider {
    let used = Locked<Set<String>>([])
    return TinyProvider { request, response in
      guard let token = TinyProvider.form(request)["refresh_token"] else { return }
      if !used.withLock({ $0.insert(token).inserted }) {
        response = .json(["error": "invalid_grant", "error_description": "used twice"], status: 400)
      }
    }
  }

  @Test func `of many that renew at the same time one asks the server, and the others have its tokens`() async throws {
    let folder = try OwnFolder()
    let provider = Self.strict()
    let stores = try (0..<4).map { _ in
      try EncryptedFileStore(directory: folder.file("tokens"), key: .bytes(Array(repeating: 7, count: 32)))
    }
    let rigs = try stores.map { try OIDCRig(provider, store: $0) }
    let first = try await rigs[0].signIn()
    try first.writeToSecureStorageOrThrow()
    for round in 1...3 {
      let managers = try (0..<12).map { index in
        let rig = rigs[index % rigs.count]
        return try #require(
          OktaAuthStateManager.readFromSecureStorage(for: rig.auth.configuration, environment: rig.environment))
      }
      let before = provider.requests.filter { $0.url.hasSuffix("/token") }.count
      let errors = await withTaskGroup(of: OktaError?.self) { group in
        for manager in managers { group.addTask { await failure { try await manager.renew() } } }
        var errors: [OktaError] = []
        for await error in group { errors += [error].compactMap { $0 } }
        return errors
      }
      #expect(errors == [])
      #expect(provider.requests.filter { $0.url.hasSuffix("/token") }.count == before + 1)
      #expect(Set(managers.map(\.accessToken)) == ["access-canary-\(round + 1)"])
      let stored = try #require(try stores[0].tokens(issuer: TinyProvider.issuer, clientID: "client-7"))
      #expect(stored.accessToken == "access-canary-\(round + 1)")
    }
    for rig in rigs { try rig.expectReplay() }
  }

  @Test(.timeLimit(.minutes(2)))
  func `a hundred renewals of one entry at the same time all end, by one request`() async throws {
    let folder = try OwnFolder()
    let store = try EncryptedFileStore(directory: folder.file("tokens"), key: .bytes(Array(repeating: 7, count: 32)))
    let rig = try OIDCRig(Self.strict(), store: store)
    try await rig.signIn().writeToSecureStorageOrThrow()
    let managers = try (0..<100).map { _ in
      try #require(
        OktaAuthStateManager.readFromSecureStorage(for: rig.auth.configuration, environment: rig.environment))
    }
    let errors = await withTaskGroup(of: OktaError?.self) { group in
      for manager in managers { group.addTask { await failure { try await manager.renew() } } }
      var errors: [OktaError] = []
      for await error in group { errors += [error].compactMap { $0 } }
      return errors
    }
    #expect(errors == [])
    #expect(rig.provider.requests.filter { $0.url.hasSuffix("/token") }.count == 2)
    #expect(Set(managers.map(\.accessToken)) == ["access-canary-2"])
  }

  @Test func `a renewal waits for the lock, and lets go of it at its end`() async throws {
    let folder = try OwnFolder()
    let store = try EncryptedFileStore(directory: folder.file("tokens"), key: .bytes(Array(repeating: 7, count: 32)))
    let rig = try OIDCRig(Self.strict(), store: store)
    let manager = try await rig.signIn()
    try manager.writeToSecureStorageOrThrow()
    let key = StorageKey(issuer: TinyProvider.issuer, clientID: "client-7")
    let held = try await store.lock(key)
    let renewal = Task { await failure { try await manager.renew() } }
    while rig.types.last != "draw.asked" { await Task.yield() }
    // The one of the sign-in.
    #expect(rig.provider.requests.filter { $0.url.hasSuffix("/token") }.count == 1)
    held.release()
    #expect(await renewal.value == nil)
    // The lease of the call has ended: the lock is free.
    try await store.lock(key).release()
    try rig.expectReplay()
  }
}
