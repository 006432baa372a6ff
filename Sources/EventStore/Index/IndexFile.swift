// index/<20 digits>.idx: the index of a closed segment that is not sealed, so that its directories need not be read one by
// one. A cache: it may be deleted, and is made again where it is missing or not of the segment as it is.

/// The cached index of one closed segment.
struct IndexFile {
  let layout: StoreLayout
  let disk: any Disk

  /// The index in the cache, or nil where there is none that fits the segment file. Throws where the disk does.
  func load(_ first: UInt64, of segment: any DiskFile) throws(StoreError) -> SegmentIndex? {
    do throws(StoreError) {
      let file = try disk.open(layout.indexFile(first), .read)
      guard let index = try FooterPlace.index(in: file), index.first == first,
        index.source == (try Self.source(of: segment))
      else { return nil }
      return index
    } catch {
      switch error.code {
      case .notFound, .malformed, .permission: return nil
      default: throw error
      }
    }
  }

  /// Writes the cache of a segment. Not synced: what a power cut makes of it is found by its CRCs and made again.
  func save(_ body: [UInt8], of first: UInt64) throws(StoreError) {
    let bytes = SkippableFrame(kind: .footer, body: body).encoded
    try disk.putInPlace(of: layout.indexFile(first)) { file throws(StoreError) in try file.write(bytes.span, at: 0) }
  }

  /// Removes the cache of a segment, where there is one.
  func remove(_ first: UInt64) throws(StoreError) {
    let path = layout.indexFile(first)
    if try disk.exists(path, in: layout.index) { try disk.remove(path) }
  }

  /// What a cache of `segment` must say that it was made from.
  static func source(of segment: any DiskFile) throws(StoreError) -> SegmentIndex.Source {
    let size = try segment.size()
    var cursor = ByteCursor(try segment.read(at: size < 4 ? 0 : size - 4, count: 4))
    return SegmentIndex.Source(size: size, mark: (try? cursor.uint32()) ?? 0)
  }
}
