// The forms for asynchronous code of calls that have a completion.

import FlowRecording

/// Waits for completions that come once. The end of the task gives up the call that was made: it ends with an error, and
/// what was made for it is undone, unless the org has agreed to it already.
enum Completion {
  /// Takes the call that is made while a form for asynchronous code begins.
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

/// A call that can be given up, before it has begun too.
final class BegunCall: Sendable {
  private let state = Locked<(giveUp: (@Sendable () -> Void)?, isCancelled: Bool)>((nil, false))

  /// The call has begun, and this gives it up.
  func began(_ giveUp: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      state.giveUp = giveUp
      return state.isCancelled
    }
    if isCancelled { giveUp() }
  }

  /// The task that waits for it has ended.
  func giveUp() {
    let giveUp = state.withLock { state in
      state.isCancelled = true
      return state.giveUp
    }
    giveUp?()
  }
}
