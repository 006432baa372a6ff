import ArgumentParser
import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation

/// What every command about an authenticator takes: the org, the log, and where keys and enrollments are.
struct DeviceOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The org's URL.", valueName: "URL")) var org: String
  @OptionGroup var store: StoreOption
  @Option(
    help: ArgumentHelp(
      "Where keys and enrollments are, never inside the store (default: $XDG_STATE_HOME/flowrecorder/device).",
      valueName: "DIR"))
  var device: String?
  @Option(help: ArgumentHelp("Seal keys and enrollments under the first line of a file.", valueName: "FILE"))
  var passphraseFile: String?
  @Option(help: ArgumentHelp("Seal keys and enrollments under the first line of an open descriptor.", valueName: "N"))
  var passphraseFd: Int32?
  @Option(
    help: ArgumentHelp("Take the PIN from the first line of a file, not from the terminal.", valueName: "FILE"))
  var pinFile: String?
  @OptionGroup var json: JSONFlag

  mutating func validate() throws {
    guard let url = URL(string: org), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      url.host()?.isEmpty == false, let parts = URLParts(org)
    else { throw ValidationError("--org is no URL of an org; write https://acme.example") }
    guard !parts.authority.utf8.contains(UInt8(ascii: "@")) else {
      throw ValidationError("an org's URL has no user name and no password in it; write https://acme.example")
    }
    guard parts.scheme == "https" || parts.isLoopback else {
      throw ValidationError("\(parts.origin) would get keys and tokens in clear text; use https")
    }
    guard passphraseFile == nil || passphraseFd == nil else {
      throw ValidationError("--passphrase-file and --passphrase-fd are two places for one passphrase; give one")
    }
  }

  /// The org's URL.
  var url: URL? { URL(string: org) }

  /// The org's URL without a path.
  var origin: String { URLParts(org)?.origin ?? org }

  /// Where keys and enrollments are.
  func folder() throws -> String {
    if let device {
      guard !Self.isInside(device, of: store.directory) else {
        throw CommandFailure(.usage, "--device is inside the store; keys must be elsewhere: give another folder")
      }
      return device
    }
    let environment = ProcessInfo.processInfo.environment
    let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    guard let base = state ?? home.map({ $0 + "/.local/state" }) else {
      throw CommandFailure(
        .permission, "there is no place for keys: neither XDG_STATE_HOME nor HOME is set; give --device")
    }
    return base + "/flowrecorder/device"
  }

  /// Whether a folder is another one or is in it, however both are written, and through links.
  private static func isInside(_ path: String, of folder: String) -> Bool {
    func parts(_ path: String) -> [String] {
      var url = URL(fileURLWithPath: path).standardizedFileURL
      var missing: [String] = []
      while !FileManager.default.fileExists(atPath: url.path), url.pathComponents.count > 1 {
        missing.insert(url.lastPathComponent, at: 0)
        url.deleteLastPathComponent()
      }
      return url.resolvingSymlinksInPath().pathComponents + missing
    }
    return parts(path).starts(with: parts(folder))
  }

  /// The seal for keys, user names and answers.
  private func seal() throws -> KeySeal {
    if let passphraseFile { return .passphrase(try SecretInput.file(passphraseFile)) }
    if let passphraseFd { return .passphrase(try SecretInput.descriptor(passphraseFd)) }
    return .none
  }

  /// The PIN of this device.
  func pin() throws -> PINFile {
    let folder = try folder()
    do {
      return try PINFile(directory: folder + "/pin")
    } catch {
      throw CommandFailure(.permission, "the PIN in \(folder)/pin cannot be used: \(error.sentence)")
    }
  }

  /// The verifier of the person: the terminal, or the file that has the PIN.
  private func verifier(_ folder: String) throws -> any UserVerifier {
    let pin = try pin()
    guard let pinFile else { return TerminalPINVerifier(pin) }
    let text = try SecretInput.file(pinFile)
    return PromptVerifier(pin) { _ in text }
  }

  /// Opens keys and enrollments, and makes an authenticator that records.
  func authenticator(_ recorder: any Recorder) throws -> any DeviceAuthenticatorProtocol {
    let folder = try folder()
    let config = ApplicationConfig(
      applicationName: "auditctl", applicationVersion: DeviceAuthenticatorConstants.version,
      applicationGroupId: "auditctl")
    do {
      let keys = try FileKeyStore(directory: folder + "/keys", seal: seal())
      let storage = try SQLiteEnrollmentStorage(directory: folder, key: keys.key(for: .enrollments))
      return try DeviceAuthenticatorBuilder(applicationConfig: config).environment(FlowEnvironment(recorder: recorder))
        .keyStore(keys).enrollmentStorage(storage).userVerifier(try verifier(folder)).create()
    } catch let error as KeyStoreError {
      throw CommandFailure(.permission, "the keys in \(folder)/keys cannot be used: \(error.sentence)")
    } catch let error as StorageFailure {
      throw CommandFailure(.inputOutput, "the enrollments in \(folder) cannot be used: \(error.sentence)")
    }
  }

  /// Runs an operation of the authenticator, and closes the log after it, whatever the result.
  func run<Result: Sendable>(
    _ operation: (any DeviceAuthenticatorProtocol) async throws -> Result
  ) async throws -> Result {
    CrashSilence.begin()
    let recorder = LogRecorder(directory: store.directory)
    _ = try Creation.of(recorder.directory) { () throws(StoreError) in try recorder.open() }
    do {
      let result = try await operation(try authenticator(recorder))
      try recorder.close()
      return result
    } catch {
      try recorder.close()
      throw DeviceRefusal.failure(error, at: origin)
    }
  }
}

