/// How much a store holds.
public struct StoreStatistics: Sendable, Hashable {
  /// How many records.
  public var records: UInt64
  /// How many streams.
  public var streams: Int
  /// How many segment files.
  public var segments: Int
  /// The size of the segment files on disk.
  public var bytesOnDisk: UInt64
  /// The size of all lines with their `\n`.
  public var bytesRaw: UInt64
  /// The latest checkpoint, if one was signed; its signature is not checked here.
  public var lastCheckpoint: SignedNote?
  /// How many segments are sealed; those that were pruned since are not counted.
  public var sealedSegments = 0
  /// How many segments were pruned.
  public var prunedSegments = 0
  /// How many records were pruned: those of the positions 0 to this.
  public var prunedRecords: UInt64 = 0

  /// Adds a closed segment.
  mutating func add(_ index: SegmentIndex, bytesOnDisk size: UInt64) {
    segments += 1
    records = index.end
    bytesOnDisk += size
    bytesRaw &+= index.isPruned ? 0 : index.rawBytes
    streams += index.begunStreams
    if index.isPruned {
      prunedSegments += 1
      prunedRecords = index.end
    } else if index.form == .sealed {
      sealedSegments += 1
    }
  }
}
