/// What the system says of a name in a directory.
struct DiskEntry: Sendable, Hashable {
  /// What can stand under a name.
  enum Kind: Sendable, Hashable {
    case file, directory, link
    /// A pipe, a device, a socket.
    case other
  }

  /// What stands there.
  var kind: Kind
  /// The number of the user that owns it.
  var owner: UInt32
  /// True if that is the user of this process.
  var isOwn: Bool
  /// Its permissions: nine bits.
  var mode: UInt32

  /// True if its group, or everybody, may write to it: in a directory, put files there and take them away.
  var isWritableByOthers: Bool { mode & 0o022 != 0 }
}
