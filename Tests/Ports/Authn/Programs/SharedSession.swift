// One object for the whole application, reached from everywhere, with notifications for whoever listens.

import Authn
import Foundation

final class SharedSession: @unchecked Sendable {
  static let shared = SharedSession()
  static let changed = Notification.Name("SharedSession.changed")

  private let lock = NSLock()
  private var status: OktaAuthStatus?

  var sessionToken: String? {
    lock.lock()
    defer { lock.unlock() }
    return (status as? OktaAuthStatusSuccess)?.sessionToken
  }

  func signIn(_ url: URL, _ username: String, _ password: String) {
    OktaAuthSdk.authenticate(
      with: url, username: username, password: password,
      onStatusChange: { status in
        self.lock.lock()
        self.status = status
        self.lock.unlock()
        NotificationCenter.default.post(name: SharedSession.changed, object: self)
      },
      onError: { _ in NotificationCenter.default.post(name: SharedSession.changed, object: self) })
  }
}
