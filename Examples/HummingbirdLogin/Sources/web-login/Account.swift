import Foundation
import IDX

/// The user who has signed in, and where the log says how.
struct Account: Sendable {
  /// What an application knows the person by: names and mail addresses change.
  let id: String
  /// What the person is called here.
  let name: String
  /// The flow in the log: `auditctl show` takes it.
  let flowID: String
}

extension Account {
  /// The user of the response that ended the sign-in. Earlier responses do not count: what they say was not proved yet.
  init(_ response: Response, flowID: String) throws {
    guard response.isLoginSuccessful, let user = response.user else { throw NoUser() }
    id = user.id
    let names = [user.profile?.firstName, user.profile?.lastName].compactMap { $0 }
    name = names.isEmpty ? user.username ?? user.id : names.joined(separator: " ")
    self.flowID = flowID
  }

  /// The sign-in succeeded, and the org did not say who it was.
  struct NoUser: LocalizedError {
    var errorDescription: String? { "The org's answer names no user." }
  }
}
