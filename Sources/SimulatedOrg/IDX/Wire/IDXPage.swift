// A response before it is written: the forms of a step and the authenticators they relate to (idx.md §4).

/// What one step shows.
struct IDXPage {
  var forms: [IonForm] = []
  var success: IonForm?
  /// Shown with the step, besides those of the request.
  var messages: [IonMessage] = []
  var current: IonAuthenticator?
  var currentEnrollment: IonAuthenticator?
  /// The one being set up, which is `current` too.
  var isEnrolling = false
  var recovery: IonAuthenticator?
  var authenticators: [IonAuthenticator]?
  var enrollments: [IonAuthenticator]?
  /// A dead end: nothing is left, not even to cancel.
  var isTerminal = false
  var more: [OrgJSON.Member] = []

  /// What may be asked for at this step: exactly what it shows.
  var operations: Set<IDXOperation> {
    let actions = [current, currentEnrollment].compactMap(\.self).flatMap(\.actions)
    return Set((forms + actions).compactMap(\.operation))
  }
}
