@testable import EventStore

extension LineBuffer {
  /// All of its bytes.
  var all: [UInt8] { withBytes(0..<count) { CommitLines.array($0) } }
}
