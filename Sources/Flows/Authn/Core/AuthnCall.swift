// The calls of a classic sign-in. A call stands in the log by its name; the compiler checks that each has a request.

/// What an application may ask of a classic sign-in.
package enum AuthnCall: String, Sendable, CaseIterable {
  case authenticate, fetchStatus, unlockAccount, recoverPassword, recoverWithToken, unlock
  case cancel, returnToPreviousStatus, skipEnrollment, skipPasswordChange
  case changePassword, resetPassword, recoverWithAnswer
  case enrollFactor, activateFactor, selectFactor, verifyFactor, checkFactorResult, resendFactor
  case sendActivationLink, completeFactor, downloadSecurityQuestions
  case sendRequest, stopPolling

  /// Whether the caller receives factor results.
  var reportsFactor: Bool { [.verifyFactor, .activateFactor, .sendRequest].contains(self) }
  /// Whether it may poll: its answers are waited for while a factor waits.
  var polls: Bool {
    [.verifyFactor, .activateFactor, .selectFactor, .resendFactor, .sendRequest].contains(self)
  }
  /// Whether it is a poll itself, if a factor waits already and nothing is sent but the token.
  var mayBePoll: Bool { [.verifyFactor, .activateFactor].contains(self) }
  /// Whether it goes on while a factor waits.
  var waits: Bool { self != .checkFactorResult }
  /// Whether it leaves the transaction where it is, so that polling goes on beside it.
  var isBesidePolling: Bool {
    [.sendActivationLink, .downloadSecurityQuestions, .completeFactor].contains(self)
  }
  /// Whether it changes nothing of the transaction, so that it disturbs no other call and waits for none (§14.3).
  var onlyReads: Bool { self == .downloadSecurityQuestions }
  /// Whether it brings no status: what a success says of the transaction does not matter.
  var isStatusless: Bool { isBesidePolling || self == .cancel }
  /// Whether an answer without a body is one.
  var needsNoBody: Bool { [.cancel, .sendActivationLink, .completeFactor].contains(self) }
  /// Whether any success is one (§13.3).
  var takesAnyBody: Bool { [.sendActivationLink, .completeFactor].contains(self) }
}
