/// The identity of a store: the content of `store.json`.
public struct StoreIdentity: Sendable, Hashable {
  /// The store's id: 32 hexadecimal digits, random.
  public var id: String
  /// The name under which it signs; `flowrecorder-<id>` if none was given.
  public var origin: String
  /// The version of the format on disk.
  public var format: Int
  /// The public key of its checkpoints as a C2SP vkey; nil until the first one is signed.
  public var publicKey: String?
  /// Keys that signed earlier checkpoints and no longer do, oldest first; those of earlier origins too.
  public var retiredKeys: [RetiredKey]
  /// The stores that this one was restored from, oldest first; empty for one that began by itself.
  public var restoredFrom: [StoreOrigin]
  /// Set if this is a backup. A backup cannot be appended to: that would make another log under the same name.
  public var backup: BackupMark?

  /// The version that this code writes. Version 1 had no footers in segments that were not sealed.
  public static let currentFormat = 2
  /// The versions that this code reads.
  static let knownFormats = 1...currentFormat

  /// Makes an identity from its parts, taken as they are.
  public init(
    id: String, origin: String, format: Int = StoreIdentity.currentFormat, publicKey: String? = nil,
    retiredKeys: [RetiredKey] = [], restoredFrom: [StoreOrigin] = [], backup: BackupMark? = nil
  ) {
    self.id = id
    self.origin = origin
    self.format = format
    self.publicKey = publicKey
    self.retiredKeys = retiredKeys
    self.restoredFrom = restoredFrom
    self.backup = backup
  }

  /// How many records it has of each store, by the stores' ids: of its own, all.
  package var lineage: [String: UInt64] {
    Dictionary(restoredFrom.map { ($0.store, $0.size) } + [(id, UInt64.max)], uniquingKeysWith: max)
  }

  /// The id and origin that a segment's header must have: those of the store that began it.
  func writer(ofSegment first: UInt64) -> (id: String, origin: String) {
    guard let before = restoredFrom.first(where: { first < $0.size }) else { return (id, origin) }
    return (before.store, before.origin)
  }

  /// True if the store, or one that it was restored from, signs under that name.
  func isOf(_ name: String) -> Bool {
    name.isSame(as: origin) || restoredFrom.contains { $0.origin.isSame(as: name) }
  }

  /// True if it names a key that could have signed under that name.
  func hasKey(for name: String) -> Bool {
    name.isSame(as: origin) && publicKey != nil
      || restoredFrom.contains { $0.origin.isSame(as: name) && $0.publicKey != nil }
  }

  /// Throws `permission` if this is a backup.
  func refuseIfBackup(in layout: StoreLayout) throws(StoreError) {
    guard let backup else { return }
    throw StoreError(
      .permission, "this is a backup of \(origin) with \(backup.size) records, which nothing may be appended to",
      file: layout.root, advice: "make a store of it with auditctl restore")
  }
}
