// Maps SQLite's errors to storage failures.

import GRDB

extension StorageFailure {
  /// Converts an error from GRDB or from reading a row. The result contains no path and none of a statement's values,
  /// so it may be logged.
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
