/// Reads a file in large pieces and lends small ones.
struct FileWindow {
  /// The file.
  let file: any DiskFile
  private var start: UInt64 = 0
  /// The bytes that were read from `start` on stand at its front.
  private var room: [UInt8] = []
  private var count = 0
  /// The size of a piece; a block of one event has about 200 bytes, a full frame about 55 KiB.
  static let usualPiece = 128 << 10
  private let pieceLength: Int
  /// How much is read after an element that is longer than a piece, so that the size of the next block is read with it.
  private static let behind = 4 << 10

  /// A window on `file`; reads nothing yet.
  init(_ file: any DiskFile, pieceLength: Int = Self.usualPiece) {
    self.file = file
    self.pieceLength = pieceLength
  }

  /// The `count` bytes at `offset`, or nil if the file ends before. Drops its buffer at the end of the file, so that a
  /// later call sees bytes that were written meanwhile.
  mutating func bytes(at offset: UInt64, count: Int) throws(StoreError) -> ArraySlice<UInt8>? {
    if offset < start || offset + UInt64(count) > start + UInt64(self.count) { try read(at: offset, atLeast: count) }
    let from = Int(offset - start)
    guard from + count <= self.count else {
      forget()
      return nil
    }
    return room[from..<from + count]
  }

  /// The four bytes at `offset` as a number, least significant first; else as `bytes`.
  mutating func number(at offset: UInt64) throws(StoreError) -> UInt32? {
    if offset < start || offset + 4 > start + UInt64(count) { try read(at: offset, atLeast: 4) }
    let from = Int(offset - start)
    guard from + 4 <= count else {
      forget()
      return nil
    }
    return UInt32(room[from]) | UInt32(room[from + 1]) << 8 | UInt32(room[from + 2]) << 16
      | UInt32(room[from + 3]) << 24
  }

  private mutating func read(at offset: UInt64, atLeast wanted: Int) throws(StoreError) {
    count = 0
    count = try file.read(at: offset, count: Swift.max(wanted + Self.behind, pieceLength), into: &room)
    start = offset
  }

  /// Drops its buffer.
  mutating func forget() { count = 0 }
}
