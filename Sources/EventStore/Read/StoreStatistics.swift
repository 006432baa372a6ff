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
  /// The latest checkpoint, where one was signed; its signature is not checked here.
  public var lastCheckpoint: SignedNote?
}
