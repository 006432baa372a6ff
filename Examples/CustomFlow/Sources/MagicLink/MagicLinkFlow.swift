// What an application holds.

public import FlowRecording
import EventStore

/// Signs a person in by a link in a mail.
public final class MagicLinkFlow: Sendable {
  private let session: FlowSession<MagicLinkCore>

  /// Why a sign-in failed: `expired`, `serverError`, `noAnswer`, `cancelled`, `notRecorded`.
  public struct Failure: Error, Sendable, Hashable {
    /// Which of these it is.
    public var reason: String

    /// Makes a failure.
    public init(reason: String) { self.reason = reason }
  }

  /// Makes a flow, which is recorded from here on.
  ///
  /// - Parameters:
  ///   - server: the server's URL, without a slash at its end.
  ///   - environment: the seams; the current one if none is given.
  public init(server: String, environment: FlowEnvironment = .current) {
    session = FlowSession(settings: ["server": .string(server)], environment: environment)
  }

  /// The stream of this flow in the log.
  public var flowID: String { session.flow.stream }

  /// Asks the server to mail a link, and waits until the person has opened it. The end of the task gives it up.
  ///
  /// - Returns: the session's token.
  /// - Throws: `Failure`.
  public func signIn(email: String) async throws(Failure) -> String {
    let (result, core) = await session.outcome(of: "signIn", arguments: ["email": .string(email)])
    switch result {
    case .success(.done), .success(.status):
      guard case .signedIn(let token) = core.phase else { throw Failure(reason: "unreadable") }
      return session.flow.vault.reveal(token)
    case .success(.cancelled): throw Failure(reason: "cancelled")
    case .success(.failed(let code, _)): throw Failure(reason: code)
    case .failure: throw Failure(reason: "notRecorded")
    }
  }
}
