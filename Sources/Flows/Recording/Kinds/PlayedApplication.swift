// An application driven by a recording: it makes the recorded calls on the public objects of a kind, as an application
// that holds them would, and checks the results. A full replay uses it to exercise facades and models.

package import EventStore

/// An application of one flow, in a replay.
package protocol PlayedApplication<Core>: AnyObject {
  /// The state of the flow's kind.
  associatedtype Core: FlowCore

  /// Makes the application of a flow.
  ///
  /// - Parameters:
  ///   - start: how the flow was started, with secrets revealed.
  ///   - environment: the seams of the replay.
  /// - Returns: nil if an application would start such a flow in another way: from a stored context, or with its own
  ///   handler.
  /// - Throws: `PlayedRefusal` if the objects do not accept how such a flow was started.
  init?(_ start: FlowStarted, _ environment: FlowEnvironment) throws(PlayedRefusal)

  /// The flow that the application's objects share.
  var flow: Flow<Core> { get }

  /// Makes a call in one of its public forms.
  ///
  /// - Parameters:
  ///   - made: the recorded call, with secrets revealed.
  ///   - revision: its revision.
  ///   - snapshot: the state of the object that was called; nil for one without a status.
  /// - Returns: whether it was made.
  func call(_ made: CallMade, at revision: Int, on snapshot: Core?) -> PlayedCall

  /// Notes the answer to an awaited draw before the flow receives it, because the objects read what the draw wrote or
  /// made.
  ///
  /// - Parameters:
  ///   - asked: the request, with secrets revealed.
  ///   - result: the recorded answer, with secrets revealed.
  func answers(_ asked: DrawAsked, with result: Result<JSON, DrawFailure>)

  /// Releases all objects while calls are pending.
  ///
  /// - Returns: whether the flow must detect this by itself after the application is gone.
  func letGo() -> Bool

  /// Checks the result of a call that was made here.
  ///
  /// - Parameters:
  ///   - outcome: how the call ended.
  ///   - core: the state after it.
  /// - Returns: a sentence about the difference; nil if the application received that outcome, and objects that show
  ///   the state.
  func complaint(about outcome: CallReturned.Outcome, of call: Int, in core: Core) -> String?

  /// Checks the events that the application received while a call was in progress.
  ///
  /// - Parameters:
  ///   - events: the kind's own events of one step of the flow, with their revisions.
  ///   - core: the state after the step.
  /// - Returns: the revision of the first event that differs, and a sentence; nil if it received all of them.
  func complaint(aboutNews events: [(revision: Int, event: DomainEvent)], in core: Core) -> (Int, String)?
}

/// Why objects do not accept how a recorded flow was started, in a sentence.
package struct PlayedRefusal: Error {
  /// The sentence, without a full stop.
  package let sentence: String

  package init(_ sentence: String) { self.sentence = sentence }
}

extension PlayedApplication {
  /// Does nothing: most objects read only the fold.
  package func answers(_ asked: DrawAsked, with result: Result<JSON, DrawFailure>) {}

  /// Returns false: most objects are kept alive by pending calls.
  package func letGo() -> Bool { false }

  /// Returns nil: most kinds report everything when a call returns.
  package func complaint(aboutNews events: [(revision: Int, event: DomainEvent)], in core: Core) -> (Int, String)? {
    nil
  }
}

/// A kind of flow whose public objects can be called in a replay.
package protocol PlayableKind: FlowKind {
  /// The application that holds them.
  associatedtype Application: PlayedApplication<Core>
}

/// The results of the calls of a replayed application, by revision. Filled by the closures of the calls.
package final class PlayedResults<Got: Sendable>: Sendable {
  private let state = Locked<(got: [Int: Got], repeated: Set<Int>, early: Set<Int>)>(([:], [], []))

  package init() {}

  /// Stores the result of a call.
  package func keep(_ value: Got, of call: Int) {
    state.withLock { state in
      if state.got.updateValue(value, forKey: call) != nil { state.repeated.insert(call) }
      if PlayedForms.isCalling { state.early.insert(call) }
    }
  }

  /// Returns the result of a call, once; nil the second time.
  package func take(_ call: Int) -> Got? { state.withLock { $0.got.removeValue(forKey: call) } }

  /// What is wrong with how a call returned its result, in a sentence; nil if nothing is.
  package func complaint(about call: Int) -> String? {
    state.withLock { state in
      if state.repeated.contains(call) { return "it was handed over more than once" }
      return state.early.contains(call) ? "the application was called back before its call had returned" : nil
    }
  }

  /// The complaint about a call without a result.
  package static var nothing: String { "nothing was handed over" }
  /// The complaint about a call with a result of another kind.
  package static var another: String { "something else was handed over" }
  /// The complaint about a call that returned an error.
  package static func error(_ name: String) -> String { "\(name) was handed over" }
}
