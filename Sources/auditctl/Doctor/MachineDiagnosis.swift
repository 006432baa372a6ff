// Checks of this machine that matter to every store: libraries, the clock, the place of keys.

import CProcess
import EventStore
import FlowRecording
import Glibc

/// Looks at the machine.
enum MachineDiagnosis {
  static func run() -> [Diagnosis] { [liblz4, libcurl, clock, state] }

  private static var liblz4: Diagnosis {
    let version = LZ4Library.version
    guard isOlder(version, than: [1, 9, 4]) else { return Diagnosis("liblz4", .ok, "version \(version)") }
    return Diagnosis(
      "liblz4", .notice, "version \(version); the lz4 command before 1.9.4 does not read every store",
      advice: "install lz4 1.9.4 or later where logs are read without this program")
  }

  private static var libcurl: Diagnosis {
    let parts = CurlLibrary.version.split(separator: " ").map(String.init)
    let own = parts.first ?? "libcurl"
    let libraries = ["OpenSSL", "GnuTLS", "wolfSSL", "mbedTLS", "LibreSSL", "BoringSSL", "rustls"]
    guard let secure = parts.dropFirst().first(where: { part in libraries.contains { part.contains($0) } }) else {
      return Diagnosis(
        "libcurl", .problem, "\(own) speaks no TLS", advice: "install a libcurl that is built with OpenSSL")
    }
    return Diagnosis("libcurl", .ok, "\(own), \(secure)")
  }

  private static func isOlder(_ version: String, than least: [Int]) -> Bool {
    version.split(separator: ".").map { Int($0) ?? 0 }.lexicographicallyPrecedes(least)
  }

  /// The clock dates events; the kernel reports whether it is synchronized.
  private static var clock: Diagnosis {
    let now = Timestamp.now()
    guard let least = Timestamp("2024-01-01T00:00:00Z"), now >= least else {
      return Diagnosis("clock", .problem, "it is \(now)", advice: "set the clock: records bear its time for good")
    }
    guard cprocess_clock_is_kept() == 1 else {
      return Diagnosis(
        "clock", .notice, "it is \(now), and the kernel says that nothing keeps the clock right",
        advice: "run a time service, such as systemd-timesyncd or chrony")
    }
    return Diagnosis("clock", .ok, "it is \(now), kept right by a time service")
  }

  /// Where keys are made.
  private static var state: Diagnosis {
    let path = SigningKey.defaultPath(origin: "x")
    let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    guard let mode = FileMode(of: folder) else {
      let parent = nearest(to: folder)
      guard access(parent, W_OK | X_OK) == 0 else {
        return Diagnosis(
          "keys", .problem, "\(folder) is not there, and cannot be made: \(parent) cannot be written to",
          advice: "make \(parent) writable, or set XDG_STATE_HOME, or give --signing-key")
      }
      return Diagnosis("keys", .ok, "\(folder) is made with the first signature")
    }
    guard mode.permissions & 0o077 == 0 else {
      return Diagnosis(
        "keys", .notice, "\(folder) can be read by others (mode \(String(mode.permissions, radix: 8)))",
        advice: "run chmod 700 on it")
    }
    guard access(folder, W_OK) == 0 else {
      return Diagnosis(
        "keys", .problem, "\(folder) cannot be written to", advice: "make it yours, or give --signing-key")
    }
    return Diagnosis("keys", .ok, "\(folder) is for its owner alone")
  }

  /// The nearest folder above a path that is there.
  private static func nearest(to path: String) -> String {
    var path = path
    while let slash = path.lastIndex(of: "/") {
      path = String(path[..<slash])
      if path.isEmpty { break }
      if FileMode(of: path) != nil { return path }
    }
    return "/"
  }
}
