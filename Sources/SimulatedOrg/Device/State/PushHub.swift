// The listeners for notifications.

import Synchronization

/// The listeners, each for one push token or for all.
final class PushHub: Sendable {
  typealias Listener = @Sendable (OrgPush) -> Void

  private let listeners = Mutex<[Int: (token: String?, listener: Listener)]>([:])
  private let count = Atomic(0)

  /// Adds a listener for a push token, or for all; returns the number that removes it.
  func add(_ token: String?, _ listener: @escaping Listener) -> Int {
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    listeners.withLock { $0[number] = (token, listener) }
    return number
  }

  func remove(_ number: Int) { listeners.withLock { _ = $0.removeValue(forKey: number) } }

  /// Delivers notifications to their listeners. Called without any lock held.
  func deliver(_ pushes: [OrgPush]) {
    guard !pushes.isEmpty else { return }
    let all = listeners.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
    for push in pushes {
      for (token, listener) in all where token == nil || token == push.pushToken { listener(push) }
    }
  }
}
