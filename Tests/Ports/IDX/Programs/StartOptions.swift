// Options of a start: a state of the application's own, a recovery token from a mail, a device that is not recognized.

import Foundation
import IDX

struct StartOptions {
  let flow: InteractionCodeFlow

  func withState(_ state: String) async throws -> String? {
    let options: [InteractionCodeFlow.Option: Any] = [.state: state, .omitDeviceToken: true]
    _ = try await flow.start(options: options)
    return flow.options?[.state] as? String ?? flow.context?.state
  }

  func withRecoveryToken(_ token: String) async throws -> Response {
    try await flow.start(options: [.recoveryToken: token])
  }

  func forget() -> (isAuthenticating: Bool, context: InteractionCodeFlow.Context?) {
    flow.cancel()
    flow.reset()
    return (flow.isAuthenticating, flow.context)
  }
}
