// The key of a store, and its public half in a file beside it, to give to the auditor of the log.

import EventStore

/// A store's signing key and where it lies.
struct StoreKey {
  /// The key.
  let key: SigningKey
  /// The file of the secret half.
  let file: String

  /// The file of the public half: `<origin>.pub` beside `<origin>.key`.
  var publicFile: String { file.hasSuffix(".key") ? String(file.dropLast(4)) + ".pub" : file + ".pub" }

  /// The key of a store, made on first use.
  ///
  /// - Parameters:
  ///   - path: what `--signing-key` says; nil for the usual place.
  ///   - identity: what the store says about itself.
  ///   - store: the store's directory.
  ///   - state: what `--signer-state` says; nil for the place beside the key.
  ///   - isNext: whether this is the key that the store is handed over to.
  /// - Throws: exit 77 if the store names a key that is not there, 64 if the key would lie in the store, 73 if what it
  ///   remembers would.
  init(
    at path: String?, for identity: StoreIdentity, store: String, state: String? = nil, isNext: Bool = false
  ) throws {
    file = path ?? SigningKey.defaultPath(origin: identity.origin)
    if let state { try StorePlace.refuse(state) }
    do throws(StoreError) {
      key =
        isNext
        ? try SigningKey.obtainNext(for: identity, store: store, path: file, state: state)
        : try SigningKey.obtain(for: identity, store: store, path: file, state: state)
    } catch {
      guard error.code == .invalid else { throw error }
      throw CommandFailure(.usage, error.description)
    }
  }

  /// Writes the public half beside the secret one. A file that has it already is left alone; another one is replaced
  /// whole, so that a reader never finds a part of it.
  ///
  /// - Returns: whether it is there now; the place may belong to another user.
  func publish() -> Bool {
    let text = Array("\(key.verifier)\n".utf8)
    if let there = FileMode(ofLink: publicFile) {
      // A link or a device there is not ours to write to.
      guard there.isRegular else { return false }
      if let bytes = try? InputFile(path: publicFile, content: "a public key").bytes(limit: 1 << 16), bytes == text {
        return true
      }
    }
    return (try? OutputFile(path: publicFile, permissions: 0o644).write(text)) != nil
  }
}
