// Puts the digests of what this SDK makes of them into recordings whose records stay as they are.

import EventStore
import Foundation
import Replay

enum DigestRecordings {
  /// Rewrites all recordings of a folder.
  static func run(in folder: String) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".ndjson.lz4") }
    for name in names.sorted() {
      let path = "\(folder)/\(name)"
      let slice = try SliceFile.read(path: path)
      let source = StoreIdentity(id: slice.header.store, origin: slice.header.origin)
      let digests = RecordedDigests(of: try Recording(name: path, records: slice.records).flows)?.json
      guard digests != slice.header.digests else { continue }
      try SliceFile.write(records: slice.records, source: source, digests: digests, to: path)
      print("\(path): \(digests?.bytes.count ?? 0) bytes of digests")
    }
  }
}
