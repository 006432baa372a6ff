import GRDB

/// An index that cannot be used.
package struct ReadModelError: Error, Sendable, CustomStringConvertible {
  /// Why, so that a program can act on it.
  package enum Code: Sendable {
    /// Its file cannot be made or written.
    case cannotWrite
    /// The disk is full.
    case noSpace
    /// The system fails to read or write it.
    case io
    /// Its content is damaged, or of another version.
    case damaged
    /// Another process is building it.
    case busy
  }

  /// Why.
  package var code: Code
  /// One sentence.
  package var description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  init(_ error: any Error, file: String) {
    switch (error as? DatabaseError)?.resultCode {
    case .SQLITE_BUSY?, .SQLITE_LOCKED?:
      self.init(.busy, "\(file) is being written by another process; try again, or read without it by --no-index")
    case .SQLITE_CORRUPT?, .SQLITE_NOTADB?, .SQLITE_ERROR?, .SQLITE_CONSTRAINT?, .SQLITE_MISMATCH?, .SQLITE_TOOBIG?:
      self.init(.damaged, "\(file) is damaged; build it again by auditctl index --rebuild")
    case .SQLITE_FULL?:
      self.init(.noSpace, "\(file) cannot be written, the disk is full; make room, and run auditctl index again")
    case .SQLITE_IOERR?:
      // SQLite does not pass on why; a limit on the size of files is the usual reason besides a disk that fails.
      self.init(
        .io,
        "\(file) cannot be read or written (disk I/O error); raise the limit on the size of files (ulimit -f) if there "
          + "is one, or check the disk, and run auditctl index again")
    default:
      self.init(
        .cannotWrite,
        "\(file) cannot be used (\((error as? DatabaseError)?.message ?? "\(error)")); give another place by --index FILE"
      )
    }
  }
}
