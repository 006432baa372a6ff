// What the user wants to have run when a host's state changes.

import AuditReports
import Fleet
import Foundation

/// A command of the user's for alarms: mail, a pager, a webhook. It holds up nothing: what it prints is dropped, and it may take its
/// time.
final class AlarmCommand {
  private let command: String
  private var running: [Process] = []
  /// How many may run at once; with more the first ones hang, and others would only be as many.
  private static let most = 16

  /// - Parameter command: for `/bin/sh -c`.
  init(_ command: String) { self.command = command }

  /// Runs the command with what has changed in its environment: `FLEET_HOST`, `FLEET_STORE`, `FLEET_STATE`, `FLEET_CONFLICT`.
  func run(_ change: FleetWatch.Change) {
    running.removeAll { !$0.isRunning }
    guard running.count < Self.most else {
      return Messages.say(
        "\(change.name.printable) is \(change.state.words); --on-alarm was not run: \(Self.most) of it have not ended")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.environment = ProcessInfo.processInfo.environment.merging([
      "FLEET_HOST": change.name, "FLEET_STORE": change.store, "FLEET_STATE": change.state.rawValue,
      "FLEET_CONFLICT": change.conflict ?? "",
    ]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
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
    while running.contains(where: \.isRunning), FleetEngine.uptime() < end { FleetEngine.pause(0.05) }
  }
}
