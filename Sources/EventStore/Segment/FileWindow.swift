/// Reads a file in large pieces and lends small ones.
struct FileWindow {
  /// The file.
  let file: any DiskFile
  private var start: UInt64 = 0
  private var piece: [UInt8] = []
  /// The size of a piece; a block of one event has about 200 bytes, a full frame about 55 KiB.
  static let usualPiece = 128 << 10
  private let pieceLength: Int

  /// A window on `file`; reads nothing yet.
  init(_ file: any DiskFile, pieceLength: Int = Self.usualPiece) {
    self.file = file
    self.pieceLength = pieceLength
  }

  /// The `count` bytes at `offset`, or nil where the file ends before. Forgets what it has when it comes to the end, so
  /// that asking again sees what was written meanwhile.
  mutating func bytes(at offset: UInt64, count: Int) throws(StoreError) -> ArraySlice<UInt8>? {
    if offset < start || offset + UInt64(count) > start + UInt64(piece.count) {
      piece = try file.read(at: offset, count: Swift.max(count, pieceLength))
      start = offset
    }
    let from = Int(offset - start)
    guard from + count <= piece.count else {
      piece = []
      return nil
    }
    return piece[from..<from + count]
  }

  /// Forgets what it has.
  mutating func forget() { piece = [] }
}
