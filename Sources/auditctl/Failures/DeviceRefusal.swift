import DeviceAuthenticator
import FlowRecording

/// What to say about an error of the authenticator.
enum DeviceRefusal {
  /// The error without its full stop and, if the org refused, what to do next.
  static func text(_ error: DeviceAuthenticatorError) -> String {
    guard case .serverAPIError(let result, let model) = error else { return error.description }
    return "\(error.description.unstopped); \(advice(result.statusCode, model?.errorCode))"
  }

  /// An error of the network with the org that it is about and what to do next; any other error as it is.
  static func failure(_ error: any Error, at org: String) -> any Error {
    guard case DeviceAuthenticatorError.networkError(let reason) = error else { return error }
    let text = (reason as? TransportError)?.detail ?? "\(reason)"
    return CommandFailure(
      .inputOutput, "device at \(org): \(text.unstopped); check --org and the network, then run the command again")
  }

  private static func advice(_ status: Int, _ code: ServerErrorCode?) -> String {
    switch status {
    case 401:
      "give an access token that is the person's, has not expired, and has the scope "
        + "okta.myAccount.appAuthenticator.manage"
    case _ where code?.isResourceSuspended == true: "ask the org's administrator to lift the suspension"
    case 400:
      "check --org and the client id; if the org has removed or replaced this enrollment, remove it here with: "
        + "auditctl device delete --local"
    case 403: "check the scopes of the access token and the org's policy for authenticators"
    case 404, 410: "check --org; if the enrollment is gone there, remove it here with: auditctl device delete --local"
    case 429: "wait a minute, then run the command again"
    case 500...: "the org has trouble: run the command again later"
    case _: "check --org, the client id and the org's policy for authenticators"
    }
  }
}
