// Puts the digests of what this SDK makes of them into recordings whose records stay as they are.

import EventStore
import Foundation
import Replay

enum DigestRecordings {
  /// A recording whose events are others now: it has to be made again, or accepted, as a whole.
  struct Diverging: Error, CustomStringConvertible {
    let message: String
    let path: String

    var description: String { "\(path) diverges: \(message)" }
  }

  /// Rewrites all recordings of a folder.
  static func run(in folder: String) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".ndjson.lz4") }
    for name in names.sorted() {
      let path = "\(folder)/\(name)"
      let slice = try SliceFile.read(path: path)
      let recording = try Recording(contentsOf: path)
      let found = try Replay.replay(recording)
      guard found.allSatisfy({ $0.kind == .state }) else { throw Diverging(message: found[0].message, path: path) }
      let digests = RecordedDigests(of: recording.flows, declarations: true)?.json
      guard digests != slice.header.digests else { continue }
      let source = StoreIdentity(id: slice.header.store, origin: slice.header.origin)
      try KeptMode.of(path) {
        try SliceFile.write(records: slice.records, source: source, digests: digests, to: path)
      }
      print("\(path): \(digests?.bytes.count ?? 0) bytes of digests")
      // For a review: no tool shows what stands in a header.
      for divergence in found { print("  \(divergence.flow), \(divergence.message)") }
    }
    // Last: what the replays say stands beside the lines of before.
    try DeclaredLines.write(to: folder)
  }
}
