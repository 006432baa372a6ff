/// Which streams the log may have. Distinguishes a new stream from an old one without reading the disk; a wrong guess
/// costs one look-up that finds nothing.
struct KnownStreams {
  /// True once the streams from before the log was opened are in it too.
  var isComplete: Bool { older != nil }
  private var older: OlderStreams?
  /// A hash of each name that this process began to write to, 8 bytes a stream.
  private var hashes: Set<Int> = []

  /// Adds a stream that is appended to.
  mutating func insert(_ stream: String) { hashes.insert(stream.hashValue) }

  /// Adds the streams that were on disk when the log was opened.
  mutating func complete(with older: OlderStreams) { self.older = older }

  /// The known streams from before, and the hashes of those of `streams` that this process began to write to. Cost: a
  /// hash of each name; what takes longer can be done without a lock.
  func older(besides streams: [String]) -> (streams: OlderStreams, begun: Set<Int>)? {
    guard let older else { return nil }
    return (older, Set(streams.lazy.map(\.hashValue).filter(hashes.contains)))
  }
}

/// The streams that were on disk when the log was opened: the filters of the closed segments, 2 bytes a stream, and the
/// keys of the last one.
struct OlderStreams: Sendable {
  /// The filters of the closed segments.
  var filters: [StreamFilter] = []
  /// The streams of the segment that was written to.
  var keys: Set<StreamKey> = []

  /// False if there was no such stream for certain.
  func mayHave(_ stream: String) -> Bool {
    if keys.isEmpty, filters.isEmpty { return false }
    let key = StreamKey(of: stream)
    return keys.contains(key) || filters.contains { $0.mayHave(key) }
  }
}
