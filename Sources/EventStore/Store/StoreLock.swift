// One writer a store: an open-file-description lock on LOCK, whose text names the holder for people.
import Glibc

/// The right to write to a store, held until this goes or the process ends, however it ends.
final class StoreLock: Sendable {
  private let file: any DiskFile

  /// Takes the lock at once, or throws `locked` with the process that has it.
  init(of layout: StoreLayout, on disk: any Disk) throws(StoreError) {
    file = try disk.open(layout.lock, .updateOrCreate)
    guard try file.lock() else {
      let holder = String(decoding: try file.read(at: 0, count: 32).prefix { $0 > 0x20 }, as: UTF8.self)
      throw StoreError(
        .locked, "another writer has the store open: process \(holder.isEmpty ? "unknown" : holder)", file: layout.root,
        advice: "end it, or give another store")
    }
    let text = Array("\(getpid())\n".utf8)
    // Cut only where it was longer: ext4 writes a file that was cut to nothing to the disk when it is closed.
    try file.write(text.span, at: 0)
    if try file.size() > UInt64(text.count) { try file.truncate(to: UInt64(text.count)) }
  }

  // A process that is being started has all open files until it has become its program, and with them the lock.
  deinit { file.unlock() }

  /// True where some writer has the store open now.
  static func isHeld(in layout: StoreLayout, on disk: any Disk) -> Bool {
    guard let file = try? disk.open(layout.lock, .read) else { return false }
    return (try? file.isLockedElsewhere()) ?? false
  }
}
