// Stored tokens through the objects that an application holds (oidc §9.3).

import EventStore
import FlowRecording
import Foundation
import OIDC
import Replay
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

  // MARK: The server's clock

  /// A rig whose server's clock stands at a time, and whose tokens are good for half an hour.
  private func rig(at date: String, _ time: VirtualTime) throws -> OIDCRig {
    try OIDCRig(
      TinyProvider { request, response in
        if request.url.hasSuffix("/token"), case .object(var body)? = try? JSON(parsing: response.body) {
          body["expires_in"] = 1_800
          response = .json(.object(body))
        }
        response.headers.append(HTTPField("Date", date))
      }, time: time)
  }

  @Test(arguments: ["Thu, 15 Jan 2026 08:00:00 GMT", "Thu, 15 Jan 2026 10:00:00 GMT"])
  func `stored tokens are judged by the server's clock, however far this machine's is off`(date: String) async throws {
    let time = VirtualTime(start: OIDCRig.start)
    let rig = try rig(at: date, time)
    try await rig.signIn().writeToSecureStorageOrThrow()
    let read = try #require(
      OktaAuthStateManager.readFromSecureStorage(for: rig.auth.configuration, environment: rig.environment))
    #expect(read.accessToken == "access-canary-1" && !read.isStale)
    // Those that the application hands over itself are no others.
    let copy = OktaAuthStateManager(
      authState: read.authState, configuration: rig.auth.configuration, environment: rig.environment)
    #expect(copy.accessToken == "access-canary-1")
    time.advance(milliseconds: 45 * 60_000)
    #expect(read.accessToken == nil && copy.accessToken == nil)
    try rig.expectReplay()
  }

  @Test(arguments: [true, false])
  func `a question about a token, or the end of one, says the server's time`(isQuestion: Bool) async throws {
    let rig = try rig(at: "Thu, 15 Jan 2026 08:00:00 GMT", VirtualTime(start: OIDCRig.start))
    var tokens = try await rig.signIn().authState.tokens
    // As a version stored them that did not keep how far the clocks are apart.
    tokens.clockSkew = nil
    try rig.store.write(tokens, for: tokens.key)
    let read = try #require(
      OktaAuthStateManager.readFromSecureStorage(for: rig.auth.configuration, environment: rig.environment))
    #expect(read.accessToken == nil)
    if isQuestion {
      _ = try await read.introspect(token: read.refreshToken)
    } else {
      try await read.revoke("another-canary")
    }
    #expect(read.accessToken == "access-canary-1")
    try rig.expectReplay()
  }

  @Test(arguments: [(3_599, true), (3_600, false)])
  func `tokens that another process got are taken, but expired ones only for their refresh token`(
    seconds: Int, areTaken: Bool
  ) async throws {
    let time = VirtualTime(start: OIDCRig.start)
    let rig = try OIDCRig(time: time)
    try await rig.signIn().writeToSecureStorageOrThrow()
    let managers = try (0..<2).map { _ in
      try #require(
        OktaAuthStateManager.readFromSecureStorage(for: rig.auth.configuration, environment: rig.environment))
    }
    try await managers[0].renew()
    time.advance(milliseconds: seconds * 1_000)
    try await managers[1].renew()
    #expect(managers[1].accessToken == (areTaken ? "access-canary-2" : "access-canary-3"))
    let sent = rig.provider.requests.compactMap { TinyProvider.form($0)["refresh_token"] }
    #expect(sent == ["refresh-canary-1"] + (areTaken ? [] : ["refresh-canary-2"]))
    #expect(try rig.store.read(StorageKey(rig.auth.configuration))?.accessToken == managers[1].accessToken)
    try rig.expectReplay()
  }

  // MARK: The store during a renewal

  /// A rig whose provider notes a renewal, and holds its answer back until it may go.
  private func rig(_ store: any TokenStore, _ isAsked: Locked<Bool>, _ mayGo: DispatchSemaphore) throws -> OIDCRig {
    try OIDCRig(
      TinyProvider { request, _ in
        guard TinyProvider.form(request)["refresh_token"] != nil else { return }
        isAsked.withLock { $0 = true }
        mayGo.wait()
      }, store: store)
  }

  @Test(arguments: TokenStoreMaker.all)
  func `tokens that are first stored while they are renewed are stored as the renewal leaves them`(
    maker: TokenStoreMaker
  ) async throws {
    let folder = try OwnFolder()
    let (isAsked, mayGo) = (Locked(false), DispatchSemaphore(value: 0))
    let rig = try rig(try maker.make(folder), isAsked, mayGo)
    let manager = try await rig.signIn()
    let renewal = Task { await failure { try await manager.renew() } }
    while !isAsked.withLock({ $0 }) { await Task.yield() }
    #expect(throws: Never.self) { try manager.writeToSecureStorageOrThrow() }
    mayGo.signal()
    #expect(await renewal.value == nil)
    #expect(manager.refreshToken == "refresh-canary-2" && manager.autoPersist)
    #expect(try rig.store.read(StorageKey(rig.auth.configuration)) == manager.authState.tokens)
    try rig.expectReplay()
  }

  @Test(arguments: TokenStoreMaker.all)
  func `tokens that are removed while they are renewed are not stored again`(maker: TokenStoreMaker) async throws {
    let folder = try OwnFolder()
    let (isAsked, mayGo) = (Locked(false), DispatchSemaphore(value: 0))
    let rig = try rig(try maker.make(folder), isAsked, mayGo)
    let manager = try await rig.signIn()
    try manager.writeToSecureStorageOrThrow()
    let renewal = Task { await failure { try await manager.renew() } }
    while !isAsked.withLock({ $0 }) { await Task.yield() }
    #expect(throws: Never.self) { try manager.removeFromSecureStorage() }
    mayGo.signal()
    #expect(await renewal.value == .storage(.cancelled))
    #expect(try rig.store.keys() == [])
    #expect(manager.accessToken == "access-canary-2" && !manager.autoPersist)
    try rig.expectReplay()
  }

  @Test(arguments: TokenStoreMaker.all)
  func `a renewal does not replace the tokens of another sign-in`(maker: TokenStoreMaker) async throws {
    let folder = try OwnFolder()
    let (isAsked, mayGo) = (Locked(false), DispatchSemaphore(value: 0))
    let rig = try rig(try maker.make(folder), isAsked, mayGo)
    let manager = try await rig.signIn()
    try manager.writeToSecureStorageOrThrow()
    let renewal = Task { await failure { try await manager.renew() } }
    while !isAsked.withLock({ $0 }) { await Task.yield() }
    let other = tokens("other")
    #expect(throws: Never.self) { try rig.store.write(other, for: other.key) }
    mayGo.signal()
    #expect(await renewal.value == .storage(.cancelled))
    #expect(try rig.store.read(other.key)?.id == "other")
    try rig.expectReplay()
  }

  /// A store that counts the callers that wait for its locks, and may have an entry that cannot be read.
  private final class WatchedStore: TokenStore {
    private let memory = MemoryTokenStore()
    private let damaged: StorageKey?
    let waits = Locked(0)
    init(damaged: StorageKey? = nil) { self.damaged = damaged }
    func read(_ key: StorageKey) throws(TokenStoreError) -> StoredTokens? {
      if key == damaged { throw .damaged(path: "/of the test") }
      return try memory.read(key)
    }
    func write(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) {
      try memory.write(tokens, for: key)
    }
    func remove(_ key: StorageKey) throws(TokenStoreError) -> Bool { try memory.remove(key) }
    func keys() throws(TokenStoreError) -> [StorageKey] { try memory.keys() }
    func lock(_ key: StorageKey) async throws(TokenStoreError) -> TokenStoreLock {
      waits.withLock { $0 += 1 }
      return try await memory.lock(key)
    }
  }

  @Test(arguments: [true, false])
  func `tokens that are removed while a renewal waits for their lock are not stored again`(isOne: Bool) async throws {
    let store = WatchedStore()
    let rig = try OIDCRig(store: store)
    let manager = try await rig.signIn()
    try manager.writeToSecureStorageOrThrow()
    let held = try await store.lock(StorageKey(rig.auth.configuration))
    let renewal = Task { await failure { try await manager.renew() } }
    while store.waits.withLock({ $0 }) < 2 { await Task.yield() }
    if isOne {
      try manager.removeFromSecureStorage()
    } else {
      try OktaAuthStateManager.clearAll(environment: rig.environment)
    }
    held.release()
    #expect(await renewal.value == .storage(.cancelled))
    #expect(try store.keys() == [])
    try rig.expectReplay()
  }

  @Test func `a sign-out that meets a damaged older entry keeps renewals from storing theirs too`() async throws {
    let store = WatchedStore(damaged: StorageKey(older: older[2]))
    let rig = try OIDCRig(store: store)
    let manager = try await rig.signIn()
    manager.autoPersist = true
    let held = try await store.lock(StorageKey(rig.auth.configuration))
    let renewal = Task { await failure { try await manager.renew() } }
    while store.waits.withLock({ $0 }) < 2 { await Task.yield() }
    #expect(throws: OktaError.self) { try manager.removeFromSecureStorage() }
    held.release()
    #expect(await renewal.value == .storage(.cancelled))
    #expect(try store.keys() == [])
    // Nor does the next one.
    #expect(!manager.autoPersist)
    try await manager.renew()
    #expect(try store.keys() == [])
    try rig.expectReplay()
  }

  @Test(arguments: TokenStoreMaker.all)
  func `tokens that another process removed before a renewal has their lock are not stored again`(
    maker: TokenStoreMaker
  ) async throws {
    let folder = try OwnFolder()
    let rig = try OIDCRig(store: try maker.make(folder))
    let key = StorageKey(rig.auth.configuration)
    try await rig.signIn().writeToSecureStorageOrThrow()
    let read = try #require(
      OktaAuthStateManager.readFromSecureStorage(for: rig.auth.configuration, environment: rig.environment))
    #expect(try rig.store.remove(key))
    #expect(await failure { try await read.renew() } == .storage(.cancelled))
    #expect(try rig.store.keys() == [])
    #expect(read.accessToken == "access-canary-2")
    // Who wants them stored says so.
    try read.writeToSecureStorageOrThrow()
    try await read.renew()
    #expect(try rig.store.read(key)?.accessToken == "access-canary-3")
    try rig.expectReplay()
  }

  @Test func `a renewal stores first tokens, and does not bring them back once they were removed`() async throws {
    let rig = try OIDCRig()
    let key = StorageKey(rig.auth.configuration)
    let manager = try await rig.signIn()
    manager.autoPersist = true
    try await manager.renew()
    #expect(try rig.store.read(key)?.accessToken == "access-canary-2")
    #expect(try rig.store.remove(key))
    #expect(await failure { try await manager.renew() } == .storage(.cancelled))
    #expect(try rig.store.keys() == [])
    try rig.expectReplay()
  }

  @Test(arguments: TokenStoreMaker.all)
  func `first tokens do not replace those that another sign-in stored during the renewal`(
    maker: TokenStoreMaker
  ) async throws {
    let folder = try OwnFolder()
    let (isAsked, mayGo) = (Locked(false), DispatchSemaphore(value: 0))
    let rig = try rig(try maker.make(folder), isAsked, mayGo)
    let manager = try await rig.signIn()
    manager.autoPersist = true
    let renewal = Task { await failure { try await manager.renew() } }
    while !isAsked.withLock({ $0 }) { await Task.yield() }
    let other = tokens("other")
    #expect(throws: Never.self) { try rig.store.write(other, for: other.key) }
    mayGo.signal()
    #expect(await renewal.value == .storage(.cancelled))
    #expect(try rig.store.read(other.key)?.id == "other")
    try rig.expectReplay()
  }

  // MARK: Files

  @Test func `what a store's failure says is recorded without the path`() async throws {
    let folder = try OwnFolder()
    let place = "of Ann Smith/tokens"
    let store = try EncryptedFileStore(directory: folder.file(place), key: .bytes(Array(0..<32)))
    let rig = try OIDCRig(store: store)
    try await rig.signIn().writeToSecureStorageOrThrow()
    let name = try #require(try folder.names(in: place).first { $0.hasPrefix("t-") })
    try folder.setMode(0o644, of: "\(place)/\(name)")
    let error = await failure {
      try OktaAuthStateManager.readFromSecureStorageOrThrow(
        for: rig.auth.configuration, environment: rig.environment)
    }
    let reason = "others than its owner may use the token store, whose mode is 644; run chmod go= on it"
    #expect(error == .storage(.unsafe(reason: reason)))
    for record in rig.flows.flatMap(\.records) {
      let line = String(decoding: EventCoding.encode(record.event).data, as: UTF8.self)
      #expect(!line.contains("Smith") && !line.contains(name), "\(line)")
    }
    try rig.expectReplay()
  }

  @Test func `all tokens can be removed although an entry is damaged`() async throws {
    let folder = try OwnFolder()
    let store = try EncryptedFileStore(directory: folder.file("tokens"), key: .bytes(Array(0..<32)))
    let rig = try OIDCRig(store: store)
    try await rig.signIn().writeToSecureStorageOrThrow()
    try folder.write("{", to: "tokens/t-damaged")
    try OktaAuthStateManager.clearAll(environment: rig.environment)
    #expect(try folder.names(in: "tokens").filter { $0.hasPrefix("t-") } == [])
    #expect(rig.tokenEvents.last?.data["entries"]?.int == 2)
    try rig.expectReplay()
  }

  // MARK: Older versions

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
