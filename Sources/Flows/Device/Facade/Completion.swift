// Async forms of calls that take a completion.

import FlowRecording

/// Waits for a completion that is called once. Cancelling the task cancels the call: it ends with an error and its
/// effects are undone, unless the org has already accepted the change.
enum Completion {
  /// Receives the call that is made while an async form begins.
  @TaskLocal static var begun: BegunCall?

  static func wait(
    _ body: (@escaping (DeviceAuthenticatorError?) -> Void) -> Void
  ) async throws(DeviceAuthenticatorError) {
    let error = await outcome(body)
    if let error { throw error }
  }

  static func value<Value: Sendable>(
    _ body: (@escaping (Result<Value, DeviceAuthenticatorError>) -> Void) -> Void
  ) async throws(DeviceAuthenticatorError) -> Value {
    try await outcome(body).get()
  }

  private static func outcome<Outcome: Sendable>(_ body: (@escaping (Outcome) -> Void) -> Void) async -> Outcome {
    let call = BegunCall()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        $begun.withValue(call) { body { continuation.resume(returning: $0) } }
      }
    } onCancel: {
      call.giveUp()
    }
  }
}

/// A call that can be cancelled, even before it has begun.
final class BegunCall: Sendable {
  private let state = Locked<(giveUp: (@Sendable () -> Void)?, isCancelled: Bool)>((nil, false))

  /// Reports that the call has begun, and how to cancel it.
  func began(_ giveUp: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      state.giveUp = giveUp
      return state.isCancelled
    }
    if isCancelled { giveUp() }
  }

  /// Cancels the call because the task that waits for it was cancelled.
  func giveUp() {
    let giveUp = state.withLock { state in
      state.isCancelled = true
      return state.giveUp
    }
    giveUp?()
  }
}
