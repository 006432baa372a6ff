/// How it stands with a host.
package enum HostState: String, Sendable, Hashable, CaseIterable {
  /// All is collected, signed and fresh.
  case ok
  /// It has more than was collected, for longer than it should.
  case late
  /// Neither a question nor a record of it has come for longer than should be.
  case silent
  /// Records are older than they should be without a checkpoint over them.
  case unsigned
  /// Its log is less than a checkpoint that its key has signed.
  case rolledBack
  /// Its key has signed two logs.
  case forked
  /// Bytes are missing, for longer than a rewind takes.
  case gap
  /// Its copy lacks what was verified and synced here, or cannot be read.
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
