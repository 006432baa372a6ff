import Dispatch
import EventStore
import FlowRecording
import Foundation
import Testing

@testable import Authn

/// Callbacks of code that belongs to no actor (authn §13.6).
@Suite struct CallbackOrderTests {
  @Test("on the callback queue none runs before the method has returned; one at a time, in the order of the log")
  func order() async throws {
    let hold = ScriptedTransport.Hold()
    let script = Script([Script.answer(Wire.success, hold: hold)])
    let queue = try #require(script.environment.callbackQueue)
    let start = script.begin()
    let heard = Locked<[Int]>([])
    let running = Locked(0)
    // A sign-in is under way, so that each further call is refused at once.
    let hears: @Sendable (Int) -> Void = { number in
      #expect(
        running.withLock {
          $0 += 1; return $0
        } == 1)
      heard.withLock { $0.append(number) }
      running.withLock { $0 -= 1 }
    }
    start.authenticate(
      username: "ann", password: "Horse-7", onStatusChange: { _ in hears(50) }, onError: { _ in hears(-1) })
    _ = await script.transport.requests(atLeast: 1)
    queue.sync {
      for number in 0..<50 {
        start.authenticate(
          username: "ann", password: "Horse-7", onStatusChange: { _ in hears(-2) },
          onError: { error in
            guard case .alreadyInProgress = error else { return hears(-3) }
            hears(number)
          }, )
      }
      #expect(heard.withLock { $0 }.isEmpty)
    }
    hold.release()
    await eventually("all are heard") { heard.withLock { $0.count } == 51 }
    #expect(heard.withLock { $0 } == Array(0...50))
    try await script.expectWhole(start)
  }

  @Test("on a thread of its own a method never calls back from inside itself")
  func notInside() async throws {
    let script = Script()
    let start = script.begin(org: "https://acme.example")
    let threads = Locked<[Bool]>([])
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      Thread.detachNewThread {
        Thread.current.threadDictionary["inside"] = true
        for _ in 0..<50 {
          start.cancel(
            onSuccess: {
              threads.withLock { $0.append(Thread.current.threadDictionary["inside"] != nil) }
            },
            onError: { _ in threads.withLock { $0.append(true) } }, )
        }
        Thread.current.threadDictionary.removeAllObjects()
        done.resume()
      }
    }
    await eventually("all are heard") { threads.withLock { $0.count } == 50 }
    #expect(threads.withLock { $0 } == [Bool](repeating: false, count: 50))
  }
}
