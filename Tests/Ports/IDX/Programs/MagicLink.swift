// «Email verification polling» of the seed document: the link is opened elsewhere; or the person types, and polling stops.

import Foundation
import IDX

final class MagicLink {
  private var pollable: Capability.Pollable?
  private(set) var stopped = false

  /// Waits until the link was opened.
  func wait(_ response: Response, opened: () -> Void) async throws -> Response? {
    guard let remediation = response.remediations[.challengeAuthenticator],
      let authenticator = remediation.authenticators[.email],
      let pollable = authenticator.pollable
    else { return nil }
    opened()
    return try await pollable.startPolling()
  }

  /// Polls until `giveUp`.
  func begin(_ response: Response, completion: @escaping (Response) -> Void) {
    pollable = response.authenticators.current?.pollable
    pollable?.startPolling { result in
      if case .success(let response) = result { completion(response) }
    }
  }

  func giveUp() {
    pollable?.stopPolling()
    stopped = pollable?.isPolling == false
  }
}
