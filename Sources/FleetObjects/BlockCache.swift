/// Caches parts of objects, so that a part that is read again soon need not be transferred again. The cached parts of a
/// key belong to one object: the caller has just learned from the storage that the object is unchanged.
struct BlockCache: Sendable {
  /// The bytes of a block; the last one of an object has fewer.
  static let blockBytes = 4 << 20
  /// How many bytes are kept.
  private static let limit = 64 << 20

  private struct Name: Hashable {
    var key: String
    var tag: String
    var index: UInt64
  }

  private var blocks: [Name: [UInt8]] = [:]
  private var objects: [String: (tag: String, size: UInt64)] = [:]
  private var total = 0

  /// The object of a key when it was last read.
  func object(_ key: String) -> (tag: String, size: UInt64)? { objects[key] }

  /// A block of an object.
  func block(_ index: UInt64, of key: String, _ tag: String) -> [UInt8]? {
    blocks[Name(key: key, tag: tag, index: index)]
  }

  /// Keeps a block. If there is no room, all others are dropped: an archive is read from beginning to end.
  mutating func keep(_ bytes: [UInt8], _ index: UInt64, of key: String, _ tag: String, size: UInt64) {
    if total + bytes.count > Self.limit { self = BlockCache() }
    let before = blocks.updateValue(bytes, forKey: Name(key: key, tag: tag, index: index))
    total += bytes.count - (before?.count ?? 0)
    objects[key] = (tag, size)
  }

  /// Forgets the object of a key.
  mutating func forget(_ key: String) { objects[key] = nil }
}
