import IDX

/// What a visitor is shown of an error. The whole of it stands in the server's log and in the log of flows.
///
/// A wrong password is no error: the org answers with a message and asks again.
struct Failure {
  let text: String
  /// Whether the form that failed can be sent again.
  let canTryAgain: Bool

  init(_ error: any Error) {
    switch error as? InteractionCodeFlowError {
    case .missingRequiredParameter, .missingRemediationOption:
      // Found before anything was sent. Browsers check this too, unless something keeps them from it.
      (text, canTryAgain) = ("Please fill in every field.", true)
    case .internalError(let failure) where failure.isNetwork:
      (text, canTryAgain) = ("The sign-in service cannot be reached. Please try again in a moment.", true)
    case .serverError(let message, _, _):
      // The org's own words for the person: the sign-in took too long, for instance.
      (text, canTryAgain) = (message, false)
    case .apiError(let error) where error.httpStatus == 429 || error.httpStatus >= 500:
      (text, canTryAgain) = ("The sign-in service is busy. Please try again in a moment.", true)
    default:
      // This includes a log that cannot be written: there is no sign-in without a record.
      (text, canTryAgain) = ("Signing in is not possible at the moment.", false)
    }
  }
}
