/// The state of a host.
package enum HostState: String, Sendable, Hashable, CaseIterable {
  /// Everything is collected, signed and recent.
  case ok
  /// It has more than was collected, for longer than it should.
  case late
  /// No question or record has arrived from it for too long.
  case silent
  /// Records have been without a checkpoint over them for too long.
  case unsigned
  /// Its log is smaller than a checkpoint that its key has signed.
  case rolledBack
  /// Its key has signed two logs.
  case forked
  /// Bytes are missing, for longer than a rewind takes.
  case gap
  /// Its copy lacks bytes that were verified and synced here, or cannot be read.
  case damaged

  /// The state in words: `rolled back`.
  package var words: String { self == .rolledBack ? "rolled back" : rawValue }

  /// The exit code of `auditctl fleet status`: that of the gravest.
  package var exitCode: Int32 {
    switch self {
    case .ok: 0
    case .late, .silent, .unsigned, .gap, .damaged: 1
    case .rolledBack: 21
    case .forked: 22
    }
  }

  /// The gravest first.
  package static let byGravity: [HostState] = [.forked, .rolledBack, .damaged, .gap, .silent, .late, .unsigned, .ok]
}
