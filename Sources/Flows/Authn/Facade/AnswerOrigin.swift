// Connects a transaction object to its flow, so that status objects can be made from it.

/// The origin of a transaction object.
struct AnswerOrigin: TransactionSource {
  /// The state that contains it.
  let object: AuthnObject
  /// Continues polling, if a decision about the answer is pending.
  var poll: (@Sendable () -> Void)?

  var safeStatus: String? { object.state.current?.status }
}

extension OktaAPISuccessResponse {
  var origin: AnswerOrigin? { source as? AnswerOrigin }

  /// An object for continuing from here, whatever the status: for following its links, going back or cancelling. Nil
  /// for a transaction object that the application made.
  public var basicStatus: OktaAuthStatus? { origin.flatMap { OktaAuthStatus.make($0.object) } }
}
