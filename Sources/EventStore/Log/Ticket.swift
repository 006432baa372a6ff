/// What an append gives in return: where its records will stand, and what to wait for.
public struct Ticket: Sendable, Hashable {
  /// The positions of the batch's records, in the order of the batch.
  public let positions: Range<UInt64>
  /// Counts the failed commits of this log before the append; a failed commit gives its positions away again.
  public let generation: Int

  init(positions: Range<UInt64>, generation: Int) {
    self.positions = positions
    self.generation = generation
  }
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
  /// The records are written, and synced where the mode asks for it.
  case passed
  /// They are not, and never will be under this ticket.
  case failed(StoreError)
  /// They are written; `resume` will be called once they are synced.
  case pending
}
