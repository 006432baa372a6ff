// What a store has by luck, as a test names it: its id, its key, its clock. A store that is made of these has the same bytes in every
// run, on every day and machine, so that what a test expects of its size, or of the place of a byte in it, always holds or never.
import Foundation

@testable import EventStore

/// A key that guards nothing, of the origin `damage`. Ed25519 signs the same text by the same key with the same bytes.
func repeatableKey() throws -> SigningKey {
  try SigningKey(text: "PRIVATE+KEY+damage+9b26aa91+AfABfIM0CNujALeQKUgr2dY5Dy+ejUBpJJxh/UxrQX/E")
}

/// Options of a log that writes the same bytes in every run.
func repeatableOptions(segmentBytes: Int = 64 << 20, frameBytes: Int) -> LogOptions {
  LogOptions(
    segmentBytes: segmentBytes, frameBytes: frameBytes, origin: "damage", clock: { noon }, idleClose: .seconds(3600))
}

extension TemporaryStore {
  /// Gives the store its id and origin before a log is opened there, which otherwise draws an id.
  func identify() throws {
    let layout = StoreLayout(path)
    try FileManager.default.createDirectory(
      atPath: layout.segments, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try StoreIdentity(id: "0123456789abcdef0123456789abcdef", origin: "damage").save(to: layout, on: SystemDisk())
  }
}
