/// When a log signs checkpoints by itself, with what key, and where a copy of the latest one is kept.
///
/// They are signed on the log's own thread. A checkpoint is skipped if nothing was appended since the last one. If one
/// fails, metrics and logger receive the error, and it is tried again when the next is due; appending goes on.
public struct CheckpointSchedule: Sendable {
  /// Where the key comes from.
  enum KeySource: Sendable {
    case key(SigningKey)
    case file(String?, state: String?)
  }

  let source: KeySource
  /// How long after the last checkpoint the next is signed; nil: not by time. 100 ms at least.
  public var every: Duration?
  /// After how many records the next is signed; nil: not by number. 1 at least.
  public var everyRecords: UInt64?
  /// Whether one is signed when the log is closed.
  public var onClose: Bool
  /// A directory, on another volume if it can be, that keeps a copy of the latest checkpoint; see `SecondPlace`.
  public var also: String?

  /// A schedule with the caller's key; the key's name must be the store's origin.
  public init(
    key: SigningKey, every: Duration? = .seconds(60), everyRecords: UInt64? = nil, onClose: Bool = true,
    also: String? = nil
  ) {
    source = .key(key)
    self.every = every
    self.everyRecords = everyRecords
    self.onClose = onClose
    self.also = also
  }

  /// A schedule with the store's key, made on first use; nil is the usual place. `state` is the file of what the key
  /// remembers, nil for `<key file>.state`. See `SigningKey.obtain`.
  public init(
    keyFile: String?, every: Duration? = .seconds(60), everyRecords: UInt64? = nil, onClose: Bool = true,
    also: String? = nil, state: String? = nil
  ) {
    source = .file(keyFile, state: state)
    self.every = every
    self.everyRecords = everyRecords
    self.onClose = onClose
    self.also = also
  }

  /// The key for a store.
  ///
  /// - Throws: what `SigningKey.obtain` throws.
  func key(for identity: StoreIdentity, store: String) throws(StoreError) -> SigningKey {
    switch source {
    case .key(let key): key
    case .file(let path, let state):
      try SigningKey.obtain(for: identity, store: store, path: path, state: state)
    }
  }
}
