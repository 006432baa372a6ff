// An application that a recording plays: it makes the recorded calls on the public objects of a kind, as an application
// does that holds them, and knows what they brought. A whole replay runs facades and models with it.

package import EventStore

/// An application of one flow, in a replay.
package protocol PlayedApplication<Core>: AnyObject {
  /// The state of the flow's kind.
  associatedtype Core: FlowCore

  /// Makes the application of a flow.
  ///
  /// - Parameters:
  ///   - start: how the flow was started, with secrets in their place.
  ///   - environment: the seams of the replay.
  /// - Returns: nil if an application would have started such a flow otherwise, from a stored context or with a handler of
  ///   its own.
  /// - Throws: `PlayedRefusal` if the objects do not take what such a flow was started with.
  init?(_ start: FlowStarted, _ environment: FlowEnvironment) throws(PlayedRefusal)

  /// The flow that the application's objects share.
  var flow: Flow<Core> { get }

  /// Makes a call in one of its public forms.
  ///
  /// - Parameters:
  ///   - made: the recorded call, with secrets in their place.
  ///   - revision: of the recorded call.
  ///   - snapshot: the state of the object that was called; nil for one without a status.
  /// - Returns: what became of it.
  func call(_ made: CallMade, at revision: Int, on snapshot: Core?) -> PlayedCall

  /// Takes note of the answer to a draw that is awaited, before the flow gets it: what was written or made then is what
  /// the objects read.
  ///
  /// - Parameters:
  ///   - asked: what was asked, with secrets in their place.
  ///   - result: the recorded answer, likewise.
  func answers(_ asked: DrawAsked, with result: Result<JSON, DrawFailure>)

  /// Lets go of all objects while calls wait.
  ///
  /// - Returns: whether the flow must hear of that by itself, once the application is gone.
  func letGo() -> Bool

  /// Checks what a call brought that was made here.
  ///
  /// - Parameters:
  ///   - outcome: how the call ended.
  ///   - core: the state after it.
  /// - Returns: what the application got otherwise, in a sentence; nil if it got that outcome, and objects that show the state.
  func complaint(about outcome: CallReturned.Outcome, of call: Int, in core: Core) -> String?

  /// Checks what the application got while a call goes on: the events of the kind that are for it.
  ///
  /// - Parameters:
  ///   - events: the kind's own events of one step of the flow, with their revisions.
  ///   - core: the state after the step.
  /// - Returns: the revision of the first event that it got otherwise, and a sentence; nil if it got all of them.
  func complaint(aboutNews events: [(revision: Int, event: DomainEvent)], in core: Core) -> (Int, String)?
}

/// Why objects do not take what a recorded flow was started with, in a sentence.
package struct PlayedRefusal: Error {
  /// The sentence, without a full stop.
  package let sentence: String

  /// A refusal.
  package init(_ sentence: String) { self.sentence = sentence }
}

extension PlayedApplication {
  /// Most objects read the fold alone.
  package func answers(_ asked: DrawAsked, with result: Result<JSON, DrawFailure>) {}

  /// Most objects are kept by calls that wait.
  package func letGo() -> Bool { false }

  /// Most kinds say all that they have to say when a call returns.
  package func complaint(aboutNews events: [(revision: Int, event: DomainEvent)], in core: Core) -> (Int, String)? {
    nil
  }
}

/// A kind of flow whose public objects can be called in a replay.
package protocol PlayableKind: FlowKind {
  /// The application that holds them.
  associatedtype Application: PlayedApplication<Core>
}

/// What the calls of a played application brought, by the revision of the call. Closures of the calls fill it.
package final class PlayedResults<Got: Sendable>: Sendable {
  private let state = Locked<(got: [Int: Got], repeated: Set<Int>, early: Set<Int>)>(([:], [], []))

  /// Nothing was brought yet.
  package init() {}

  /// Keeps what a call brought.
  package func keep(_ value: Got, of call: Int) {
    state.withLock { state in
      if state.got.updateValue(value, forKey: call) != nil { state.repeated.insert(call) }
      if PlayedForms.isCalling { state.early.insert(call) }
    }
  }

  /// What a call brought; nil the second time.
  package func take(_ call: Int) -> Got? { state.withLock { $0.got.removeValue(forKey: call) } }

  /// What is wrong with how a call brought something, in a sentence; nil if nothing is.
  package func complaint(about call: Int) -> String? {
    state.withLock { state in
      if state.repeated.contains(call) { return "it was handed over more than once" }
      return state.early.contains(call) ? "the application was called back before its call had returned" : nil
    }
  }

  /// What the call is complained of that brought nothing.
  package static var nothing: String { "nothing was handed over" }
  /// What the call is complained of that brought a value of another kind.
  package static var another: String { "something else was handed over" }
  /// What the call is complained of that brought an error.
  package static func error(_ name: String) -> String { "\(name) was handed over" }
}
