// What SQLite's errors mean here.

import GRDB

extension StorageFailure {
  /// The failure that an error of GRDB or of the rows is. Nothing of a statement's values is in it, and no path: it may be logged.
  init(_ error: any Error) {
    switch error {
    case let failure as StorageFailure: self = failure
    case let error as DatabaseError:
      let text = error.message ?? "no message"
      switch error.resultCode {
      case .SQLITE_CORRUPT, .SQLITE_NOTADB:
        self = .unreadable(reason: "the database is damaged (\(text)); restore it from a backup")
      case .SQLITE_BUSY, .SQLITE_LOCKED:
        self = .sqlite(
          code: error.resultCode.rawValue,
          reason: "another process has kept the database to itself for too long (\(text))")
      default:
        self = .sqlite(code: error.extendedResultCode.rawValue, reason: text)
      }
    default: self = .unreadable(reason: "\(type(of: error))")
    }
  }
}
