/// How it stands with a host.
package enum HostState: String, Sendable, Hashable, CaseIterable {
  /// All is collected, signed and fresh.
  case ok
  /// It has more than was collected, for longer than it should.
  case late
  /// It has not asked for longer than it should.
  case silent
  /// Records are older than they should be without a checkpoint over them.
  case unsigned
  /// Its log is less than a checkpoint that its key has signed.
  case rolledBack
  /// Its key has signed two logs.
  case forked
  /// Bytes are missing, for longer than a rewind takes.
  case gap

  /// The exit code of `auditctl fleet status`: that of the gravest.
  package var exitCode: Int32 {
    switch self {
    case .ok: 0
    case .late, .silent, .unsigned, .gap: 1
    case .rolledBack: 21
    case .forked: 22
    }
  }

  /// The gravest first.
  package static let byGravity: [HostState] = [.forked, .rolledBack, .gap, .silent, .late, .unsigned, .ok]
}
