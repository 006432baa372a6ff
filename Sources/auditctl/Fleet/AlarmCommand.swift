// The user's command that runs when a host's state changes.

import AuditReports
import Fleet
import Foundation

/// A command of the user's for alarms: mail, a pager, a webhook. It blocks nothing: its output is discarded, and it may
/// be slow. Some run at once; others wait for their turn, the gravest first.
final class AlarmCommand {
  private let command: String
  private var running: [Process] = []
  private var waiting: [FleetWatch.Change] = []
  /// How many may run at once.
  private static let most = 16

  /// - Parameter command: for `/bin/sh -c`.
  init(_ command: String) { self.command = command }

  /// Runs the command for a change, immediately or in its turn.
  func run(_ change: FleetWatch.Change) {
    let gravity = Dictionary(uniqueKeysWithValues: HostState.byGravity.enumerated().map { ($1, $0) })
    let place = waiting.firstIndex { gravity[$0.state, default: 0] > gravity[change.state, default: 0] }
    waiting.insert(change, at: place ?? waiting.count)
    goOn()
  }

  /// Starts waiting commands as others end.
  func goOn() {
    running.removeAll { !$0.isRunning }
    while running.count < Self.most, !waiting.isEmpty { start(waiting.removeFirst()) }
  }

  /// Starts the command with what has changed in its environment: `FLEET_HOST`, `FLEET_STORE`, `FLEET_STATE`,
  /// `FLEET_CONFLICT`.
  private func start(_ change: FleetWatch.Change) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.environment = ProcessInfo.processInfo.environment.merging([
      "FLEET_HOST": change.name, "FLEET_STORE": change.store, "FLEET_STATE": change.state.rawValue,
      "FLEET_CONFLICT": change.conflict ?? "",
    ]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
      running.append(process)
    } catch {
      Messages.say("--on-alarm cannot be run: \(error.localizedDescription)".printable)
    }
  }

  /// Waits for those that run, ten seconds at most: for a collector that ends.
  func finish() {
    let end = FleetEngine.uptime() + 10_000_000
    while running.contains(where: \.isRunning) || !waiting.isEmpty, FleetEngine.uptime() < end {
      goOn()
      FleetEngine.pause(0.05)
    }
  }
}
