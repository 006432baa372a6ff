// The default location of keys and enrollments (spec/device.md §19.2, §19.5).

import FlowRecording
import Foundation

/// A directory with the keys, the enrollments, and the ID of an installation.
struct StandardStores {
  let keys: any KeyStore
  let storage: any EnrollmentStorage
  let installation: String

  /// Opens the stores in a directory, and creates them if they do not exist.
  ///
  /// - Throws: `DeviceAuthenticatorError.storageError`: `missingAppGroupEntitlement` if the directory cannot be created
  ///   or other users can read it; otherwise, the problem with its files or their seal.
  init(directory: String, seal: KeySeal, entropy: any Entropy) throws(DeviceAuthenticatorError) {
    let keys: FileKeyStore
    do throws(KeyStoreError) {
      keys = try FileKeyStore(directory: directory + "/keys", seal: seal)
    } catch {
      throw .storageError(Self.meaning(of: error, at: directory + "/keys"))
    }
    self.keys = keys
    do throws(StorageFailure) {
      storage = try SQLiteEnrollmentStorage(directory: directory, key: keys.key(for: .enrollments))
      installation = try InstallationID.obtain(directory: directory, entropy: entropy)
    } catch {
      throw DeviceAuthenticatorError(error)
    }
  }

  private static func meaning(of error: KeyStoreError, at path: String) -> StorageError {
    let isUsable = (try? SecretDirectory(path: path)) != nil
    if isUsable, case .unavailable(let reason) = error { return .generalStorageError(reason) }
    return .missingAppGroupEntitlement
  }

  /// The group's directory under `$XDG_STATE_HOME`, or under `~/.local/state` if that is not set.
  static func directory(group: String) -> String {
    let environment = ProcessInfo.processInfo.environment
    let given = environment["XDG_STATE_HOME"] ?? ""
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    let base = given.hasPrefix("/") ? given : home + "/.local/state"
    let name = String(group.map { $0 == "/" ? "_" : $0 })
    return [base, name, DeviceAuthenticatorConstants.defaultStorageRelativeDirectoryPath].joined(separator: "/")
  }
}

extension DeviceAuthenticatorError {
  /// Converts a storage failure.
  init(_ failure: StorageFailure) {
    switch failure {
    case .directory: self = .storageError(.missingAppGroupEntitlement)
    case .migration(let reason): self = .storageError(.storageMigrationError(reason))
    case .sqlite(let code, let reason): self = .storageError(.sqliteError("\(reason) (\(code))"))
    case .unreadable(let reason): self = .storageError(.generalStorageError(reason))
    }
  }
}
