// Waiting until the user has acted elsewhere (idx §10).

import EventStore
import FlowRecording

extension Capability {
  /// Waits for the user to act elsewhere: to follow a link in a mail, to approve a push.
  public final class Pollable: AuthenticatorCapability, RemediationCapability, Hashable {
    let source: IDXCore.Poll.Source
    let origin: ResponseOrigin

    init(source: IDXCore.Poll.Source, origin: ResponseOrigin) {
      self.source = source
      self.origin = origin
    }

    /// Whether both are the same object.
    public static func == (left: Pollable, right: Pollable) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Whether this is being polled.
    public var isPolling: Bool { origin.session.flow.core.poll?.source == source }

    /// Polls until there is something else to do, and brings that response.
    ///
    /// It waits one interval of the org's before each poll, half a second at least, and goes on over times without
    /// network. Another request of the flow, `stopPolling`, the end of the task and the end of the transaction end it;
    /// after ten minutes it polls more rarely.
    ///
    /// - Parameter isolation: where the call waits and goes on; the caller's.
    /// - Throws: `InteractionCodeFlowError`, `transactionExpired` if the transaction has ended; `CancellationError` if polling
    ///   was stopped.
    public func startPolling(isolation: isolated (any Actor)? = #isolation) async throws -> Response {
      try await IDXSession.response(of: intent, isolation: isolation)
    }

    /// Polls until there is something else to do. Delegates get the outcome.
    ///
    /// In top-level code the compiler picks this overload even after `await`; annotate the result type to get the async
    /// one.
    ///
    /// - Parameter isolation: where to call delegates back; the caller's.
    @available(
      *, noasync,
      message: "in top-level code write the type: let response: Response = try await pollable.startPolling()"
    )
    public func startPolling(isolation: isolated (any Actor)? = #isolation) {
      IDXSession.perform(intent, isolation)
    }

    /// Polls until there is something else to do.
    ///
    /// - Parameters:
    ///   - completion: gets the response that ends it, or why there is none; stays silent if polling was stopped.
    ///   - isolation: where to call back; the caller's.
    public func startPolling(
      completion: InteractionCodeFlow.ResponseResult?, isolation: isolated (any Actor)? = #isolation
    ) {
      IDXSession.perform(intent, isolation, completion)
    }

    /// Polls until there is something else to do.
    ///
    /// - Parameters:
    ///   - completion: gets the response that ends it, or why there is none; stays silent if polling was stopped.
    ///   - isolation: where to call back; the caller's.
    public func startPolling(
      completion: @escaping (_ response: Response?, _ error: (any Error)?) -> Void,
      isolation: isolated (any Actor)? = #isolation
    ) {
      IDXSession.perform(intent, isolation) { $0.split(completion) }
    }

    /// Stops polling: no request is sent any more, and a late answer is not delivered.
    public func stopPolling() {
      guard isPolling else { return }
      IDXSession.tell(IDXIntent(.stopPolling, on: origin))
    }

    private var intent: IDXIntent {
      switch source {
      case .authenticator(let kind): IDXIntent(.startPolling, [("kind", .string(kind))], on: origin)
      case .remediation(let name): IDXIntent(.startPolling, [("name", .string(name))], on: origin)
      }
    }
  }
}
