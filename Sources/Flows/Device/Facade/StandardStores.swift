// Where keys and enrollments are if the application gives no place for them (spec/device.md §19.2, §19.5).

import FlowRecording
import Foundation

/// A directory with the keys, the enrollments and the id of an installation.
struct StandardStores {
  let keys: any KeyStore
  let storage: any EnrollmentStorage
  let installation: String

  /// Opens the stores in a directory, or makes them.
  ///
  /// - Throws: `DeviceAuthenticatorError.storageError` if the directory cannot be made, or others can read it.
  init(directory: String, seal: KeySeal, entropy: any Entropy) throws(DeviceAuthenticatorError) {
    do throws(KeyStoreError) {
      keys = try FileKeyStore(directory: directory + "/keys", seal: seal)
    } catch {
      throw .storageError(.missingAppGroupEntitlement)
    }
    do throws(StorageFailure) {
      storage = try SQLiteEnrollmentStorage(directory: directory)
    } catch {
      throw DeviceAuthenticatorError(error)
    }
    installation = try Self.installation(directory + "/installation", entropy)
  }

  /// `$XDG_STATE_HOME`, else `~/.local/state`, and below it a directory for the group.
  static func directory(group: String) -> String {
    let environment = ProcessInfo.processInfo.environment
    let given = environment["XDG_STATE_HOME"] ?? ""
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    let base = given.hasPrefix("/") ? given : home + "/.local/state"
    let name = String(group.map { $0 == "/" ? "_" : $0 })
    return [base, name, DeviceAuthenticatorConstants.defaultStorageRelativeDirectoryPath].joined(separator: "/")
  }

  /// The id of the installation: made once, and kept. Of two processes that make it at the same time, one wins.
  private static func installation(
    _ path: String, _ entropy: any Entropy
  ) throws(DeviceAuthenticatorError) -> String {
    func read() -> String? {
      let text = (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
      return text?.isEmpty == false ? text : nil
    }
    if let known = read() { return known }
    let made = entropy.uuid()
    let draft = path + "." + made
    guard
      FileManager.default.createFile(atPath: draft, contents: Data(made.utf8), attributes: [.posixPermissions: 0o600])
    else { throw .storageError(.missingAppGroupEntitlement) }
    defer { try? FileManager.default.removeItem(atPath: draft) }
    // A link does not replace: the first one stays.
    try? FileManager.default.linkItem(atPath: draft, toPath: path)
    return read() ?? made
  }
}

extension DeviceAuthenticatorError {
  /// A failed storage.
  init(_ failure: StorageFailure) {
    switch failure {
    case .directory: self = .storageError(.missingAppGroupEntitlement)
    case .migration(let reason): self = .storageError(.storageMigrationError(reason))
    case .sqlite(let code, let reason): self = .storageError(.sqliteError("\(reason) (\(code))"))
    case .unreadable(let reason): self = .storageError(.generalStorageError(reason))
    }
  }
}
