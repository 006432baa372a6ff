/// Why a shipper stops: its log is not the one that was shipped.
package struct ShipTrouble: Error, Sendable, Hashable {
  /// The kinds of it.
  package enum Kind: String, Sendable, Hashable {
    /// The log is smaller than a checkpoint by its key that a collector has: an older copy was put back.
    case rolledBack
    /// The log has another root than such a checkpoint.
    case forked
  }

  /// Which kind.
  package var kind: Kind
  /// What was found: a clause.
  package var message: String
}

/// The result of a shipper's step.
package enum ShipStep: Sendable, Hashable {
  /// This many bytes were sent: call again at once.
  case shipped(bytes: Int)
  /// There is nothing to ship now.
  case idle
  /// The engine cannot accept it now, or a collector must answer first: call again later.
  case waiting(String)
  /// The log is not the one that was shipped.
  case stopped(ShipTrouble)
}
