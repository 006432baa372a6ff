// What a key has signed, in a file beside it, so that the key does not sign a log again that was cut or rewritten and
// whose own checkpoints were removed (docs/FORMAT.md §6).
import Foundation

/// What a signing key remembers: for which store it signs, and its latest checkpoint.
struct SignerMemory: Sendable {
  private let place: ClaimedFile

  /// The file.
  var file: String { place.path }

  init(path: String, disk: any Disk = SystemDisk()) { place = ClaimedFile(path: path, disk: disk) }

  /// The default path of the memory of a key in the file `key`.
  static func path(besideKey key: String) -> String { key + ".state" }

  /// The content of the memory.
  struct Entry: Sendable, Hashable {
    /// The id of the store that the key signs; nil for a key that was made ahead of its store.
    var store: String?
    /// The latest checkpoint that was signed; nil if none was.
    var note: SignedNote?
  }

  /// The content of the memory, while no other process can change it.
  struct Claim: Sendable {
    fileprivate let lock: ClaimedFile.Claim
    /// Nil for a key that has no memory yet.
    let entry: Entry?
  }

  /// Locks the memory and reads it.
  ///
  /// - Throws: `locked`, `malformed`, and what the disk throws.
  func claim() throws(StoreError) -> Claim {
    let lock: ClaimedFile.Claim
    do throws(StoreError) {
      lock = try place.claim("another process signs with this key")
    } catch {
      throw advised(error)
    }
    return Claim(lock: lock, entry: try entry(in: lock.content))
  }

  /// The content of the memory; nil if there is none.
  ///
  /// - Throws: `malformed`, and what the disk throws.
  func read() throws(StoreError) -> Entry? { try entry(in: try place.read()) }

  /// Remembers, durable when it returns.
  func put(_ entry: Entry, under claim: Claim) throws(StoreError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(Wire(format: 1, note: entry.note?.text, store: entry.store)) else {
      throw StoreError(.invalid, "what the signer remembers cannot be written as JSON", file: file)
    }
    do throws(StoreError) {
      try place.put(Array(data) + [0x0A], under: claim.lock)
    } catch {
      throw advised(error)
    }
  }

  /// The same error, with advice for when what was signed cannot be remembered here.
  private func advised(_ error: StoreError) -> StoreError {
    guard error.code == .permission || error.code == .cannotCreate || error.code == .notFound else { return error }
    var error = error
    error.message = "what this key signs cannot be remembered: " + error.message
    error.advice = "make its folder writable, or give another place for the signer's state"
    return error
  }

  private func entry(in content: [UInt8]?) throws(StoreError) -> Entry? {
    guard let content else { return nil }
    guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(content)), wire.format == 1 else {
      throw unreadable
    }
    do throws(StoreError) {
      return Entry(store: wire.store, note: try wire.note.map { text throws(StoreError) in try SignedNote(text: text) })
    } catch {
      throw unreadable
    }
  }

  private var unreadable: StoreError {
    StoreError(
      .malformed, "what this key has signed cannot be read", file: file,
      advice: "put it back from a copy; without it nothing shows whether the log was cut since")
  }

  private struct Wire: Codable {
    var format: Int
    var note: String?
    var store: String?
  }
}
