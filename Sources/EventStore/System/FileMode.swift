// The kind of a file, and its permissions. In one place, since programs that also import Foundation find `stat` in one
// of several modules, depending on the order in which the compiler reads them.

import Glibc

/// The kind and the permissions of a file.
package struct FileMode: Sendable {
  private let mode: mode_t
  /// Whether it belongs to the user that this process acts as.
  package let isOwn: Bool

  /// The mode of what a path names, links followed; nil if it cannot be read, with the reason in `errno`.
  package init?(of path: String) {
    var status = stat()
    // SAFETY: `status` outlives the call, which only writes into it.
    guard unsafe stat(path, &status) == 0 else { return nil }
    (mode, isOwn) = (status.st_mode, status.st_uid == geteuid())
  }

  /// The mode of what a path names, even if that is a link; nil if it cannot be read, with the reason in `errno`.
  package init?(ofLink path: String) {
    var status = stat()
    // SAFETY: `status` outlives the call, which only writes into it.
    guard unsafe lstat(path, &status) == 0 else { return nil }
    (mode, isOwn) = (status.st_mode, status.st_uid == geteuid())
  }

  /// The mode of an open file; nil if it cannot be read, with the reason in `errno`.
  package init?(of descriptor: Int32) {
    var status = stat()
    // SAFETY: `status` outlives the call, which only writes into it.
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    (mode, isOwn) = (status.st_mode, status.st_uid == geteuid())
  }

  /// Whether it is a regular file.
  package var isRegular: Bool { mode & S_IFMT == S_IFREG }
  /// Whether it is a directory.
  package var isDirectory: Bool { mode & S_IFMT == S_IFDIR }
  /// Whether it is a pipe or a character device, such as a terminal.
  package var isStream: Bool { mode & S_IFMT == S_IFIFO || mode & S_IFMT == S_IFCHR }
  /// The permissions of its owner, its group and others, as `chmod` takes them.
  package var permissions: UInt32 { UInt32(mode) & 0o777 }
}
