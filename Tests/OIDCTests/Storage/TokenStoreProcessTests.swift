import FlowRecording
import Foundation
import OIDC
import Scenarios
import SimulatedOrg
import Testing

/// Several processes on one store, processes that die, and disks that refuse.
@Suite struct TokenStoreProcessTests {
  let folder: OwnFolder
  private let shared = StorageKey(issuer: "https://acme.example", clientID: "shared")

  init() throws { folder = try OwnFolder() }

  private var path: String { folder.file("tokens") }

  private func open() throws -> EncryptedFileStore {
    try EncryptedFileStore(directory: path, key: .bytes(Array(0..<32)))
  }

  private func subject(_ word: String, _ rest: String...) throws -> StoreProcess {
    switch rest.count {
    case 2: try StoreProcess(word, path, rest[0], rest[1], program: "token-store-subject")
    default: try StoreProcess(word, path, program: "token-store-subject")
    }
  }

  /// In the short form three processes do 3,000.
  @Test(arguments: [2, 3])
  func `of 10,000 operations of several processes none is lost`(processes: Int) throws {
    let isLong = processes == 2 || ProcessInfo.processInfo.environment["FLOWRECORDER_LONG"] == "1"
    let each = (isLong ? 10_000 : 3_000) / processes / 5 * 5
    let running = try (0..<processes).map { try subject("count", "\($0)", "\(each)") }
    for process in running {
      let end = process.end()
      #expect(end.lines == ["done \(each)"] && end.code == 0, "\(end.lines)")
    }
    #expect(try open().read(shared)?.issued == Int64(processes * each / 5))
  }

  @Test func `a process that is killed between answer and storage leaves the old tokens or the new ones`() throws {
    let environment = ProcessInfo.processInfo.environment
    var state = UInt64(environment["FLOWRECORDER_SEED"] ?? "") ?? 20_261_122
    let seed = state
    for round in 0..<(environment["FLOWRECORDER_LONG"] == "1" ? 100 : 20) {
      let process = try subject("rotate")
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // An odd count of lines ends with an answer that is being stored.
      process.read(lines: Int(state >> 60) * 2 + 1)
      process.kill()
      let end = process.end()
      #expect(end.code == -9)
      let numbers = end.lines.map { $0.split(separator: " ") }
      let answered = try #require(numbers.last { $0[0] == "answer" }.flatMap { Int($0[1]) })
      let stored = numbers.last { $0[0] == "stored" }.flatMap { Int($0[1]) } ?? answered - 1
      guard answered > 0 || stored == 0 else { continue }
      let found = try #require(try open().read(shared), "seed \(seed), round \(round)")
      #expect(found.issued >= Int64(stored) && found.issued <= Int64(answered), "seed \(seed), round \(round)")
      #expect(found.refreshToken == "refresh-canary-\(found.issued)")
    }
    try open().write(.sample(), for: shared)
    #expect(try folder.names(in: "tokens").allSatisfy { !$0.hasPrefix(".") })
  }

