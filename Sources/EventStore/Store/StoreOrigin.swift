/// A store that another one continues from: an entry of `restoredFrom` in `store.json`.
public struct StoreOrigin: Sendable, Hashable, Codable {
  /// The id of that store.
  public var store: String
  /// The name under which it signed.
  public var origin: String
  /// How many of the log's records were its own and those of the stores before it.
  public var size: UInt64
  /// The Merkle root over them, in standard base64.
  public var root: String
  /// The public key of its checkpoints; nil if it had signed none.
  public var publicKey: String?
  /// Its last checkpoint, the whole note. If that covers more than `size` records, the rest is lost, and this says so.
  public var checkpoint: String?

  /// An entry from its parts, taken as they are.
  public init(
    store: String, origin: String, size: UInt64, root: String, publicKey: String? = nil, checkpoint: String? = nil
  ) {
    self.store = store
    self.origin = origin
    self.size = size
    self.root = root
    self.publicKey = publicKey
    self.checkpoint = checkpoint
  }

  /// How many records that its last checkpoint covers were missing when the store was restored.
  public var lost: UInt64 {
    guard let checkpoint, let note = try? SignedNote(text: checkpoint), note.size > size else { return 0 }
    return note.size - size
  }
}

/// The entry for a backup in its `store.json`.
public struct BackupMark: Sendable, Hashable, Codable {
  /// When it was taken, in the format of a record's time.
  public var at: String
  /// How many records it has.
  public var size: UInt64
  /// The Merkle root over them, in standard base64.
  public var root: String

  /// A mark from its parts, taken as they are.
  public init(at: String, size: UInt64, root: String) {
    self.at = at
    self.size = size
    self.root = root
  }
}
