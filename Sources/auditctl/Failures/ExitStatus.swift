/// The exit codes of every command but `verify`, which has its own (CLI.md).
enum ExitStatus: Int32 {
  case done = 0
  /// Something was found: a replay diverged, nothing matched, a sign-in was refused.
  case finding = 1
  /// The command line cannot be understood.
  case usage = 64
  /// Malformed or corrupt data where whole data was needed.
  case malformed = 65
  /// No such file, store, flow or position.
  case notFound = 66
  case cannotCreate = 73
  case inputOutput = 74
  /// The store is locked by another writer.
  case locked = 75
  /// No permission, or a required key is missing.
  case permission = 77
  case interrupted = 130
}
