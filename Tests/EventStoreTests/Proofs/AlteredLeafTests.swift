import Foundation
import Testing

@testable import EventStore

/// A proof of a record is made from its line, not from what a directory says of it.
@Suite struct AlteredLeafTests {
  @Test func `no proof is made of a record that was altered under a directory that was left alone`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    // A frame, and so a stated tree, after each record.
    for _ in 0..<9 {
      _ = try log.append([record("s", "the amount is 100")])
      try log.sync()
    }
    let size = log.size
    try log.close()
    let path = try #require(store.segments().first)
    let bytes = try SystemDisk().contents(of: path, limit: 1 << 20)
    let file = MemoryFile(bytes, path: path)
    for position in UInt64(2)..<size {
      var forged = bytes
      var isForged = false
      let walker = try SegmentWalker(file, from: try FileHead(of: file).end)
      var next: UInt64 = 0
      walking: while true {
        switch try walker.next() {
        case .commit(let start):
          next += 1
          guard next == position + 1 else { continue }
          // As many bytes as before: the directory fits the frame.
          let line = walker.withCommit { CommitLines.array($0) }
          for amount in 101...999 where !isForged {
            let other = Array(String(decoding: line, as: UTF8.self).replacing("is 100", with: "is \(amount)").utf8)
            let compressor = try BlockCompressor()
            var block: [UInt8] = []
            try compressor.begin(into: &block)
            let header = block.count
            try compressor.add(other.span, into: &block)
            guard block.count - header == Int(walker.offset - start) else { continue }
            forged.replaceSubrange(Int(start)..<Int(walker.offset), with: block[header...])
            isForged = true
          }
        case .end: break walking
        case .frameStart, .frameEnd, .skippable: continue
        }
      }
      #expect(isForged)
      try Data(forged).write(to: URL(fileURLWithPath: path))
      #expect(throws: StoreError(.altered, ""), "\(position)") {
        try LogReader(directory: store.path).inclusionProof(of: position, size: size)
      }
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    for position in 0..<size { _ = try LogReader(directory: store.path).inclusionProof(of: position, size: size) }
  }
}
