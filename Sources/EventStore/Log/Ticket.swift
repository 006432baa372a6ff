/// The result of an append: where its records will stand, and what to wait for.
public struct Ticket: Sendable, Hashable {
  /// The positions of the batch's records, in the order of the batch.
  public let positions: Range<UInt64>
  /// Counts the failed commits of this log before the append; the positions of a failed commit are assigned again.
  public let generation: Int
  /// True if the records were appended before, under the same ids, and nothing was added.
  public internal(set) var isRepeat = false

  init(positions: Range<UInt64>, generation: Int) {
    self.positions = positions
    self.generation = generation
  }
}

/// The result of an awaited append: where its records stand, and how safe they are.
public struct Acknowledgement: Sendable, Hashable {
  /// The positions of the batch's records, in the order of the batch.
  public let positions: Range<UInt64>
  /// True if a sync covers them, so that a power cut cannot take them. Always true with durability `each`.
  public let isDurable: Bool
  /// True if they were appended before, under the same ids, and nothing was added.
  public let isRepeat: Bool
}

/// What an append expects of the streams in its batch.
public enum Expectation: Sendable, Hashable {
  /// Nothing.
  case any
  /// The stream has no records yet.
  case empty
  /// The stream's last record has this revision.
  case revision(Int)
  /// The caller vouches that the stream's name is new, for instance random: no look-up on disk.
  case fresh
}

/// How waiting for a ticket ended.
public enum BarrierOutcome: Sendable, Hashable {
  /// The records are written, and synced if the mode asks for it.
  case passed
  /// They are not written, and never will be under this ticket.
  case failed(StoreError)
  /// They are written; `resume` will be called once they are synced.
  case pending
}
