/// Which streams the log may have: a hash of each name, 8 bytes a stream. Tells a new stream from an old one without a look
/// at the disk; two names with one hash cost a look that finds nothing.
struct KnownStreams {
  /// True once the streams from before the log was opened are in it too.
  private(set) var isComplete = false
  private var hashes: Set<Int> = []

  /// Adds a stream that is appended to.
  mutating func insert(_ stream: String) { hashes.insert(stream.hashValue) }

  /// Adds the streams that were on disk when the log was opened.
  mutating func complete(with older: Set<Int>) {
    hashes.formUnion(older)
    isComplete = true
  }

  /// False where the log has no such stream for certain.
  func mayHave(_ stream: String) -> Bool { !isComplete || hashes.contains(stream.hashValue) }
}
