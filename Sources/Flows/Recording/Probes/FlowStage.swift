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
  private let memory = MemoryRecorder()

  /// A stage with answers, one after another.
  ///
  /// - Parameters:
  ///   - recorder: records its flows; nil: what they record stands in what `run` returns.
  ///   - configure: adds to the environment what a kind needs.
  package init(
    _ answers: [Result<HTTPResponse, TransportError>], recorder: (any Recorder)? = nil,
    configure: (inout FlowEnvironment) -> Void = { _ in }
  ) {
    transport = CannedTransport(answers)
    queue.suspend()
    var environment = FlowEnvironment(
      recorder: recorder ?? memory, transport: transport, clock: time, entropy: SeededEntropy(seed: 7), timers: time,
      device: nil,
      userAgent: "agent", callbackQueue: queue)
    configure(&environment)
    self.environment = environment
  }

  deinit { queue.resume() }

  /// Notes what was heard.
  package func say(_ line: String) { lines.withLock { $0.append(line) } }

  /// How its flows began: what they were configured with, and what they take up. Not what names the machine.
  package var beginnings: [String] {
    memory.streams.flatMap(memory.records).compactMap { record in
      guard case .flowStarted(let started) = record.event else { return nil }
      return "\(started.kind) \(started.settings.text) \(started.resumes ?? "-")"
    }
  }

  private var recorded: [String] {
    memory.streams.flatMap(memory.records).compactMap { record in
      if case .flowStarted = record.event { return nil }
      return "\(record.revision) \(record.cause ?? -1) \(record.event.type) \(record.event.data.text)"
    }
  }

  /// Runs what an application does, until nothing comes any more; time moves from timer to timer. Returns what was noted, sent and
  /// recorded.
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
    let made = (transport.sent + recorded).map { $0.replacing("okta-version", with: "v") }
    return (lines.withLock { $0 } + made).joined(separator: " ; ")
  }
}
