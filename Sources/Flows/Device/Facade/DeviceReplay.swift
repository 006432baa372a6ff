// How the objects of an authenticator behave differently in a replay (docs/ARCHITECTURE.md §7): there is only one flow,
// and no other threads run.

import EventStore
import FlowRecording
import Foundation

/// The context of one flow that is replayed.
final class DeviceReplay: Sendable {
  private struct State {
    /// Weak, because the application being played holds the flow and determines how long it lives.
    weak var flow: DeviceFlow?
    var pulled: (list: [JSON], enrollment: String)?
    /// The calls whose thread waits for their end, and the closure to run when one begins to wait.
    var waiting: [DispatchSemaphore] = []
    var began: (@Sendable () -> Void)?
  }
  private let state = Locked(State())

  /// The flow that receives all calls.
  var flow: DeviceFlow? {
    get { state.withLock { $0.flow } }
    set { state.withLock { $0.flow = newValue } }
  }

  /// Returns and clears the pending challenges that an enrollment received last. Each of them is a flow of its own,
  /// which is replayed separately.
  func takePulled() -> (list: [JSON], enrollment: String)? {
    state.withLock { state in
      defer { state.pulled = nil }
      return state.pulled
    }
  }

  /// Keeps pending challenges instead of starting their flows.
  func pull(_ list: [JSON], for enrollment: String) { state.withLock { $0.pulled = (list, enrollment) } }

  /// Sets a closure that runs when a call begins to wait for its end.
  func whenWaiting(_ began: (@Sendable () -> Void)?) { state.withLock { $0.began = began } }

  /// Notes that a call was made and its thread is about to wait for its end, which `end` signals.
  func waits(_ end: DispatchSemaphore) {
    let began = state.withLock { state in
      state.waiting.append(end)
      return state.began
    }
    began?()
  }

  /// Releases calls whose end is not in the recording.
  func letGo() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for end in waiting { end.signal() }
  }
}
