// Where callbacks run (SPINE §2): on the actor that the call is made from, on the main queue for the main actor, or on
// the flow's own serial queue if the call is not made from an actor. They run in order, never under a lock, and never
// from inside the called method; if that runs on the actor or queue itself, never before it has returned.

public import Dispatch

/// The places where a flow calls back.
public final class CallbackLanes: Sendable {
  /// The queue for code without an actor; created when first needed, because awaited calls need none.
  private let queue: Locked<DispatchQueue?>
  private let startedOnMain: Bool
  /// Runs all callbacks of a flow in a replay, whatever actor calls.
  private let played: PlayedTasks?
  private let lanes = Locked<[ObjectIdentifier: ActorLane]>([:])

  /// Makes lanes with a queue for code without an actor.
  ///
  /// - Parameters:
  ///   - queue: the queue; nil to create one.
  ///   - isolation: the actor that starts the flow, if known.
  public convenience init(queue: DispatchQueue?, startedBy isolation: (any Actor)? = nil) {
    self.init(queue: queue, startedBy: isolation, played: nil)
  }

  init(queue: DispatchQueue?, startedBy isolation: (any Actor)?, played: PlayedTasks?) {
    self.queue = Locked(queue)
    self.played = played
    startedOnMain = isolation is MainActor
  }

  /// The actor from which the current call is made, on which its callbacks run; nil if it is not made from an actor.
  package var caller: (any Actor)? { played == nil ? CallingActor.find(startedOnMain: startedOnMain) : nil }

  /// Runs a callback on the actor that its call was made from.
  ///
  /// - Parameters:
  ///   - actor: that actor; nil for none.
  ///   - body: the callback. It belongs to that actor and is run nowhere else.
  public func run(on actor: (any Actor)?, _ body: @escaping () -> Void) {
    let callback = Callback(body: body)
    if let played { return played.enqueue { callback.body() } }
    guard let actor else { return ownQueue.async { callback.body() } }
    if actor === MainActor.shared {
      return DispatchQueue.main.async { MainActor.assumeIsolated { callback.body() } }
    }
    let lane = lanes.withLock { lanes in
      let place = (actor as? ExecutorActor)?.identity ?? ObjectIdentifier(actor)
      let lane = lanes[place] ?? ActorLane()
      lanes[place] = lane
      return lane
    }
    lane.run(callback, on: actor)
  }

  private var ownQueue: DispatchQueue {
    queue.withLock { queue in
      if let queue { return queue }
      let made = DispatchQueue(label: "flowrecorder.callbacks")
      queue = made
      return made
    }
  }
}

/// A callback on its way to the actor that it came from.
///
/// `@unchecked`: the closure is made on the caller's actor and run only there; in between it is not touched.
private struct Callback: @unchecked Sendable {
  let body: () -> Void
}

/// One task that runs callbacks on one actor, in order; separate tasks could reorder them.
private final class ActorLane: Sendable {
  private let continuation: AsyncStream<(Callback, any Actor)>.Continuation

  /// The actor travels with each callback: if the lane kept it, it would keep the flow alive that its status objects
  /// hold.
  init() {
    let (stream, continuation) = AsyncStream.makeStream(of: (Callback, any Actor).self)
    self.continuation = continuation
    Task {
      for await (callback, actor) in stream { await ActorLane.run(callback, on: actor) }
    }
  }

  deinit { continuation.finish() }

  func run(_ callback: Callback, on actor: any Actor) { continuation.yield((callback, actor)) }

  private static func run(_ callback: Callback, on actor: isolated any Actor) { callback.body() }
}