extension PINError {
  /// The error, and what to do.
  var sentence: String {
    switch self {
    case .wrong(let left): "it is not the PIN; \(left) tries are left before a pause"
    case .lockedOut(let seconds): "too many were wrong; wait \(seconds) seconds"
    case .notSet: "there is none yet; set one with: auditctl device pin"
    case .alreadySet: "there is one already; give it with --old-pin-file to change it"
    case .unfit: "a PIN has 4 characters at least, and 256 bytes at most"
    case .unavailable(let reason): reason
    }
  }
}

extension KeyStoreError {
  /// The error, and what to do.
  var sentence: String {
    switch self {
    case .notFound(let tag): "there is no key \(tag)"
    case .invalidated(let tag): "the key \(tag) counts no more; enroll again"
    case .notVerified(let tag): "the key \(tag) needs its person"
    case .lockedOut(let tag): "the key \(tag) is locked for now"
    case .notMade(_, let reason), .unavailable(let reason): reason
    }
  }
}

extension StorageFailure {
  /// The error, and what to do.
  var sentence: String {
    switch self {
    case .directory(let path, let reason): "\(path): \(reason)"
    case .migration(let reason), .unreadable(let reason): reason
    case .sqlite(let code, let reason): "SQLite \(code): \(reason)"
    }
  }
}

/// Where an access token comes from.
struct TokenOption: ParsableArguments {
  @Option(help: ArgumentHelp("Take the access token from the first line of a file.", valueName: "FILE"))
  var tokenFile: String?
  @Option(help: ArgumentHelp("Take the access token from the first line of an open descriptor.", valueName: "N"))
  var tokenFd: Int32?

  mutating func validate() throws {
    guard tokenFile == nil || tokenFd == nil else {
      throw ValidationError("--token-file and --token-fd are two places for one token; give one")
    }
  }

  /// The token; asked for without echo, or the next line of stdin, if no place is given.
  func token() throws -> AuthToken {
    if let tokenFile { return .bearer(try SecretInput.file(tokenFile)) }
    if let tokenFd { return .bearer(try SecretInput.descriptor(tokenFd)) }
    return .bearer(try SecretInput.ask("Access token: "))
  }
}
