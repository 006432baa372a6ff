import Foundation
import OIDC
import Testing

/// Keys that the Secret Service keeps, with a stand-in for `secret-tool` and with the real one where it is installed.
@Suite struct SecretServiceTests {
  let folder: OwnFolder

  init() throws { folder = try OwnFolder() }

  /// A `secret-tool` that keeps secrets in files, and notes its arguments.
  private func standIn(_ script: String? = nil) throws -> [String: String] {
    let keeping = """
      #!/bin/sh
      echo "$@" >> "\(folder.path)/arguments"
      for id in "$@"; do :; done
      case "$1" in
        store) cat > "\(folder.path)/kept-$id" ;;
        lookup) [ -f "\(folder.path)/kept-$id" ] && cat "\(folder.path)/kept-$id" ;;
      esac
      """
    try folder.write(Array((script.map { "#!/bin/sh\n" + $0 } ?? keeping).utf8), to: "bin/secret-tool", mode: 0o700)
    return ["PATH": folder.file("bin") + ":/usr/bin:/bin"]
  }

  private func open(
    _ key: TokenStoreKey, _ environment: [String: String], _ name: String = "tokens"
  ) throws(TokenStoreError) -> EncryptedFileStore {
    try EncryptedFileStore(directory: folder.file(name), key: key, environment: environment)
  }

  private func isUnavailable(_ key: TokenStoreKey, _ environment: [String: String]) -> Bool {
    do throws(TokenStoreError) {
      _ = try open(key, environment)
      return false
    } catch .unavailable {
      return true
    } catch {
      return false
    }
  }

  @Test func `the key is kept by the service, goes over no argument, and is found again`() throws {
    let environment = try standIn()
    let tokens = StoredTokens.sample()
    try open(.secretService, environment).write(tokens, for: tokens.key)
    #expect(try open(.secretService, environment).read(tokens.key) == tokens)
    #expect(try open(.standard, environment).read(tokens.key) == tokens)
    let kept = try #require(try folder.names(in: ".").first { $0.hasPrefix("kept-") })
    let secret = String(decoding: try folder.read(kept), as: UTF8.self)
    #expect(secret.count == 43)
    for place in ["arguments", "tokens/KEY"] {
      #expect(!String(decoding: try folder.read(place), as: UTF8.self).contains(secret))
    }
    // A key that is gone, or another, is an error and never a new key.
    try FileManager.default.removeItem(atPath: folder.file(kept))
    #expect(isUnavailable(.secretService, environment) && isUnavailable(.standard, environment))
    #expect(throws: TokenStoreError.wrongKey(path: folder.file("tokens/KEY"))) { try open(.file, environment) }
  }

  @Test func `a service that is not there, refuses, forgets or lies is unavailable`() throws {
    #expect(isUnavailable(.secretService, ["PATH": folder.path]))
    for script in [
      "echo 'Cannot autolaunch D-Bus without X11' >&2; exit 1", "exit 0", "kill -9 $$", "cat > /dev/null; exit 0",
      "if [ $1 = lookup ]; then echo 'not a key'; else cat > /dev/null; fi",
    ] {
      let environment = try standIn(script)
      #expect(isUnavailable(.secretService, environment), "\(script)")
      #expect(!FileManager.default.fileExists(atPath: folder.file("tokens/KEY")))
    }
  }

  @Test func `without a service the standard key is in a file, and stays there`() throws {
    let none = ["PATH": folder.path]
    let tokens = StoredTokens.sample()
    try open(.standard, none).write(tokens, for: tokens.key)
    #expect(try open(.standard, try standIn()).read(tokens.key) == tokens)
    #expect(try open(.file, none).read(tokens.key) == tokens)
  }

  private static let tools = ["/usr/bin/dbus-run-session", "/usr/bin/gnome-keyring-daemon", "/usr/bin/secret-tool"]

  @Test(.enabled(if: tools.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }))
  func `the real service of a session keeps a key`() throws {
    // The session lives as long as this wrapper's command; each call of the tool goes into a session with a keyring of
    // its own below the test's folder.
    let script = """
      export HOME="\(folder.path)/home" XDG_DATA_HOME="\(folder.path)/home/data" XDG_RUNTIME_DIR="\(folder.path)/run"
      mkdir -p "$HOME" "$XDG_DATA_HOME" "$XDG_RUNTIME_DIR"
      exec /usr/bin/dbus-run-session -- /bin/sh -c '
        printf pass | /usr/bin/gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
        exec /usr/bin/secret-tool "$@"' sh "$@"
      """
    let environment = try standIn(script)
    let tokens = StoredTokens.sample()
    try open(.secretService, environment).write(tokens, for: tokens.key)
    #expect(try open(.secretService, environment).read(tokens.key) == tokens)
  }
}
