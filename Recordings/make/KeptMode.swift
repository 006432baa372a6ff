// The permissions of a recording, which stay when it is made again.

import Foundation

enum KeptMode {
  /// Runs what replaces a file. If one was there, the new one gets its permissions.
  ///
  /// - Throws: what `write` throws; `CocoaError` if the permissions cannot be set.
  static func of(_ path: String, _ write: () throws -> Void) throws {
    let mode = (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
    try write()
    if let mode { try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path) }
  }
}
