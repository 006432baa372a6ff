// A value behind a lock. Not `Synchronization.Mutex`: ThreadSanitizer on Linux reports that as a race.

public import Foundation

/// A value that one thread at a time may touch.
public final class Locked<Value>: @unchecked Sendable {
  // `@unchecked`: every access to `value` goes through `lock`, and only here.
  @usableFromInline let lock = NSLock()
  @usableFromInline var value: Value

  /// Puts a value behind a lock.
  @inlinable
  public init(_ value: Value) { self.value = value }

  /// Runs a short section exclusively. It must not block or take the same lock again.
  @inlinable
  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
