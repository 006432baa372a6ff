// A program that uses a token store, for tests that trouble it from outside: kill it, run it beside others, refuse it the disk.
// What it promises it says on standard output, each promise in one write.
//
//   token-store-subject count DIR NAME COUNT   COUNT operations, beside others that do the same
//   token-store-subject rotate DIR             stores one answer after another until it is killed
//   token-store-subject hold DIR               takes the lock and keeps it until it is killed
//   token-store-subject full DIR               stores on a disk that is full after a few bytes
//   token-store-subject readonly DIR           stores in a folder that may not be written
//   token-store-subject renew DIR ISSUER CLIENT  ten callers renew the stored tokens at the same time
//   token-store-subject renew-on DIR ISSUER CLIENT  renews the stored tokens again and again until it is killed
//   token-store-subject renew-held DIR ISSUER CLIENT  renews them, and stops between answer and storage until it is killed
//   token-store-subject crash DIR              crashes with stored tokens in its hands
//
// It ends itself by SIGALRM after 240 seconds: then it hung.
import FlowRecording
import Glibc
import OIDC

@main
struct TokenStoreSubject {
  static let shared = StorageKey(issuer: "https://acme.example", clientID: "shared")

  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 2 else { exit(64) }
    alarm(240)
    do {
      switch words[0] {
      case "count": try await count(words[1], words[2], Int(words[3]) ?? 0)
      case "rotate": try rotate(words[1])
      case "hold": try await hold(words[1])
      case "full": try storeOnFullDisk(words[1])
      case "readonly": try storeWithoutPermission(words[1])
      case "renew": try await renew(words[1], words[2], words[3])
      case "renew-on": try await renewOn(words[1], words[2], words[3], isHeld: false)
      case "renew-held": try await renewOn(words[1], words[2], words[3], isHeld: true)
      case "crash": try crash(words[1])
      default: exit(64)
      }
    } catch {
      say("error \(error)")
      exit(1)
    }
  }

  private static func open(_ directory: String) throws -> EncryptedFileStore {
    try EncryptedFileStore(directory: directory, key: .bytes(Array(0..<32)))
  }

  private static func tokens(_ number: Int, client: String = "shared") -> StoredTokens {
    var tokens = StoredTokens(
      id: "\(number)", issuer: "https://acme.example", clientID: client, tokenType: "Bearer",
      accessToken: "access-canary-\(number)", issued: Int64(number))
    tokens.refreshToken = "refresh-canary-\(number)"
    return tokens
  }

  /// A fifth of the operations adds one to what all share, under its lock.
  private static func count(_ directory: String, _ name: String, _ count: Int) async throws {
    let store = try open(directory)
    for number in 0..<count {
      let own = StorageKey(issuer: "https://acme.example", clientID: "\(name)-\(number / 5 % 7)")
      switch number % 5 {
      case 0: try store.write(tokens(number, client: name), for: own)
      case 1:
        try await store.withLock(shared) {
          var tokens = try store.read(shared) ?? tokens(0)
          tokens.issued += 1
          try store.write(tokens, for: shared)
        }
      case 2:
        guard try store.read(own)?.issued == Int64(number - 2) else { throw TokenStoreError.damaged(path: "\(number)") }
      case 3: _ = try store.read(shared)
      default: if number % 35 == 4 { try store.remove(own) }
      }
    }
    say("done \(count)")
  }

  private static func rotate(_ directory: String) throws {
    let store = try open(directory)
    var number = try store.read(shared).map { Int($0.issued) + 1 } ?? 0
    while true {
      say("answer \(number)")
      try store.write(tokens(number), for: shared)
      say("stored \(number)")
      number += 1
    }
  }

  private static func hold(_ directory: String) async throws {
    let lock = try await open(directory).lock(shared)
    say("held")
    while true { pause() }
    lock.release()
  }

  /// Says «waits» once all ten have asked, then what each has got.
  private static func renew(_ directory: String, _ issuer: String, _ client: String) async throws {
    let manager = try storedManager(in: try open(directory), issuer, client)
    let (ends, end) = AsyncStream.makeStream(of: String.self)
    for _ in 0..<10 {
      manager.renew { renewed, error in
        end.yield(error.map { "error \($0)" } ?? "has \(renewed?.accessToken ?? "none")")
      }
    }
    say("waits")
    var left = 10
    for await line in ends {
      say(line)
      left -= 1
      if left == 0 { break }
    }
  }

  /// Each renewal is a flow, which stores what the server answers.
  private static func renewOn(_ directory: String, _ issuer: String, _ client: String, isHeld: Bool) async throws {
    let manager = try storedManager(in: SayingStore(store: try open(directory), isHeld: isHeld), issuer, client)
    while true { try await manager.renew() }
  }

  private static func storedManager(
    in store: any TokenStore, _ issuer: String, _ client: String
  ) throws -> OktaAuthStateManager {
    var environment = FlowEnvironment()
    environment[TokenStoreSeam.self] = store
    let configuration = try OktaAuthConfig(with: [
      "issuer": issuer, "clientId": client, "redirectUri": "com.example.app:/callback", "scopes": "openid",
    ])
    let stored = try OktaAuthStateManager.readFromSecureStorageOrThrow(for: configuration, environment: environment)
    guard let manager = stored else { exit(70) }
    return manager
  }

  /// Both outputs are one, and show whatever a program may show of what it holds.
  private static func crash(_ directory: String) throws {
    guard let tokens = try open(directory).read(shared), dup2(STDOUT_FILENO, STDERR_FILENO) >= 0 else { exit(70) }
    let manager = OktaAuthStateManager(authState: OktaAuthState(tokens))
    say("holds \(tokens) \(manager) \(manager.authState)")
    var text = ""
    dump(manager, to: &text)
    dump(manager.authState, to: &text)
    dump(tokens, to: &text)
    fatalError("\(String(reflecting: manager)) \(String(reflecting: tokens)) \(text)")
  }

  /// A file may have no more than a few bytes: each write fails in the middle.
  private static func storeOnFullDisk(_ directory: String) throws {
    let store = try open(directory)
    try store.write(tokens(1), for: shared)
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: 50, rlim_max: 50)
    guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(70) }
    for client in ["shared", "other"] {
      let key = StorageKey(issuer: "https://acme.example", clientID: client)
      do { try store.write(tokens(2, client: client), for: key) } catch { say("refused \(error.localizedText)") }
    }
  }

  /// The folder belongs to a user who may not write it.
  private static func storeWithoutPermission(_ directory: String) throws {
    try open(directory).write(tokens(1), for: shared)
    let other: uid_t = 65_534
    // From inside: the other user may not be let through the folders above.
    guard chdir(directory) == 0 else { exit(70) }
    if geteuid() == 0 {
      for name in try names(of: ".") { guard chown(name, other, other) == 0 else { exit(70) } }
      guard chmod(".", 0o500) == 0, setgid(other) == 0, setuid(other) == 0 else { exit(70) }
    } else {
      guard chmod(".", 0o500) == 0 else { exit(70) }
    }
    let store = try open(".")
    do { try store.write(tokens(2), for: shared) } catch { say("refused \(error.localizedText)") }
    do { try store.remove(shared) } catch { say("refused \(error.localizedText)") }
    say("reads \(try store.read(shared)?.id ?? "none")")
  }

  private static func names(of directory: String) throws -> [String] {
    guard let handle = opendir(directory) else { exit(70) }
    defer { closedir(handle) }
    var names = [directory]
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".." && name != "." { names.append(name) }
    }
    return names
  }

  /// Says one line, in one write.
  fileprivate static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}

/// Says which tokens are to be stored before it stores them, and that they are stored after.
private struct SayingStore: TokenStore {
  let store: EncryptedFileStore
  /// Whether nothing is stored: the process waits there for its end.
  let isHeld: Bool

  func write(_ tokens: StoredTokens, for key: StorageKey) throws(TokenStoreError) {
    let name = "\(tokens.accessToken ?? "none") \(tokens.refreshToken ?? "none")"
    TokenStoreSubject.say("answer \(name)")
    while isHeld { pause() }
    try store.write(tokens, for: key)
    TokenStoreSubject.say("stored \(name)")
  }

  func read(_ key: StorageKey) throws(TokenStoreError) -> StoredTokens? { try store.read(key) }
  func remove(_ key: StorageKey) throws(TokenStoreError) -> Bool { try store.remove(key) }
  func keys() throws(TokenStoreError) -> [StorageKey] { try store.keys() }
  func lock(_ key: StorageKey) async throws(TokenStoreError) -> TokenStoreLock { try await store.lock(key) }
}

extension TokenStoreError {
  fileprivate var localizedText: String { errorDescription ?? "" }
}
