import Dispatch
import Testing

@testable import FlowRecording

/// The order of callbacks on one actor.
@Suite struct CallbackLanesTests {
  private final class Queue: SerialExecutor {
    private let queue = DispatchQueue(label: "actor")
    func enqueue(_ job: UnownedJob) { queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) } }
  }

  /// An actor whose executor the runtime names in its place.
  private actor OwnExecutor {
    private let queue = Queue()
    private var heard: [Int] = []
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    func hear(_ count: Int, on lanes: CallbackLanes) async -> [Int] {
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        for number in 0..<count {
          lanes.run(on: lanes.caller) {
            self.assertIsolated()
            self.heard.append(number)
            if self.heard.count == count { done.resume() }
          }
        }
      }
      return heard
    }
  }

  private actor Plain {
    private var heard: [Int] = []

    func hear(_ count: Int, on lanes: CallbackLanes) async -> [Int] {
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        for number in 0..<count {
          lanes.run(on: lanes.caller) {
            self.assertIsolated()
            self.heard.append(number)
            if self.heard.count == count { done.resume() }
          }
        }
      }
      return heard
    }
  }

  @Test("callbacks come in the order in which they were handed over, each on the actor of its call")
  func order() async {
    let lanes = CallbackLanes(queue: nil)
    #expect(await OwnExecutor().hear(1000, on: lanes) == Array(0..<1000))
    #expect(await Plain().hear(1000, on: lanes) == Array(0..<1000))
  }
}
