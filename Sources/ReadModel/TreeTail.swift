// The tree over the indexed records, as stored in the tables.

import EventStore
import Foundation

enum TreeTail {
  /// The tree in a column; nil if it is not of this size.
  static func frontier(of size: UInt64, _ data: Data?) -> MerkleFrontier? {
    let bytes = Array(data ?? Data())
    let hashes = stride(from: 0, to: bytes.count, by: 32).compactMap {
      TreeHash(bytes: bytes[$0..<min($0 + 32, bytes.count)])
    }
    return MerkleFrontier(size: size, hashes: hashes)
  }

  static func data(of frontier: MerkleFrontier) -> Data {
    var bytes: [UInt8] = []
    for hash in frontier.hashes { hash.append(to: &bytes) }
    return Data(bytes)
  }
}
