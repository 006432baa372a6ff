// Index files contain personal data: only their owner may read and write them.

import Foundation
import Glibc

enum PrivateFile {
  /// Makes a file and its folder if they are missing, and removes all access for others. Refuses a link, or anything
  /// that is not a regular file.
  ///
  /// - Throws: `ReadModelError` with `cannotWrite`.
  static func claim(_ file: String) throws {
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // SAFETY: the path is a string of this call, and `status` lives as long as the call that fills it in.
    let descriptor = unsafe Glibc.open(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    defer { if descriptor >= 0 { close(descriptor) } }
    var status = stat()
    guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      fchmod(descriptor, 0o600) == 0
    else {
      throw ReadModelError(
        .cannotWrite, "\(file) cannot be made or is no file of yours; give another place by --index FILE")
    }
  }
}
