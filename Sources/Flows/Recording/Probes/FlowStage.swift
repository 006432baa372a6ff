// A flow of an application on a stage: canned answers, a time that stands still, callbacks in one order. For the tables of the kinds.

import Dispatch
import EventStore

/// What a flow stands on in a trial, and what was heard of it.
package final class FlowStage: Sendable {
  /// What answers.
  package let transport: CannedTransport
  /// What a flow is made with.
  package let environment: FlowEnvironment
  /// Where callbacks come; it stands still but when it is their turn.
  private let queue = DispatchQueue(label: "trials")
  private let time = VirtualTime(start: Timestamp(microseconds: 1_768_467_641_000_000))
  private let tasks = PlayedTasks()
  private let lines = Locked<[String]>([])

  /// A stage with answers, one after another.
  ///
  /// - Parameter configure: adds to the environment what a kind needs.
  package init(
    _ answers: [Result<HTTPResponse, TransportError>], configure: (inout FlowEnvironment) -> Void = { _ in }
  ) {
    transport = CannedTransport(answers)
    queue.suspend()
    var environment = FlowEnvironment(
      transport: transport, clock: time, entropy: SeededEntropy(seed: 7), timers: time, device: nil,
      userAgent: "agent", callbackQueue: queue)
    configure(&environment)
    self.environment = environment
  }

  deinit { queue.resume() }

  /// Notes what was heard.
  package func say(_ line: String) { lines.withLock { $0.append(line) } }

  /// Runs what an application does, until nothing comes any more; time moves from timer to timer. Returns what was noted and sent.
  package func run(_ body: @escaping @Sendable () async -> Void) -> String {
    tasks.run(0, body)
    // Callbacks and the application's tasks take turns, so that there is one order.
    for _ in 0..<40 {
      tasks.runReady()
      queue.resume()
      queue.sync {}
      queue.suspend()
      tasks.runReady()
      if let left = time.untilNextTimer { time.advance(milliseconds: min(left, 3_600_000)) }
    }
    let sent = transport.sent.map { $0.replacing("okta-version", with: "v") }
    return (lines.withLock { $0 } + sent).joined(separator: " ; ")
  }
}
