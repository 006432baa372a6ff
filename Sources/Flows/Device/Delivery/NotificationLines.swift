// Reads notifications as JSON Lines from standard input, a FIFO, or a socket (spec/device.md §19.1).

import Dispatch
public import EventStore
import FlowRecording
import Glibc

/// Reads notifications from a file descriptor, one JSON object per line.
///
/// ```swift
/// let lines = NotificationLines(descriptor: STDIN_FILENO)
/// try await lines.run { userInfo in
///   if let challenge = try? authenticator.parsePushNotification(userInfo) { … }
/// } onProblem: { problem in … }
/// ```
///
/// A FIFO ends when its last writer closes it. To keep it open, open it for both reading and writing.
public struct NotificationLines: Sendable {
  private let descriptor: Int32
  private let longestLine: Int

  /// Creates a reader. The caller keeps ownership of the descriptor, which is never closed here.
  ///
  /// - Parameters:
  ///   - descriptor: the file descriptor to read from.
  ///   - longestLine: the maximum length of a line, in bytes, without its line break; longer lines are skipped.
  public init(descriptor: Int32, longestLine: Int = 65_536) {
    self.descriptor = descriptor
    self.longestLine = max(1, longestLine)
  }

  /// Reads until the end of the input, or until the task is cancelled. Notifications are delivered one at a time: the
  /// next line is read after the closure has returned.
  ///
  /// - Parameters:
  ///   - deliver: receives a notification.
  ///   - onProblem: receives the problem with an invalid line, which is skipped.
  /// - Throws: `FeedProblem.unreadable` if reading fails.
  public func run(
    _ deliver: @Sendable ([String: JSON]) async -> Void, onProblem: @Sendable (FeedProblem) -> Void = { _ in }
  ) async throws(FeedProblem) {
    guard let wakeup = Wakeup() else { throw .unreadable(reason: "this process has no descriptor left") }
    let queue = DispatchQueue(label: "flowrecorder.notifications")
    var splitter = LineSplitter(longest: longestLine)
    while true {
      let piece = try await next(wakeup, on: queue).get()
      let isEnd = piece?.isEmpty ?? true
      var lines = piece.map { splitter.take($0) } ?? []
      if isEnd, piece != nil, let last = splitter.end() { lines.append(last) }
      for line in lines {
        guard !Task.isCancelled else { return }
        switch line {
        case .tooLong(let number): onProblem(.tooLong(line: number))
        case .whole(let number, let bytes):
          do throws(FeedProblem) { await deliver(try NotificationPayload.read(bytes, line: number)) } catch {
            onProblem(error)
          }
        }
      }
      if isEnd { return }
    }
  }

  /// Returns the next bytes, an empty array at the end, or `nil` if the task was cancelled.
  private func next(_ wakeup: Wakeup, on queue: DispatchQueue) async -> Result<[UInt8]?, FeedProblem> {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: read(wakeup)) }
      }
    } onCancel: {
      wakeup.wake(.cancelled)
    }
  }

  private func read(_ wakeup: Wakeup) -> Result<[UInt8]?, FeedProblem> {
    while wakeup.waits(for: descriptor) {
      do throws(SecretFileError) {
        return .success(try readDescriptor(descriptor, shown: "descriptor \(descriptor)"))
      } catch .system(_, _, EAGAIN) {
        continue
      } catch {
        return .failure(.unreadable(reason: error.reason))
      }
    }
    return .success(nil)
  }
}
