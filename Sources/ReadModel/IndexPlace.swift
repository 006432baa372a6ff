// The place of a store's index: never beside evidence.

import Crypto
package import EventStore
import Foundation

/// The paths of indexes.
package enum IndexPlace {
  /// The file for some stores, in the order in which they are given: `$XDG_CACHE_HOME/flowrecorder/<digest>.sqlite`.
  ///
  /// Not in the store: every file there belongs to the log, and `auditctl verify` reports others. The name is a digest
  /// of the stores' paths and ids, so that a store that replaced another has its own index.
  ///
  /// - Parameter environment: the variables of the process.
  package static func file(
    for logs: [LogReader], environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    let names = logs.map { log in
      URL(fileURLWithPath: log.directory).resolvingSymlinksInPath().standardizedFileURL.path + "\n" + log.identity.id
    }
    let digest = SHA256.hash(data: Array(names.joined(separator: "\n").utf8))
    let name = digest.prefix(12).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    return folder(environment) + "/\(name).sqlite"
  }

  /// True if a file is at a place where only indexes are kept.
  static func isOurs(
    _ file: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Bool { file.hasPrefix(folder(environment) + "/") }

  /// The folder of indexes; a relative `XDG_CACHE_HOME` does not count (XDG Base Directory Specification).
  private static func folder(_ environment: [String: String]) -> String {
    if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") { return cache + "/flowrecorder" }
    return (environment["HOME"] ?? NSHomeDirectory()) + "/.cache/flowrecorder"
  }
}
