import ArgumentParser
import Authn
import EventStore
import FlowRecording
import IDX

/// What to say about a sign-in that an org refused or that did not come to its end.
enum SignInRefusal {
  /// The error with the org that it is about and, if the org refused, what to do next.
  ///
  /// - Parameters:
  ///   - error: how the sign-in ended.
  ///   - org: its URL, or the issuer's, as it was typed.
  ///   - command: the command that signs in.
  /// - Returns: the failure, with the exit code of the error; the error itself if it is about a log or the output.
  static func failure(_ error: any Error, at org: String, of command: any ParsableCommand.Type) -> any Error {
    guard !(error is StoreError), !(error is AuditError), !(error is OutputClosed) else { return error }
    let report = ErrorReport(error, of: command)
    guard let status = ExitStatus(rawValue: report.exitCode), status != .interrupted, let message = report.message
    else { return error }
    return CommandFailure(status, "sign-in at \(place(org)): " + sentence(of: error, message.unstopped))
  }

  /// The URL without a person's name, a query and a fragment.
  private static func place(_ org: String) -> String {
    guard let parts = URLParts(org) else { return "the org" }
    let authority = parts.authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    return "\(parts.scheme)://\(authority)\(parts.path == "/" ? "" : parts.path)"
  }

  private static func sentence(of error: any Error, _ message: String) -> String {
    switch error {
    case Authn.OktaError.serverRespondedWithError(let response):
      "\(answered(words(of: response).unstopped)); \(advice(response))"
    case Authn.OktaError.connectionError(_): "\(message); \(network)"
    case let error as InteractionCodeFlowError: refusal(by: error, message)
    case let failure as CommandFailure where failure.status == .finding && !message.contains(";"):
      "\(message); begin again, or see what was recorded: auditctl show last --store DIR"
    case _: message
    }
  }

  private static func refusal(by error: InteractionCodeFlowError, _ message: String) -> String {
    switch error {
    case .apiError, .serverError:
      "\(answered(message)); check the login, the password and the org's sign-in policy, then begin again"
    case .oauthError: "\(answered(message)); check --client-id, --redirect-uri and --scopes"
    case .internalError: "\(message); \(network)"
    default: message
    }
  }

  /// The org's own words, masked, without the sentence that the SDK puts in front of them.
  private static func words(of response: OktaAPIErrorResponse) -> String {
    let (text, prefix) = (response.description, "Server responded with error: ")
    return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
  }

  private static let network = "check --org and the network, then begin again"

  private static func answered(_ text: String) -> String { "the org answered \"\(text)\"" }

  private static func advice(_ response: OktaAPIErrorResponse) -> String {
    if let sentence = Authn.OktaError.serverRespondedWithError(response).recoverySuggestion {
      return sentence.prefix(1).lowercased() + sentence.dropFirst()
    }
    return switch response.httpStatus {
    case 401, 403: "check the login and the password, and that the account is not locked"
    case 429: "wait a minute, then begin again"
    case 500...: "the org has trouble: try again later"
    case _: "check --org and how the application is set up there"
    }
  }
}
