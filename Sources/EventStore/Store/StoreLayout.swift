/// Where things stand in a store's directory (DESIGN §4).
struct StoreLayout: Sendable {
  /// The store's directory.
  let root: String

  /// A layout under `root`, trailing slashes dropped.
  init(_ root: String) {
    var path = root
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.root = path
  }

  var identity: String { root + "/store.json" }
  var lock: String { root + "/LOCK" }
  var segments: String { root + "/segments" }
  var checkpoints: String { root + "/checkpoints" }
  var quarantine: String { root + "/quarantine" }
  var index: String { root + "/index" }
  var latestCheckpoint: String { checkpoints + "/latest" }

  func segment(_ first: UInt64) -> String { segments + "/" + SegmentName.name(first: first) }
  func checkpoint(_ size: UInt64) -> String { checkpoints + "/\(size)" }

  /// The first positions of the segments on `disk`, ascending; files with other names are ignored.
  func segmentList(on disk: any Disk) throws(StoreError) -> [UInt64] {
    try disk.names(in: segments).compactMap(SegmentName.first).sorted()
  }

  /// The sizes that have a checkpoint's file on `disk`, in no order.
  func checkpointSizes(on disk: any Disk) throws(StoreError) -> [UInt64] {
    try disk.names(in: checkpoints).compactMap { StoreFolder.number($0[...]) }
  }

  /// The latest checkpoint, or nil if none was signed.
  ///
  /// - Throws: `malformed` if it is not one.
  func latestCheckpoint(on disk: any Disk) throws(StoreError) -> SignedNote? {
    try note(at: latestCheckpoint, on: disk)
  }

  /// The checkpoint in a file, or nil if there is none that can be read. For callers that ignore unreadable files;
  /// `verify` reports them.
  ///
  /// - Throws: what the disk throws.
  func readableNote(at path: String, on disk: any Disk) throws(StoreError) -> SignedNote? {
    do throws(StoreError) {
      return try note(at: path, on: disk)
    } catch {
      guard error.isOfContent else { throw error }
      return nil
    }
  }

  /// The checkpoint in a file, or nil if there is no such file.
  func note(at path: String, on disk: any Disk) throws(StoreError) -> SignedNote? {
    let bytes: [UInt8]
    do {
      bytes = try disk.contents(of: path, limit: 1 << 16)
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
    return try SignedNote(bytes: bytes, of: path)
  }
}
