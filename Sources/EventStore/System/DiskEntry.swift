/// The system's information about a name in a directory.
package struct DiskEntry: Sendable, Hashable {
  /// What can stand under a name.
  package enum Kind: Sendable, Hashable {
    case file, directory, link
    /// A pipe, a device, a socket.
    case other
  }

  /// The kind of the entry.
  package var kind: Kind
  /// The number of the user that owns it.
  package var owner: UInt32
  /// True if that is the user of this process.
  package var isOwn: Bool
  /// Its permissions: nine bits.
  package var mode: UInt32

  /// True if its group, or every user, may write to it: in a directory, add and remove files.
  var isWritableByOthers: Bool { mode & 0o022 != 0 }
}
