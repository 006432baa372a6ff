// The constants of the format on disk (docs/FORMAT.md), and the one place that knows them. Writer, reader and verifier
// meet here and nowhere else.

/// Numbers of the LZ4 frame format 1.6.2 and of the frames that we put between.
enum FrameFormat {
  /// The magic number of an LZ4 frame.
  static let magic: UInt32 = 0x184D_2204
  /// The magic number of our skippable frames, the first of the sixteen that the LZ4 frame format sets aside.
  static let skippableMagic: UInt32 = 0x184D_2A50

  /// A whole LZ4 frame without content: independent blocks, 64 KiB, no checksums, then the end mark. It stands first in
  /// each file since `lz4` refuses a file that begins with a skippable frame.
  static let prologue: [UInt8] = [0x04, 0x22, 0x4D, 0x18, 0x60, 0x40, 0x82, 0, 0, 0, 0]

  /// The length of the header of a frame of records: magic, FLG, BD, HC.
  static let headerLength = 7
  /// FLG of a frame of records: version 01, linked blocks, block checksums, no content size, no content checksum.
  static let linkedFlags: UInt8 = 0x50
  /// The same with independent blocks; we read it but do not write it.
  static let independentFlags: UInt8 = 0x70
  /// BD of a frame of records: blocks of at most 4 MiB.
  static let blockDescriptor: UInt8 = 0x70
  /// The header of a frame of records: magic, FLG, BD, and the second byte of the XXH32 of those two.
  static let frameHeader: [UInt8] = [0x04, 0x22, 0x4D, 0x18, linkedFlags, blockDescriptor, 0x81]
  /// The same of one with independent blocks.
  static let independentFrameHeader: [UInt8] = [0x04, 0x22, 0x4D, 0x18, independentFlags, blockDescriptor, 0x72]

  /// What closes a frame: a block size of 0.
  static let endMark: [UInt8] = [0, 0, 0, 0]
  /// What a block has besides its data: four bytes of size before it, four of checksum after it.
  static let blockOverhead = 8
  /// An uncompressed block without bytes: size and checksum. The last block of a frame may be one; it is no commit.
  static let emptyBlock: [UInt8] = [0x00, 0x00, 0x00, 0x80, 0x05, 0x5D, 0xCC, 0x02]
  /// The size of `emptyBlock`.
  static let emptyBlockSize: UInt32 = 0x8000_0000
  /// How many bytes a block may have as it is stored until its frame has to end with an empty block.
  static let largestPlainBlock = 65_000
  /// The bytes that close a frame whose largest block has that many stored bytes.
  ///
  /// `lz4` 1.9.4 reads 64 KiB at a time. If a compressed block does not fit, it asks for four bytes too many from there
  /// on, and what it has read behind the frame's end mark is lost: it stops in the middle of a file. An uncompressed
  /// block prevents that.
  static func ending(afterBlockOf stored: Int) -> [UInt8] {
    stored > largestPlainBlock ? emptyBlock + endMark : endMark
  }
  /// The bit of a block's size that says it is not compressed.
  static let rawBlock: UInt32 = 0x8000_0000
  /// The most that one block, and so one commit, decodes to.
  static let largestCommit = 4 << 20
  /// The most that a frame of a segment decodes to: a reader of one record may have to keep all of it. A writer closes
  /// a frame that has reached `largestFrameSize`; one commit more may be in it.
  static let largestFrame = 8 << 20
  /// The most that a frame of a segment has as it is stored: blocks are not larger than what they decode to, and each
  /// commit has 8 bytes more, and one line at least.
  static let largestStoredFrame = largestFrame + (1 << 20)
  /// The largest size at which a writer can be made to close a frame.
  static let largestFrameSize = largestFrame - largestCommit
  /// No position, size of a log or offset in a file is larger, so that the sum of two of them cannot overflow.
  static let largestNumber: UInt64 = 1 << 62
  /// The most that the payload of a skippable frame may have.
  static let largestPayload = 64 << 20
}

/// What a skippable frame of ours holds: its first four bytes, as ASCII.
enum FrameKind: String, Sendable {
  /// The header of a segment or a slice: JSON.
  case head = "HEAD"
  /// The directory of the frame before it: binary.
  case directory = "DIRY"
  /// A signed checkpoint: the text of the note.
  case note = "NOTE"
  /// A position, u64: all records before it are synced. Written if no directory says so.
  case synced = "SYNC"
  /// The footer of a sealed or pruned segment: its index and subtree hashes.
  case footer = "FOOT"
  /// The leaf hashes of records that were pruned.
  case leaves = "LEAF"
}
