// One writer a store: an open-file-description lock on LOCK, whose text names the holder for people, and another one on
// the segment that is written to, since a LOCK can be removed.
import Glibc

/// The right to write to a store, held until this object is released or the process ends, however it ends.
final class StoreLock: @unchecked Sendable {  // `segments` is used with the right to write alone
  private let layout: StoreLayout
  private let file: any DiskFile
  /// The last segment, locked; while the next one is begun, both.
  private var segments: [any DiskFile] = []

  /// Takes the lock at once, or throws `locked` with the process that has it.
  init(of layout: StoreLayout, on disk: any Disk) throws(StoreError) {
    self.layout = layout
    file = try disk.open(layout.lock, .updateOrCreate)
    guard try file.lock() else {
      let holder = String(decoding: try file.read(at: 0, count: 32).prefix { $0 > 0x20 }, as: UTF8.self)
      throw Self.refusal("process \(holder.isEmpty ? "unknown" : holder)", layout)
    }
    try holdLast(on: disk)
    let text = Array("\(getpid())\n".utf8)
    // Truncated only if it was longer: ext4 flushes a file that was truncated to zero when it is closed.
    try file.write(text.span, at: 0)
    if try file.size() > UInt64(text.count) { try file.truncate(to: UInt64(text.count)) }
  }

  // A process that is being started holds all open files, and with them the locks, until its exec. LOCK is released
  // last: the next holder finds the segment free.
  deinit {
    for segment in segments { segment.unlock() }
    file.unlock()
  }

  private static func refusal(_ holder: String, _ layout: StoreLayout) -> StoreError {
    StoreError(
      .locked, "another writer has the store open: \(holder)", file: layout.root,
      advice: "end it, or give another store")
  }

  /// Locks the last segment, if there is one and it is not locked yet. A writer may be about to begin another, so that
  /// this looks again.
  func holdLast(on disk: any Disk) throws(StoreError) {
    while let first = try last(on: disk) {
      let path = layout.segment(first)
      if let held = segments.last, held.path == path, try held.isInPlace() { return }
      try hold(try disk.open(path, .update))
      keepLast()
    }
  }

  /// The last segment; nil if there is none, or no folder.
  private func last(on disk: any Disk) throws(StoreError) -> UInt64? {
    do throws(StoreError) {
      return try layout.segmentList(on: disk).last
    } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }

  /// Locks a segment before it gets its name, and before anything is written to it under that name.
  ///
  /// - Throws: `locked` if another writer has it.
  func hold(_ segment: any DiskFile) throws(StoreError) {
    guard try segment.lock() else {
      throw Self.refusal("one that had it before LOCK was removed or replaced", layout)
    }
    segments.append(segment)
  }

  /// Unlocks the segments before the one that was locked last, which has its name now.
  func keepLast() {
    for segment in segments.dropLast() { segment.unlock() }
    segments = segments.suffix(1)
  }

  /// Unlocks a segment whose creation failed, if it was locked.
  func giveBack(_ segment: any DiskFile) {
    guard let place = segments.firstIndex(where: { $0 === segment }) else { return }
    segment.unlock()
    segments.remove(at: place)
  }

  /// True if some writer has the store open now.
  static func isHeld(in layout: StoreLayout, on disk: any Disk) -> Bool {
    let last = (try? layout.segmentList(on: disk))?.last.map { layout.segment($0) }
    return [layout.lock, last].contains { path in
      guard let path, let file = try? disk.open(path, .read) else { return false }
      return (try? file.isLockedElsewhere()) ?? false
    }
  }
}
