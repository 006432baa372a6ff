@testable import EventStore

extension SegmentWriter {
  /// Writes a commit of one line, given with its `\n`, as a log would that was asked to write it.
  func commit(_ line: [UInt8], stream: String, revision: Int) throws {
    var queue = CommitQueue()
    queue.bytes.append(atMost: line.count) { $0.put(line.span) }
    queue.streams = [.init(name: stream, serial: size + 1)]
    queue.lines = [.init(length: line.count, stream: 0, revision: revision)]
    try commit(0..<line.count, lines: 0..<1, of: queue)
  }
}
