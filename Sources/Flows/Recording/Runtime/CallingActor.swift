// Determines which actor a call comes from while the call is being made. Types cannot express this: the methods of the
// seed documents have no isolation parameter, a helper between an actor and the SDK would hide it, and an override must
// have the documented signature. The result is safe to rely on: a closure that is not `Sendable` cannot leave the actor
// that made it, as the compiler checks, so the actor that a call comes from is the one that its closures belong to.

import CSwiftRuntime
import Dispatch
import Foundation

/// Finds the actor that the calling code runs on.
package enum CallingActor {
  /// The actor that runs the calling code; nil if it runs on none.
  ///
  /// Costs under a microsecond. Keep the result for the callbacks of one call, no longer: it keeps the actor alive.
  ///
  /// - Parameter startedOnMain: whether the flow was started by code of the main actor. It matters on the main thread
  ///   if neither a task nor the main queue is running there yet, as in a program's first lines.
  package static func find(startedOnMain: Bool = false) -> (any Actor)? {
    if let actor = ofCurrentTask() { return actor }
    if isOnMainQueue { return MainActor.shared }
    return startedOnMain && Thread.isMainThread ? MainActor.shared : nil
  }

  /// The actor that the current task runs on.
  private static func ofCurrentTask() -> (any Actor)? {
    guard let identity = unsafe flowrecorder_current_executor().identity else { return nil }
    // SAFETY: the layout of `UnownedSerialExecutor` is frozen: a reference and a word beside it.
    let main = unsafe unsafeBitCast(MainActor.sharedUnownedExecutor, to: (identity: UInt, rest: UInt).self)
    if UInt(bitPattern: identity) == main.identity { return MainActor.shared }
    // SAFETY: the runtime keeps the executor of a running task alive, and it is an object.
    let object = unsafe Unmanaged<AnyObject>.fromOpaque(identity).takeUnretainedValue()
    return object as? any Actor ?? (object as? any SerialExecutor).map(ExecutorActor.init)
  }

  /// Whether the calling code runs on the main queue, and that queue is being served: by a run loop on the main thread,
  /// or by other threads once the main thread is parked.
  private static var isOnMainQueue: Bool {
    guard DispatchQueue.getSpecific(key: mainQueue) == true else { return false }
    return !Thread.isMainThread || RunLoop.main.currentMode != nil
  }

  private static let mainQueue: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
}

/// Represents an actor with a custom executor: the runtime names that executor, not the actor.
actor ExecutorActor {
  private let executor: any SerialExecutor

  init(_ executor: any SerialExecutor) { self.executor = executor }

  /// The identity of the executor: each call makes a new `ExecutorActor` for it.
  nonisolated var identity: ObjectIdentifier { ObjectIdentifier(executor) }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
}
