import Dispatch
import FlowRecording
import Foundation
import Scenarios
import SimulatedOrg
import Testing

@testable import Authn

/// A callback runs on the actor that the call is made from, whatever stands between that actor and the SDK (DESIGN §2;
/// authn §13.6). Each closure here asserts where it runs: off its actor it would end the process.
@Suite struct CallingActorTests {
  /// A helper as applications have them: it knows of no actor.
  private static func cancel(_ status: OktaAuthStatus, then done: @escaping () -> Void) {
    status.cancel(onSuccess: done, onError: { _ in done() })
  }

  @MainActor
  private final class Screen {
    var count = 0
    var stored: (() -> Void)?

    func heard() {
      MainActor.assertIsolated()
      count += 1
    }

    func leave(_ status: OktaAuthStatus, by way: Way) async {
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        let closure = {
          self.heard()
          done.resume()
        }
        switch way {
        case .direct: status.cancel(onSuccess: { closure() })
        case .helper: CallingActorTests.cancel(status, then: closure)
        case .stored:
          stored = closure
          status.cancel(onSuccess: stored)
        case .reference:
          let cancel = status.cancel(onSuccess:onError:)
          cancel(closure, nil)
        case .mainQueue:
          // As a user interface calls: from the main queue, with no task under way.
          DispatchQueue.main.async { MainActor.assumeIsolated { CallingActorTests.cancel(status, then: closure) } }
        }
      }
    }
  }

  enum Way: CaseIterable { case direct, helper, stored, reference, mainQueue }

  private actor Service {
    private(set) var count = 0

    func leave(_ status: OktaAuthStatus) async {
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        CallingActorTests.cancel(status) {
          self.assertIsolated()
          self.count += 1
          done.resume()
        }
      }
    }
  }

  private final class Queue: SerialExecutor {
    private let queue = DispatchQueue(label: "service")
    func enqueue(_ job: UnownedJob) { queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) } }
  }

  private actor QueueService {
    private let queue = Queue()
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    func leave(_ status: OktaAuthStatus) async {
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        CallingActorTests.cancel(status) {
          self.assertIsolated()
          done.resume()
        }
      }
    }
  }

  @MainActor
  @Test("on the main actor", arguments: Way.allCases)
  func main(way: Way) async {
    let screen = Screen()
    await screen.leave(Script().begin(), by: way)
    #expect(screen.count == 1)
  }

  @Test("on an actor of the application, through a helper")
  func service() async {
    let service = Service()
    await service.leave(Script().begin())
    #expect(await service.count == 1)
  }

  @Test("on an actor with an executor of its own, through a helper")
  func executor() async { await QueueService().leave(Script().begin()) }

  @Test("on the flow's queue, for a call from a plain thread")
  func thread() async {
    let queue = DispatchQueue(label: "flow")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let environment = FlowEnvironment(recorder: MemoryRecorder(), callbackQueue: queue)
    let start = OktaAuthStatusUnauthenticated(
      oktaDomain: URL(fileURLWithPath: "/"), environment: environment)
    let isOnQueue = await withCheckedContinuation { (done: CheckedContinuation<Bool, Never>) in
      Thread.detachNewThread {
        Self.cancel(start) { done.resume(returning: DispatchQueue.getSpecific(key: key) == true) }
      }
    }
    #expect(isOnQueue)
  }

  @Test("an actor that ends can still drop its sign-in: nothing keeps it")
  func ending() async throws {
    actor Owner {
      let status: OktaAuthStatus
      init(_ status: OktaAuthStatus) { self.status = status }
      func work() {}
      isolated deinit { status.cancel() }
    }
    let script = Script()
    let start = script.begin()
    do {
      let owner = Owner(start)
      await owner.work()
    }
    await eventually("the call is recorded") {
      script.recorder.records(of: start.flowID).contains { $0.event.type == "call.returned" }
    }
  }

  @Test("an actor that keeps its status is freed with it, and the flow ends")
  func actorIsFreed() async throws {
    let recorder = MemoryRecorder()
    let stage = try await Stage(Scenario.wrongPassword.configuration, recorder: recorder)
    weak var kept: Keeper?
    do {
      let keeper = Keeper(stage.begin())
      await keeper.fail()
      kept = keeper
    }
    let stream = try #require(recorder.streams.first)
    // What lets go of it runs on other threads; it is waited for by its effect, not by the clock.
    await eventually("the actor is freed, and the flow ended") {
      kept == nil && recorder.records(of: stream).last?.event.type == "flow.ended"
    }
    await stage.org.stop()
  }
}

/// An application's actor that calls the SDK and keeps what it got.
private actor Keeper {
  private let start: OktaAuthStatusUnauthenticated
  private var error: OktaError?
  private var waiting: CheckedContinuation<Void, Never>?

  init(_ start: OktaAuthStatusUnauthenticated) { self.start = start }

  func fail() async {
    start.authenticate(
      username: Scenario.login, password: "wrong", onStatusChange: { _ in self.heard(nil) },
      onError: { self.heard($0) })
    await withCheckedContinuation { waiting = $0 }
  }

  private func heard(_ error: OktaError?) {
    self.error = error
    waiting?.resume()
    waiting = nil
  }
}
