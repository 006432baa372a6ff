// Waits for a file lock: callers in this process take turns, and one of them waits for other processes on a thread.

import FlowRecording
import Foundation
import Glibc

/// One wait for a lock.
///
/// If several callers in this process want the same file, only one at a time waits for other processes. It does so on
/// its own thread rather than in a pool, because the holder of the lock may need that pool to release it. The others
/// wait for their turn without a thread.
final class FileLockWait: Sendable {
  /// The identity of a file, independent of the path used to open it.
  private struct File: Hashable {
    var device: UInt64
    var number: UInt64
  }
  private enum State {
    case begun
    case waiting(CheckedContinuation<Result<Void, TokenStoreError>, Never>)
    case over
  }
  private static let queues = LockQueues<File>()
  private let file: Descriptor
  private let path: String
  private let id: File
  private let state = Locked<State>(.begun)

  init(file: Descriptor, path: String) throws(TokenStoreError) {
    self.file = file
    self.path = path
    do throws(SecretFileError) {
      let status = try file.check(S_IFREG, shown: path)
      id = File(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    } catch {
      throw TokenStoreError(error)
    }
  }

  /// Waits for the lock.
  ///
  /// - Throws: `cancelled` if the task is cancelled first.
  func run() async throws(TokenStoreError) -> TokenStoreLock {
    try await Self.queues.turn(id)
    let isLocked: Bool
    do throws(TokenStoreError) { isLocked = try lock(waiting: false) } catch {
      FileLockWait.queues.next(id)
      throw error
    }
    if !isLocked { try await waitOnThread().get() }
    return TokenStoreLock { [file, id] in
      file.unlock()
      FileLockWait.queues.next(id)
    }
  }

  /// Waits on a thread. If this does not obtain the lock, the next caller gets its turn.
  private func waitOnThread() async -> Result<Void, TokenStoreError> {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if case .over = state { return true }
          state = .waiting(continuation)
          return false
        }
        guard !isOver else {
          FileLockWait.queues.next(id)
          return continuation.resume(returning: .failure(.cancelled))
        }
        Thread.detachNewThread { [self] in
          let outcome: Result<Void, TokenStoreError>
          do throws(TokenStoreError) {
            _ = try lock(waiting: true)
            outcome = .success(())
          } catch {
            outcome = .failure(error)
          }
          let isTaken = end(outcome)
          if case .success = outcome, isTaken { return }
          // A cancelled caller does not get the lock. It kept its turn until now, so that only one thread waits for
          // each file.
          file.unlock()
          FileLockWait.queues.next(id)
        }
      }
    } onCancel: {
      _ = end(.failure(.cancelled))
    }
  }

  private func lock(waiting: Bool) throws(TokenStoreError) -> Bool {
    do throws(SecretFileError) { return try file.lock(waiting: waiting, shown: path) } catch {
      throw TokenStoreError(error)
    }
  }

  /// Ends the wait if it has not ended yet.
  private func end(_ result: Result<Void, TokenStoreError>) -> Bool {
    let last = state.withLock { state in
      defer { state = .over }
      return state
    }
    guard case .waiting(let continuation) = last else { return false }
    continuation.resume(returning: result)
    return true
  }
}
