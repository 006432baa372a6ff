// Whether a key would refuse to sign a log, found without signing it.

extension SigningKey {
  /// Why this key would not sign a log: the log is not the one, or less than the one, that the key remembers, or what
  /// the key remembers cannot be read. Nil if none of this was found. Nothing is written.
  package func contradiction(of log: LogReader) -> StoreError? {
    guard let memory else { return nil }
    do throws(StoreError) {
      // The memory is read first: a writer signs only what is in the log.
      guard let entry = try memory.read() else { return nil }
      try entry.check(
        log.identity, key: verifier, size: try log.statistics().records, file: memory.file, root: log.root(at:))
      return nil
    } catch {
      // Other checks find a log that cannot be read.
      return error.file == memory.file ? error : nil
    }
  }
}
