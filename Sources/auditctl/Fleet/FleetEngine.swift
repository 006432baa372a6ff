// What stands between ship and collect: a directory, or a URL.

import AuditReports
import EventStore
import Fleet
import Foundation

/// The engines that this build has.
enum FleetEngine {
  /// The engine that an argument names.
  ///
  /// - Parameter isMade: true makes a directory that is not there.
  /// - Throws: exit 64 for a URL that this build cannot use, 66 for a directory that is not there.
  static func open(_ given: String, making isMade: Bool) throws -> any FleetTransport {
    if let scheme = given.range(of: "://") {
      throw CommandFailure(
        .usage,
        "this build has no engine for \(String(given[..<scheme.lowerBound]).printable):// addresses; give a directory")
    }
    var isDirectory: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: given, isDirectory: &isDirectory)
    if isThere, !isDirectory.boolValue {
      throw CommandFailure(.usage, "\(given.printable) is no directory; give one that hosts and collectors share")
    }
    if !isThere, !isMade {
      throw CommandFailure(
        .notFound, "there is no directory \(given.printable); ship to it first, or check the path")
    }
    return try DirectoryTransport(directory: given)
  }

  /// True if it is a directory, which may be carried to its collector later.
  static func isDirectory(_ given: String) -> Bool { !given.contains("://") }

  /// Waits so many seconds.
  static func pause(_ seconds: Double) { usleep(UInt32(max(0, min(seconds, 60)) * 1_000_000)) }

  /// The machine's clock that never goes back, in microseconds.
  static func uptime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
