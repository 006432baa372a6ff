// The calls of a device flow, and the steps that it waits for.

/// The calls of a device flow.
package enum DeviceCall: String, Sendable, CaseIterable {
  // Enrollments (spec/device.md §13).
  case downloadPolicy
  case enroll
  case updateDeviceToken
  case setUserVerification
  case enableCIBATransactions
  case delete
  case deleteFromDevice
  case retrieveMaintenanceToken
  case retrievePushChallenges
  // Challenges (§7-§12).
  case receive
  case respond
  case resolve
  case provideConsent
  case provideVerification
  case retrySubmission

  /// Whether the call is about a challenge.
  var isOfChallenge: Bool {
    switch self {
    case .receive, .respond, .resolve, .provideConsent, .provideVerification, .retrySubmission: true
    case .downloadPolicy, .enroll, .updateDeviceToken, .setUserVerification, .enableCIBATransactions, .delete,
      .deleteFromDevice, .retrieveMaintenanceToken, .retrievePushChallenges:
      false
    }
  }
}

/// A step that a flow waits for: a request, or a draw that is answered later.
package enum DeviceStep: String, Sendable, CaseIterable {
  // Requests of enrollments.
  case organization
  case policy
  case enroll
  case enrollRetry
  case update
  case deletion
  case token
  case pending
  // Draws of enrollments.
  case storePolicy
  case verifyPerson
  case keys
  case attest
  case instanceKey
  case instanceKeyRetry
  case assertion
  case store
  case storeDeletion
  case storeCode
  case dropKeys
  case rollback
  // Requests of challenges.
  case discovery
  case orgKeys
  case submission
  // Draws of challenges.
  case verifyToken
  case claim
  case collect
  case sign
  case saveAnswer
  case close
}
