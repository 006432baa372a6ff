/// When a barrier lets its caller go on.
public enum Durability: Sendable, Hashable {
  /// After fdatasync covered the record. Loses nothing that passed a barrier, power cuts included.
  case each
  /// After `write` has returned; a thread syncs every so many milliseconds. A power cut loses at most that much.
  case group(milliseconds: Int)
  /// After `write` has returned; the operating system syncs when it likes, the log at checkpoints, at `sync`, when a
  /// segment is full and at close. SIGKILL loses nothing, a power cut some seconds.
  case os
}
