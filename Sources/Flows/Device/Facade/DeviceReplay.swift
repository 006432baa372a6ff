// What the objects of an authenticator do otherwise in a replay (docs/ARCHITECTURE.md §7): there is one flow, and no other thread
// that goes on by itself.

import EventStore
import FlowRecording
import Foundation

/// The surroundings of one flow that runs again.
final class DeviceReplay: Sendable {
  private struct State {
    /// Held by the application that plays it: what the flow is kept for ends with that.
    weak var flow: DeviceFlow?
    var pulled: (list: [JSON], enrollment: String)?
    /// Calls whose thread waits for their end, and who wants to know that one waits.
    var waiting: [DispatchSemaphore] = []
    var began: (@Sendable () -> Void)?
  }
  private let state = Locked(State())

  /// The flow that all calls go into.
  var flow: DeviceFlow? {
    get { state.withLock { $0.flow } }
    set { state.withLock { $0.flow = newValue } }
  }

  /// The pending challenges that an enrollment was given last. Each of them is a flow of its own, which a replay runs by itself.
  func takePulled() -> (list: [JSON], enrollment: String)? {
    state.withLock { state in
      defer { state.pulled = nil }
      return state.pulled
    }
  }

  /// Takes pending challenges in the place of their flows.
  func pull(_ list: [JSON], for enrollment: String) { state.withLock { $0.pulled = (list, enrollment) } }

  /// Calls back once a call waits for its end.
  func whenWaiting(_ began: (@Sendable () -> Void)?) { state.withLock { $0.began = began } }

  /// A call was made, and its thread waits for its end.
  func waits(_ end: DispatchSemaphore) {
    let began = state.withLock { state in
      state.waiting.append(end)
      return state.began
    }
    began?()
  }

  /// Lets calls go whose end the recording does not have.
  func letGo() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for end in waiting { end.signal() }
  }
}
