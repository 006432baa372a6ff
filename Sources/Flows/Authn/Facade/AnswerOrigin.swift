// What ties a transaction object to its flow, so that status objects can be made of it.

/// Where a transaction object comes from.
struct AnswerOrigin: TransactionSource {
  /// The state that has it.
  let object: AuthnObject
  /// Goes on polling, if the answer is one to decide about.
  var poll: (@Sendable () -> Void)?

  var safeStatus: String? { object.state.current?.status }
}

extension OktaAPISuccessResponse {
  var origin: AnswerOrigin? { source as? AnswerOrigin }

  /// An object to go on with from here, whatever the status: to follow its links, to go back or to cancel. Nil for a
  /// transaction object that the application made.
  public var basicStatus: OktaAuthStatus? { origin.flatMap { OktaAuthStatus.make($0.object) } }
}
