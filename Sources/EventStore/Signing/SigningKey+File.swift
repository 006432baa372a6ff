// Where signing keys live: one file each, mode 0600, outside of the store.
import Foundation

extension SigningKey {
  /// The usual place of a store's key: `$XDG_STATE_HOME/flowrecorder/<origin>.key`, or the same under
  /// `~/.local/state`. Bytes of the origin other than printable ASCII, `/`, `%` and a leading `.` become `%` and two
  /// hexadecimal digits.
  public static func defaultPath(origin: String) -> String {
    let environment = ProcessInfo.processInfo.environment
    let state =
      environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? (environment["HOME"] ?? "") + "/.local/state"
    return state + "/flowrecorder/" + FileName.name(of: origin) + ".key"
  }

  /// Reads a key from its file.
  ///
  /// What the key signs is remembered in the file `state`, by default `<path>.state`. A key of a witness remembers
  /// nothing here: see `Witness`.
  ///
  /// - Throws: `keyMissing` if there is none, `malformed` if it is not one, and `keyExposed` if the file's mode lets
  ///   its group or others use it, no matter which user owns it: a user who can read the key can sign for the log.
  public static func load(
    path: String, state: String? = nil, as algorithm: VerifierKey.Algorithm = .ed25519
  ) throws(StoreError) -> SigningKey {
    let bytes: [UInt8]
    do throws(StoreError) {
      bytes = try SystemDisk().secretContents(of: path, limit: 1 << 12)
    } catch {
      if error.code == .keyExposed { throw exposed(error) }
      guard error.code == .notFound else { throw error }
      throw StoreError(
        .keyMissing, "the signing key is not there", file: path, advice: "put it back, or give its place")
    }
    do throws(StoreError) {
      let key = try SigningKey(text: String(decoding: bytes, as: UTF8.self), as: algorithm)
      return algorithm == .ed25519 ? key.remembering(in: state ?? SignerMemory.path(besideKey: path)) : key
    } catch {
      var error = error.inFile(path)
      error.advice = error.advice ?? "put the right file back, or give its place"
      throw error
    }
  }

  private static func exposed(_ error: StoreError) -> StoreError {
    var error = error
    error.message = "the signing key cannot be trusted: " + error.message
    error.advice = "run chmod 600 \(quoted(error.file ?? "")), and if others may have read it, hand over to a new one"
    return error
  }

  /// A path, quoted for a shell.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "+")...UInt8(ascii: ":"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isPlain ? path : "'" + path.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }

  /// Makes a key of that name in a new file of mode 0600, durable when it returns; directories are made with 0700. The
  /// file is complete or absent, wherever the machine stops. A process that is killed here may leave a file beside it
  /// that ends in `.tmp`, with a key that never signed anything.
  ///
  /// A key that is made ahead of its store signs the first store of its name that it is used with, and no other after
  /// that.
  ///
  /// - Throws: `cannotCreate` if the file is there already, or another key is remembered in the file `state`, by
  ///   default `<path>.state`.
  public static func create(
    path: String, name: String, state: String? = nil, as algorithm: VerifierKey.Algorithm = .ed25519
  ) throws(StoreError) -> SigningKey {
    try create(path: path, name: name, store: nil, state: state, as: algorithm)
  }

  /// The same for the store with that id, which is remembered first: a key without memory would belong to no store.
  static func create(
    path: String, name: String, store: String?, state: String?, as algorithm: VerifierKey.Algorithm = .ed25519
  ) throws(StoreError) -> SigningKey {
    var key = try SigningKey(name: name, as: algorithm)
    let disk = SystemDisk()
    let parent = try disk.makeParents(of: path)
    if algorithm == .ed25519 {
      guard try !disk.exists(path, in: parent) else {
        throw StoreError(.cannotCreate, "a key is there already", file: path, advice: "give another place")
      }
      if let state { _ = try disk.makeParents(of: state) }
      key = key.remembering(in: state ?? SignerMemory.path(besideKey: path))
      try key.beginMemory(of: store)
    }
    let draft = path + "." + String(UInt32.random(in: 0...UInt32.max), radix: 16) + Draft.suffix
    let file = try disk.open(draft, .createNew)
    do throws(StoreError) {
      try file.write(Array(key.secretText.utf8).span, at: 0)
      try file.sync()
      do throws(StoreError) {
        try disk.link(draft, as: path)
      } catch {
        // A file system without links reports an error.
        guard error.code == .permission, try !disk.exists(path, in: parent) else { throw error }
        try disk.rename(draft, to: path)
      }
    } catch {
      try? disk.remove(draft)
      throw error
    }
    try? disk.remove(draft)
    try disk.syncDirectory(parent)
    return key
  }
}

extension SigningKey {
  /// Remembers that a new key has signed nothing yet, and which store it belongs to.
  private func beginMemory(of store: String?) throws(StoreError) {
    guard let memory else { return }
    let claim = try memory.claim()
    guard claim.entry?.note == nil else {
      throw StoreError(
        .cannotCreate, "what another key has signed stands here", file: memory.file,
        advice: "put that key back, or give another place")
    }
    try memory.put(.init(store: store, note: nil), under: claim)
  }
}

extension SystemDisk {
  /// Makes the directories above a file, each durable in the one above it, and returns the last.
  fileprivate func makeParents(of path: String) throws(StoreError) -> String {
    var parent = path.hasPrefix("/") ? "/" : "."
    do throws(StoreError) {
      for part in path.split(separator: "/").dropLast() {
        let directory = parent == "/" ? "/" + part : parent + "/" + part
        if try makeDirectory(directory) { try syncDirectory(parent) }
        parent = directory
      }
      // The last part may be a file.
      _ = try names(in: parent)
    } catch {
      // A path element that is not a directory, or in which nothing may be made, counts as missing.
      guard error.code == .notFound else { throw error }
      throw StoreError(
        .cannotCreate, error.message, file: error.file, advice: error.advice ?? "give a place where files can be made")
    }
    return parent
  }
}
