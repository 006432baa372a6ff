/// Which streams the log may have. Distinguishes a new stream from an old one without reading the disk; a wrong guess
/// costs one look-up that finds nothing.
struct KnownStreams {
  /// True once the streams from before the log was opened are in it too.
  var isComplete: Bool { older != nil }
  private var older: OlderStreams?
  /// The streams that this process began to write to.
  private var begun = BegunStreams()

  /// Adds a stream that is appended to.
  mutating func insert(_ stream: String) { begun.insert(stream.hashValue) }

  /// Adds the streams that were on disk when the log was opened.
  mutating func complete(with older: OlderStreams) { self.older = older }

  /// The known streams from before, and the hashes of those of `streams` that this process began to write to. Cost: a
  /// hash of each name; what takes longer can be done without a lock.
  func older(besides streams: [String]) -> (streams: OlderStreams, begun: Set<Int>)? {
    guard let older else { return nil }
    return (older, Set(streams.lazy.map(\.hashValue).filter(begun.mayHave)))
  }
}

/// The hashes of the names of streams: all of them while they are few, then what a filter of a fixed size keeps of
/// them. So a process that begins streams for months takes no more memory than one that began some hundred thousand.
struct BegunStreams {
  /// The largest number of hashes that are kept as they are: some 4 MiB.
  static let limit = 1 << 18
  /// The bits of the filter: 16 MiB. After ten million streams, one unknown stream in two hundred is taken for a known
  /// one.
  private static let bits = 1 << 27
  /// How many bits stand for a stream.
  private static let probes = 4

  private var hashes: Set<Int> = []
  /// Empty while the hashes are kept.
  private var filter: [UInt64] = []

  /// How many bytes it takes, about.
  var byteCount: Int { hashes.capacity * 8 + filter.count * 8 }

  /// Adds a hash.
  mutating func insert(_ hash: Int) {
    guard filter.isEmpty else { return mark(hash) }
    hashes.insert(hash)
    guard hashes.count > Self.limit else { return }
    filter = [UInt64](repeating: 0, count: Self.bits / 64)
    for known in hashes { mark(known) }
    hashes = []
  }

  /// False if the hash was certainly not added.
  func mayHave(_ hash: Int) -> Bool {
    if filter.isEmpty { return hashes.contains(hash) }
    for probe in 0..<Self.probes {
      let place = Self.place(of: hash, probe)
      if filter[place / 64] & (1 << UInt64(place % 64)) == 0 { return false }
    }
    return true
  }

  private mutating func mark(_ hash: Int) {
    for probe in 0..<Self.probes {
      let place = Self.place(of: hash, probe)
      filter[place / 64] |= 1 << UInt64(place % 64)
    }
  }

  /// The bit of a probe, computed from the two halves of the hash.
  private static func place(of hash: Int, _ probe: Int) -> Int {
    let all = UInt64(bitPattern: Int64(hash))
    let (low, high) = (all & 0xFFFF_FFFF, all >> 32 | 1)
    return Int((low &+ UInt64(probe) &* high) & UInt64(bits - 1))
  }
}

/// The streams that were on disk when the log was opened: the filters of the closed segments, 2 bytes a stream, and the
/// keys of the last one.
struct OlderStreams: Sendable {
  /// The filters of the closed segments.
  var filters: [StreamFilter] = []
  /// The streams of the segment that was written to.
  var keys: Set<StreamKey> = []

  /// False if there was certainly no such stream.
  func mayHave(_ stream: String) -> Bool {
    if keys.isEmpty, filters.isEmpty { return false }
    let key = StreamKey(of: stream)
    return keys.contains(key) || filters.contains { $0.mayHave(key) }
  }
}
