// Waits until the user has acted elsewhere (idx §10).

import EventStore
import FlowRecording

extension Capability {
  /// Waits for the user to act elsewhere, for example by following a link in an email or approving a push.
  public final class Pollable: AuthenticatorCapability, RemediationCapability, Hashable {
    let source: IDXCore.Poll.Source
    let origin: ResponseOrigin

    init(source: IDXCore.Poll.Source, origin: ResponseOrigin) {
      self.source = source
      self.origin = origin
    }

    /// Returns whether both are the same object.
    public static func == (left: Pollable, right: Pollable) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Whether polling is in progress.
    public var isPolling: Bool { origin.session.flow.core.poll?.source == source }

    /// Polls until there is a next step, and returns its response.
    ///
    /// It waits for the org's interval, but at least half a second, before each poll, and continues across network
    /// outages. Polling ends with another request of the flow, `stopPolling`, the end of the task, or the end of the
    /// transaction. After ten minutes, it becomes less frequent.
    ///
    /// - Parameter isolation: the actor on which the call waits and continues; by default the caller's.
    /// - Throws: `InteractionCodeFlowError`, such as `transactionExpired` if the transaction has ended;
    ///   `CancellationError` if polling was stopped.
    public func startPolling(isolation: isolated (any Actor)? = #isolation) async throws -> Response {
      try await IDXSession.response(of: intent, isolation: isolation)
    }

    /// Polls until there is a next step. Delegates receive the outcome.
    ///
    /// In top-level code the compiler picks this overload even after `await`; annotate the result type to get the async
    /// one.
    ///
    /// - Parameter isolation: the actor on which to call delegates; by default the caller's.
    @available(
      *, noasync,
      message: "in top-level code write the type: let response: Response = try await pollable.startPolling()"
    )
    public func startPolling(isolation: isolated (any Actor)? = #isolation) {
      IDXSession.perform(intent, isolation)
    }

    /// Polls until there is a next step.
    ///
    /// - Parameters:
    ///   - completion: receives the response that ends polling, or an error; not called if polling was stopped.
    ///   - isolation: the actor on which to call back; by default the caller's.
    public func startPolling(
      completion: InteractionCodeFlow.ResponseResult?, isolation: isolated (any Actor)? = #isolation
    ) {
      IDXSession.perform(intent, isolation, completion)
    }

    /// Polls until there is a next step.
    ///
    /// - Parameters:
    ///   - completion: receives the response that ends polling, or an error; not called if polling was stopped.
    ///   - isolation: the actor on which to call back; by default the caller's.
    public func startPolling(
      completion: @escaping (_ response: Response?, _ error: (any Error)?) -> Void,
      isolation: isolated (any Actor)? = #isolation
    ) {
      IDXSession.perform(intent, isolation) { $0.split(completion) }
    }

    /// Stops polling. No further request is sent, and a late answer is not delivered.
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
