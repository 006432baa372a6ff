/// The cause of a record: an earlier record of the log, or an earlier one of the batch it is appended with.
public enum Cause: Sendable, Hashable {
  /// The record at that position of the log.
  case position(UInt64)
  /// The record at that index, from 0, of the same batch; must come before the one that names it.
  case inBatch(Int)
}
