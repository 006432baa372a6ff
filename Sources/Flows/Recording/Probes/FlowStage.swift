// A flow of an application with canned answers, a stopped clock and callbacks in one order. For the tables of the
// kinds.

import Dispatch
import EventStore

/// The environment of a flow in a trial, and its observations.
package final class FlowStage: Sendable {
  /// The transport with the answers.
  package let transport: CannedTransport
  /// The environment for making flows.
  package let environment: FlowEnvironment
  /// The queue for callbacks; suspended except when it is their turn.
  private let queue = DispatchQueue(label: "trials")
  private let time = VirtualTime(start: Timestamp(microseconds: 1_768_467_641_000_000))
  private let tasks = PlayedTasks()
  private let lines = Locked<[String]>([])
  private let memory = MemoryRecorder()

  /// Makes a stage with a list of answers.
  ///
  /// - Parameters:
  ///   - recorder: records its flows; nil to include their records in the result of `run`.
  ///   - configure: adds what a kind needs to the environment.
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

  /// Notes an observation.
  package func say(_ line: String) { lines.withLock { $0.append(line) } }

  /// The configurations of its flows and the flows they resume, without the parts that identify the machine.
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

  /// Runs an application until nothing happens any more; time advances from timer to timer. Returns the observations,
  /// requests and records.
  package func run(_ body: @escaping @Sendable () async -> Void) -> String {
    let (apart, done) = (DispatchQueue(label: "trials.stage"), DispatchSemaphore(value: 0))
    // On a thread of its own: on the main queue, calls would call back there, after this has returned.
    apart.async { [self] in
      tasks.run(0, body)
      // Callbacks and the application's tasks take turns, so that the order is fixed.
      for _ in 0..<40 {
        tasks.runReady()
        queue.resume()
        queue.sync {}
        queue.suspend()
        tasks.runReady()
        if let left = time.untilNextTimer { time.advance(milliseconds: min(left, 3_600_000)) }
      }
      done.signal()
    }
    done.wait()
    return (lines.withLock { $0 } + transport.sent + recorded).joined(separator: " ; ")
  }
}
