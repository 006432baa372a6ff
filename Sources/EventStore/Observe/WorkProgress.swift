/// Receives how much of some long work is done, in bytes; called on the thread that works, about once a MiB.
public typealias WorkProgress = @Sendable (_ done: UInt64, _ total: UInt64) -> Void

/// Work of two passes over the same bytes, reported as one.
struct TwoPasses {
  /// For the first pass.
  let first: WorkProgress?
  /// For the second.
  let second: WorkProgress?

  /// Reports both to `progress`.
  init(_ progress: WorkProgress?) {
    guard let progress else {
      (first, second) = (nil, nil)
      return
    }
    first = { done, total in progress(done, total &+ total) }
    second = { done, total in progress(total &+ done, total &+ total) }
  }
}
