import EventStore
import Synchronization

/// An object in the making, in memory until it gets its name.
final class ObjectDraft: DiskFile {
  let path: String
  private let bytes = Mutex<[UInt8]>([])

  init(_ path: String) { self.path = path }

  var content: [UInt8] { bytes.withLock { $0 } }

  func size() throws(StoreError) -> UInt64 { UInt64(bytes.withLock { $0.count }) }

  func read(at offset: UInt64, count: Int) throws(StoreError) -> [UInt8] {
    bytes.withLock { bytes in
      guard count > 0, offset < UInt64(bytes.count) else { return [] }
      let start = Int(offset)
      return Array(bytes[start..<start + min(count, bytes.count - start)])
    }
  }

  func write(_ piece: Span<UInt8>, at offset: UInt64) throws(StoreError) {
    // SAFETY: the span's bytes outlive the call, which copies them.
    try put(unsafe piece.withUnsafeBufferPointer { unsafe Array($0) }, at: offset)
  }

  private func put(_ piece: [UInt8], at offset: UInt64) throws(StoreError) {
    guard let start = Int(exactly: offset), start <= Self.most - piece.count else {
      throw StoreError(.tooLarge, "an object has at most \(Self.most) bytes here", file: path)
    }
    bytes.withLock { bytes in
      if bytes.count < start { bytes += [UInt8](repeating: 0, count: start - bytes.count) }
      bytes.replaceSubrange(start..<min(bytes.count, start + piece.count), with: piece)
    }
  }

  /// The S3 limit for one PUT.
  private static let most = 5 << 30

  func truncate(to size: UInt64) throws(StoreError) {
    try put([], at: size)
    bytes.withLock { bytes in bytes.removeLast(bytes.count - Int(size)) }
  }

  func sync() throws(StoreError) {}
  func lock() throws(StoreError) -> Bool { true }
  func unlock() {}
  func isReplaced() throws(StoreError) -> Bool { false }
  func isLockedElsewhere() throws(StoreError) -> Bool { false }
}
