public import Logging

/// The options of a log.
public struct LogOptions: Sendable {
  /// When barriers let their callers go on.
  public var durability: Durability
  /// The size of a segment file, in bytes on disk, after which a new one is begun. 1 KiB at least.
  public var segmentBytes: Int
  /// Maximum segment age; after it the log starts a new segment, whether or not anything is appended, so that
  /// `EventLog.prune` can drop old records of a log that never fills one. Counted from when this process wrote the
  /// first record of the segment; after opening, from the `at` of that record. If nil, segments end by size alone.
  public var segmentAge: Duration?
  /// How many raw bytes an LZ4 frame takes before it is closed and gets its directory; 4 MiB at most.
  public var frameBytes: Int
  /// The name under which a new store signs; nil makes one from its random id. An existing store keeps its own.
  public var origin: String?
  /// The clock of the log's own records. Called at each commit with the log's lock held; must not call the log. Setting
  /// it sets `steadyClock` to nil: a clock of the caller's own may stand still or run as it likes.
  public var clock: @Sendable () -> Timestamp {
    didSet { steadyClock = nil }
  }
  /// A clock that no user can set, compared with `clock` at each commit: if the two differ by more than two seconds, by
  /// one step or by small ones that add up, the log gets a `clock.stepped` record. The usual value is the machine's
  /// time since it was started; nil, as with a `clock` of the caller's own, records no steps.
  public var steadyClock: (@Sendable () -> Duration)?
  /// How long a frame may stay open without a commit.
  public var idleClose: Duration
  /// When the log signs checkpoints by itself; nil if it signs only when asked.
  public var checkpoints: CheckpointSchedule?
  /// Receives the log's measurements; nil measures nothing.
  public var metrics: (any LogMetrics)?
  /// Receives openings, losses and failures; nil logs nothing. No text of a record is ever logged.
  public var logger: Logger?
  /// When closed segments are sealed.
  public var sealing = Sealing.onDemand
  /// The disk that holds the store.
  package var disk: any Disk

  /// Options with the usual values; each can be given.
  public init(
    durability: Durability = .os, segmentBytes: Int = 64 << 20, frameBytes: Int = 256 << 10, origin: String? = nil,
    clock: (@Sendable () -> Timestamp)? = nil, idleClose: Duration = .seconds(2),
    checkpoints: CheckpointSchedule? = nil, metrics: (any LogMetrics)? = nil, logger: Logger? = nil
  ) {
    self.durability = durability
    self.segmentBytes = segmentBytes
    self.frameBytes = frameBytes
    self.origin = origin
    self.clock = Timestamp.now
    steadyClock = ClockWatch.uptime
    if let clock {
      self.clock = clock
      steadyClock = nil
    }
    self.idleClose = idleClose
    self.checkpoints = checkpoints
    self.metrics = metrics
    self.logger = logger
    disk = SystemDisk()
  }

  /// Receives reports of what the log does.
  var observer: LogObserver { LogObserver(metrics: metrics, logger: logger) }
}
