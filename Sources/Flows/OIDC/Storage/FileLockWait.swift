// Waits for the lock of a file that another holder has, on a thread that may wait.

import Dispatch
import FlowRecording

/// One wait.
final class FileLockWait: Sendable {
  private static let threads = DispatchQueue(label: "flowrecorder.token-lock", attributes: .concurrent)
  private let file: Descriptor
  private let path: String
  private let state = Locked<State>(.begun)

  private enum State {
    case begun
    case waiting(CheckedContinuation<Result<Bool, TokenStoreError>, Never>)
    case over
  }

  init(file: Descriptor, path: String) {
    self.file = file
    self.path = path
  }

  /// Waits.
  ///
  /// - Returns: false if the task ended before.
  func run() async throws(TokenStoreError) -> Bool {
    if try lock(waiting: false) { return true }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if case .over = state { return true }
          state = .waiting(continuation)
          return false
        }
        guard !isOver else { return continuation.resume(returning: .success(false)) }
        Self.threads.async { [self] in
          let outcome: Result<Bool, TokenStoreError>
          do throws(TokenStoreError) { outcome = .success(try lock(waiting: true)) } catch { outcome = .failure(error) }
          // A caller that gave up does not get the lock.
          if !end(outcome) { file.unlock() }
        }
      }
    } onCancel: {
      _ = end(.success(false))
    }
    return try result.get()
  }

  private func lock(waiting: Bool) throws(TokenStoreError) -> Bool {
    do throws(SecretFileError) { return try file.lock(waiting: waiting, shown: path) } catch {
      throw TokenStoreError(error)
    }
  }

  /// Ends the wait, if it has not ended.
  private func end(_ result: Result<Bool, TokenStoreError>) -> Bool {
    let last = state.withLock { state in
      defer { state = .over }
      return state
    }
    guard case .waiting(let continuation) = last else { return false }
    continuation.resume(returning: result)
    return true
  }
}
