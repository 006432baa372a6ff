// What an application holds.

public import FlowRecording
import EventStore

/// Signs a person in by a link in a mail.
public final class MagicLinkFlow: Sendable {
  private let flow: Flow<MagicLinkCore>

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
    flow = Flow(environment: environment, settings: ["server": .string(server)])
  }

  /// The stream of this flow in the log.
  public var flowID: String { flow.stream }

  /// Asks the server to mail a link, and waits until the person has opened it. The end of the task gives it up.
  ///
  /// - Returns: the session's token.
  /// - Throws: `Failure`.
  public func signIn(email: String) async throws(Failure) -> String {
    let token = Locked<CallToken?>(nil)
    let result: Result<String, Failure> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let sink = CallSink<MagicLinkCore> { [flow] outcome, core in
          continuation.resume(returning: Self.result(outcome, core, flow.vault))
        }
        let call = flow.call("signIn", arguments: ["email": .string(email)], on: nil, sink: sink)
        token.withLock { $0 = call }
        if Task.isCancelled { flow.giveUp(call) }
      }
    } onCancel: {
      if let call = token.withLock({ $0 }) { flow.giveUp(call) }
    }
    return try result.get()
  }

  private static func result(
    _ outcome: Result<CallReturned.Outcome, AuditError>, _ core: MagicLinkCore, _ vault: Vault
  ) -> Result<String, Failure> {
    switch outcome {
    case .success(.done), .success(.status):
      guard case .signedIn(let session) = core.phase else { return .failure(Failure(reason: "unreadable")) }
      return .success(vault.reveal(session))
    case .success(.cancelled): return .failure(Failure(reason: "cancelled"))
    case .success(.failed(let code, _)): return .failure(Failure(reason: code))
    case .failure: return .failure(Failure(reason: "notRecorded"))
    }
  }
}
