/// How a log is to be kept.
public struct LogOptions: Sendable {
  /// When barriers let go.
  public var durability: Durability
  /// The size of a segment file, in bytes on disk, after which a new one is begun. 1 KiB at least.
  public var segmentBytes: Int
  /// How many raw bytes an LZ4 frame takes before it is closed and gets its directory.
  public var frameBytes: Int
  /// The name under which a new store signs; nil makes one from its random id. An existing store keeps its own.
  public var origin: String?
  /// The clock of the log's own records.
  public var clock: @Sendable () -> Timestamp
  /// How long a frame may stay open without a commit.
  public var idleClose: Duration
  /// When closed segments are sealed.
  public var sealing = Sealing.onDemand
  /// Whether index files of closed segments are written, in the background.
  var keepsIndexes = true
  /// Where the store stands.
  var disk: any Disk

  /// Options with the usual values; each can be given.
  public init(
    durability: Durability = .os, segmentBytes: Int = 64 << 20, frameBytes: Int = 256 << 10, origin: String? = nil,
    clock: @escaping @Sendable () -> Timestamp = { Timestamp.now() }, idleClose: Duration = .seconds(2)
  ) {
    self.durability = durability
    self.segmentBytes = segmentBytes
    self.frameBytes = frameBytes
    self.origin = origin
    self.clock = clock
    self.idleClose = idleClose
    disk = SystemDisk()
  }
}
