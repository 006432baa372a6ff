// Callers in this process that wait for a lock, with one queue per key.

import FlowRecording

/// Turns by key, first come, first served.
final class LockQueues<Key: Hashable & Sendable>: Sendable {
  private struct Waiter {
    var number: Int
    var continuation: CheckedContinuation<Bool, Never>
  }
  private struct Contents {
    var waiting: [Key: [Waiter]] = [:]
    var cancelled: Set<Int> = []
    var count = 0
  }
  private let contents = Locked(Contents())

  init() {}

  /// Waits for a turn for the key. The caller must call `next` afterward.
  func turn(_ key: Key) async throws(TokenStoreError) {
    let number = contents.withLock { contents in
      contents.count += 1
      return contents.count
    }
    let hasTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = contents.withLock { contents in
          if contents.cancelled.remove(number) != nil { return false }
          guard contents.waiting[key] != nil else {
            contents.waiting[key] = []
            return true
          }
          contents.waiting[key]?.append(Waiter(number: number, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      cancel(number, key)
    }
    // Removes the mark of a cancellation that arrived after the turn was given.
    contents.withLock { _ = $0.cancelled.remove(number) }
    if !hasTurn { throw .cancelled }
  }

  /// Gives the turn to the caller that has waited longest.
  func next(_ key: Key) {
    let waiter = contents.withLock { contents -> Waiter? in
      guard var waiting = contents.waiting[key] else { return nil }
      guard !waiting.isEmpty else {
        contents.waiting[key] = nil
        return nil
      }
      let first = waiting.removeFirst()
      contents.waiting[key] = waiting
      return first
    }
    waiter?.continuation.resume(returning: true)
  }

  private func cancel(_ number: Int, _ key: Key) {
    let waiter = contents.withLock { contents -> Waiter? in
      guard let index = contents.waiting[key]?.firstIndex(where: { $0.number == number }) else {
        contents.cancelled.insert(number)
        return nil
      }
      return contents.waiting[key]?.remove(at: index)
    }
    waiter?.continuation.resume(returning: false)
  }
}
