/// What a shipper stops for: its log is not the one that was shipped.
package struct ShipTrouble: Error, Sendable, Hashable {
  /// The kinds of it.
  package enum Kind: String, Sendable, Hashable {
    /// The log is less than a checkpoint that its key has signed and a collector has: an older copy was put back.
    case rolledBack
    /// The log has another root than such a checkpoint.
    case forked
  }

  /// Which kind.
  package var kind: Kind
  /// What was found: a clause.
  package var message: String
}

/// What a step of a shipper came to.
package enum ShipStep: Sendable, Hashable {
  /// So many bytes went out: call again at once.
  case shipped(bytes: Int)
  /// There is nothing to ship now.
  case idle
  /// The engine cannot take it now, or a collector has to answer first: call again later.
  case waiting(String)
  /// The log is not the one that was shipped.
  case stopped(ShipTrouble)
}