  /// An org, and tokens of it in the store.
  private func signedIn(
    _ oidc: OrgOIDC = OrgOIDC()
  ) async throws -> (org: SimulatedOrg, issuer: String, manager: OktaAuthStateManager, key: StorageKey) {
    let user = OrgUser(login: Scenario.login, password: Scenario.password)
    let org = try await SimulatedOrg.start(OrgConfiguration(users: [user], clock: .system, oidc: oidc))
    let issuer = org.url.absoluteString + "/oauth2/default"
    var environment = FlowEnvironment(device: nil)
    environment[TokenStoreSeam.self] = try open()
    environment[MetadataCacheSeam.self] = MetadataCache()
    environment[KeyCacheSeam.self] = KeyCache()
    let configuration = try OktaAuthConfig(with: [
      "issuer": issuer, "clientId": OrgClient.sample.id, "redirectUri": OrgClient.sample.redirectURIs[0],
      "scopes": "openid offline_access",
    ])
    let auth = try OktaAppAuth(configuration: configuration, environment: environment)
    let manager = try await auth.authenticate(withSessionToken: try #require(org.sessionToken(for: Scenario.login)))
    try manager.writeToSecureStorageOrThrow()
    return (org, issuer, manager, StorageKey(configuration))
  }

  /// The server replaces the refresh token each time, and takes the one before for an hour: else who dies before storing would
  /// have to sign in again, whatever is stored.
  @Test func `of 100 renewals killed between answer and storage each leaves the old tokens or the new ones`()
    async throws
  {
    let (org, issuer, manager, key) = try await signedIn(OrgOIDC(rotation: .rotating(grace: 3_600)))
    var state = UInt64(ProcessInfo.processInfo.environment["FLOWRECORDER_SEED"] ?? "") ?? 20_261_123
    let seed = state
    func pair(_ tokens: StoredTokens) -> String { "\(tokens.accessToken ?? "none") \(tokens.refreshToken ?? "none")" }
    for round in 0..<100 {
      let before = pair(try #require(try open().read(key)))
      // Every other process waits there; the others are killed while they store, or just after.
      let isHeld = round % 2 == 0
      let process = try subject(isHeld ? "renew-held" : "renew-on", issuer, OrgClient.sample.id)
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      process.read(lines: isHeld ? 1 : Int(state >> 62) * 2 + 1)
      process.kill()
      let end = process.end()
      #expect(end.code == -9, "seed \(seed), round \(round): \(end.lines)")
      func last(_ word: String) -> String? {
        end.lines.last { $0.hasPrefix(word + " ") }.map { String($0.dropFirst(word.count + 1)) }
      }
      let answered = try #require(last("answer"), "seed \(seed), round \(round): \(end.lines)")
      let found = pair(try #require(try open().read(key), "seed \(seed), round \(round): there are none"))
      #expect(answered != before, "seed \(seed), round \(round)")
      let allowed = isHeld ? [before] : [last("stored") ?? before, answered]
      #expect(allowed.contains(found), "seed \(seed), round \(round)")
    }
    // The manager takes over what is stored, and renews that: it is good, and the lock of the last process is free.
    let last = pair(try #require(try open().read(key)))
    try await manager.renew()
    #expect(last.hasPrefix(manager.accessToken ?? "none"))
    try await manager.renew()
    #expect(org.isActive(try #require(manager.refreshToken)))
    #expect(try folder.names(in: "tokens").allSatisfy { !$0.hasPrefix(".") })
    await org.stop()
  }

  @Test func `the lock of a process is waited for, and is free once it is killed`() async throws {
    let process = try subject("hold")
    process.read(lines: 1)
    let store = try open()
    let key = shared
    let other = StorageKey(issuer: "https://acme.example", clientID: "other")
    let waiting = Task { try await store.lock(key) }
    // Another key is free.
    try await store.lock(other).release()
    let given = Task { try await store.lock(key) }
    given.cancel()
    await #expect(throws: TokenStoreError.cancelled) { try await given.value }
    process.kill()
    #expect(process.end().lines == ["held"])
    try await waiting.value.release()
  }

  @Test func `a process that crashes shows no token`() throws {
    var tokens = StoredTokens.sample()
    tokens.idToken = "e30.aWQtY2FuYXJ5.x"
    try open().write(tokens, for: shared)
    let end = try subject("crash").end()
    #expect(end.code < 0 && end.lines.first?.hasPrefix("holds ") == true && end.lines.count > 1, "\(end)")
    for secret in ["canary", "aWQtY2FuYXJ5"] { #expect(!end.lines.contains { $0.contains(secret) }, "\(end.lines)") }
  }

  @Test func `of three processes with ten callers each that renew at the same time one asks the server`()
    async throws
  {
    let (org, issuer, manager, key) = try await signedIn()
    org.forgetRequests()
    // All thirty wait before the first may go on.
    let lock = try await open().lock(key)
    let processes = try (0..<3).map { _ in try subject("renew", issuer, OrgClient.sample.id) }
    for process in processes { process.read(lines: 1) }
    lock.release()
    let lines = processes.flatMap { $0.end().lines }
    let stored = try #require(try open().read(key))
    #expect(lines.count { $0 == "waits" } == 3)
    #expect(lines.filter { $0 != "waits" } == Array(repeating: "has \(stored.accessToken ?? "")", count: 30))
    #expect(org.requests.filter { $0.target.hasSuffix("/token") }.count == 1)
    let refreshToken = try #require(stored.refreshToken)
    #expect(stored.accessToken != manager.accessToken && org.isActive(refreshToken))
    await org.stop()
  }

  @Test func `a full disk is an error, and leaves the old tokens and no others`() throws {
    let end = try subject("full").end()
    #expect(end.code == 0 && end.lines.count == 2, "\(end.lines)")
    for line in end.lines { #expect(line.hasPrefix("refused ") && line.contains("write on"), "\(line)") }
    #expect(try open().keys() == [shared] && open().read(shared)?.id == "1")
  }

  @Test func `a folder that may not be written is an error, and its tokens can still be read`() throws {
    let end = try subject("readonly").end()
    #expect(end.code == 0 && end.lines.count == 3 && end.lines.last == "reads 1", "\(end.lines)")
    for line in end.lines.dropLast() { #expect(line.hasPrefix("refused "), "\(line)") }
  }
}
