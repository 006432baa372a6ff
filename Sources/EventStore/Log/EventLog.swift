// The one writer of a store (DESIGN §4).

/// An open store that can be appended to. One process at a time has it; any number may read beside it.
///
/// Appending never waits for the disk: it gives positions and queues the encoded lines. A barrier waits until they are
/// written. What nobody waits for is written within about 100 ms by the log's own thread.
public final class EventLog: Sendable {
  /// How a log is to be kept.
  public struct Options: Sendable {
    /// When barriers let go.
    public var durability: Durability
    /// The size of a segment file, in bytes on disk, after which a new one is begun. 1 KiB at least.
    public var segmentBytes: Int
    /// How many raw bytes an LZ4 frame takes before it is closed and gets its directory.
    public var frameBytes: Int
    /// The name under which a new store signs; nil makes one from its random id.
    public var origin: String?
    /// The clock of the log's own records.
    public var clock: @Sendable () -> Timestamp
    /// How long a frame may stay open without a commit.
    public var idleClose: Duration

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
    }
  }

  /// The store's directory, as it was given.
  public let directory: String

  private init(directory: String) { self.directory = directory }

  /// Opens the store at `directory` for appending, and makes it where there is none (mode 0700, files 0600).
  public static func open(at directory: String, options: Options = Options()) throws(StoreError) -> EventLog {
    throw StoreError(.closed, "not built yet")
  }

  /// Queues a batch, whole or not at all.
  public func append(_ batch: [NewRecord], expecting: Expectation = .any) throws(StoreError) -> Ticket {
    throw StoreError(.closed, "not built yet")
  }

  /// Waits until the ticket's records are written.
  public func barrier(_ ticket: Ticket, resume: @escaping @Sendable (StoreError?) -> Void) -> BarrierOutcome {
    .failed(StoreError(.closed, "not built yet"))
  }

  /// Writes all that is queued.
  public func flush() throws(StoreError) {}
  /// Writes and syncs all that is queued.
  public func sync() throws(StoreError) {}
  /// Signs the log as it is.
  public func checkpoint(with key: SigningKey) throws(StoreError) -> SignedNote {
    throw StoreError(.closed, "not built yet")
  }
  /// Ends writing.
  public func close() throws(StoreError) {}
  /// How many records are written.
  public var size: UInt64 { 0 }
  /// The Merkle root over them.
  public var rootHash: [UInt8] { [] }
  /// What the store says of itself.
  public var identity: StoreIdentity { StoreIdentity(id: "", origin: "") }
}
