// The calls of a classic sign-in. A call is recorded by its name; the compiler checks that each has a request.

/// What an application may request of a classic sign-in.
package enum AuthnCall: String, Sendable, CaseIterable {
  case authenticate, fetchStatus, unlockAccount, recoverPassword, recoverWithToken, unlock
  case cancel, returnToPreviousStatus, skipEnrollment, skipPasswordChange
  case changePassword, resetPassword, recoverWithAnswer
  case enrollFactor, activateFactor, selectFactor, verifyFactor, checkFactorResult, resendFactor
  case sendActivationLink, completeFactor, downloadSecurityQuestions
  case sendRequest, stopPolling

  /// Whether the caller receives factor results.
  var reportsFactor: Bool { [.verifyFactor, .activateFactor, .sendRequest].contains(self) }
  /// Whether it may poll: if a factor is pending, it waits for its answers.
  var polls: Bool {
    [.verifyFactor, .activateFactor, .selectFactor, .resendFactor, .sendRequest].contains(self)
  }
  /// Whether it is itself a poll, if a factor is already pending and only the token is sent.
  var mayBePoll: Bool { [.verifyFactor, .activateFactor].contains(self) }
  /// Whether it continues while a factor is pending.
  var waits: Bool { self != .checkFactorResult }
  /// Whether it leaves the transaction unchanged, so that polling continues in parallel.
  var isBesidePolling: Bool {
    [.sendActivationLink, .downloadSecurityQuestions, .completeFactor].contains(self)
  }
  /// Whether it does not change the transaction, so that it neither disturbs other calls nor waits for them (§14.3).
  var onlyReads: Bool { self == .downloadSecurityQuestions }
  /// Whether it returns no status, so that the transaction in a successful answer is irrelevant.
  var isStatusless: Bool { isBesidePolling || self == .cancel }
  /// Whether it accepts an answer without a body.
  var needsNoBody: Bool { [.cancel, .sendActivationLink, .completeFactor].contains(self) }
  /// Whether it accepts any successful answer (§13.3).
  var takesAnyBody: Bool { [.sendActivationLink, .completeFactor].contains(self) }
}
