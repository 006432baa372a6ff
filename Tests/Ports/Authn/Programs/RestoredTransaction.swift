// A transaction that outlives the screen: the state token is kept, and the status fetched by it later.

import Authn
import Foundation

final class RestoredTransaction {
  private var keptToken: String?
  private let url: URL

  init(url: URL) { self.url = url }

  func begin(username: String, password: String, then: @escaping (String) -> Void) {
    OktaAuthSdk.authenticate(
      with: url, username: username, password: password,
      onStatusChange: { status in
        guard let required = status as? OktaAuthStatusFactorRequired else { return then("no factor required") }
        let token: String = required.stateToken
        self.keptToken = token
        then("kept")
      },
      onError: { then($0.description) })
  }

  func restore(then: @escaping (String) -> Void) {
    guard let token = keptToken else { return then("nothing kept") }
    OktaAuthSdk.fetchStatus(
      with: token, using: url,
      onStatusChange: { status in
        let login = status.model.embedded?.user?.profile?.login ?? "?"
        then("\(login) at \(status.statusType.rawValue)")
      },
      onError: { then($0.description) })
  }
}
