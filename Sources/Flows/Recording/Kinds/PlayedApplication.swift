// An application that a recording plays: it makes the recorded calls on the public objects of a kind, as an application
// does that holds them, and knows what they brought. A whole replay runs facades and models with it.

/// An application of one flow, in a replay.
package protocol PlayedApplication<Core>: AnyObject {
  /// The state of the flow's kind.
  associatedtype Core: FlowCore
  /// The flow that the application's objects share.
  var flow: Flow<Core> { get }

  /// Makes a call by its public form.
  ///
  /// - Parameters:
  ///   - made: the recorded call, with secrets in their place.
  ///   - revision: of the recorded call.
  ///   - snapshot: the state of the object that was called; nil for one without a status.
  /// - Returns: whether there is such a form. If not, nothing was done.
  func call(_ made: CallMade, at revision: Int, on snapshot: Core?) -> Bool

  /// Checks what a call brought that was made here.
  ///
  /// - Parameters:
  ///   - outcome: how the call ended.
  ///   - core: the state after it.
  /// - Returns: what the application got otherwise, in a sentence; nil if it got that outcome, and objects that show the state.
  func complaint(about outcome: CallReturned.Outcome, of call: Int, in core: Core) -> String?
}

/// A kind of flow whose public objects can be called in a replay.
package protocol PlayableKind: FlowKind {
  /// Makes the application of a flow.
  ///
  /// - Parameters:
  ///   - start: how the flow was started, with secrets in their place.
  ///   - environment: the seams of the replay.
  /// - Returns: nil if an application would have started such a flow otherwise, from a stored context or with a handler of
  ///   its own.
  static func application(_ start: FlowStarted, environment: FlowEnvironment) -> (any PlayedApplication<Core>)?
}
