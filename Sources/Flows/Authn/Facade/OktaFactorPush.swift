// A push to an authenticator app (seed «OktaFactorPush»).

import EventStore

/// A push that the user approves or rejects on a device.
public final class OktaFactorPush: OktaFactor, @unchecked Sendable {
  /// The number that the user must choose on the device; shown by polls while the user looks at the numbers.
  public var correctAnswer: Int? {
    let answer = json["_embedded"]?["challenge"]?["correctAnswer"]
    return answer?.int ?? answer?.string.flatMap { Int($0) }
  }

  /// Sends a push.
  ///
  /// - Parameters:
  ///   - onStatusChange: gets the challenge.
  ///   - onError: gets why it failed.
  ///   - isolation: where to call back; the caller's.
  public func select(
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    isolation: isolated (any Actor)? = #isolation
  ) {
    select([], AuthnSession.Callbacks(onStatusChange: onStatusChange, onError: onError), isolation)
  }

  /// Sends a push.
  ///
  /// - Throws: `OktaError`.
  public func select(isolation: isolated (any Actor)? = #isolation) async throws(OktaError) -> OktaAuthStatus {
    try await object.session.status(
      of: "selectFactor", [("factor", .int(index))], on: status, isolation: isolation)
  }

  /// Polls until the push is answered.
  ///
  /// - Parameters:
  ///   - onStatusChange: gets the status that follows; for a rejected or timed-out push, the challenge with that result.
  ///   - onError: gets why it failed.
  ///   - onFactorStatusUpdate: gets each result that the org tells, `waiting` among them.
  ///   - isolation: where to call back; the caller's.
  public func verify(
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) {
    let callbacks = AuthnSession.Callbacks(
      onStatusChange: onStatusChange, onError: onError, onFactorStatusUpdate: onFactorStatusUpdate)
    verify([], callbacks, isolation)
  }

  /// Polls until the push is answered. Cancelling the task stops polling.
  ///
  /// - Throws: `OktaError`; `cancelled` where the task was cancelled or another operation took over.
  public func verify(
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(OktaError) -> OktaAuthStatus {
    try await object.session.status(
      of: "verifyFactor", [], on: status, AuthnSession.Callbacks(onFactorStatusUpdate: onFactorStatusUpdate),
      isolation: isolation)
  }
}
