// Distinguishes an index from any other file, so that no other file is ever mistaken for one and overwritten.

import Foundation
import GRDB

/// The number in the head of a database that says what it is for (SQLite file format §1.3, the application id).
enum IndexMark {
  /// `FRix`.
  private static let id: Int32 = 0x4652_6978

  /// Refuses a file that is neither empty nor an index.
  ///
  /// - Parameter isOurs: true if only indexes are kept at such places, so that a damaged one can be rebuilt.
  /// - Throws: `ReadModelError` with `cannotWrite`.
  static func check(_ file: String, isOurs: Bool) throws {
    guard !isOurs, let handle = FileHandle(forReadingAtPath: file) else { return }
    defer { try? handle.close() }
    guard let head = try? handle.read(upToCount: 100), !head.isEmpty else { return }
    let bytes = Array(head)
    let number = bytes.count == 100 ? bytes[68..<72].reduce(Int32(0)) { $0 << 8 | Int32($1) } : 0
    guard bytes.starts(with: "SQLite format 3\0".utf8), number == id else {
      throw ReadModelError(
        .cannotWrite, "\(file) is there and is no index, so it stays as it is; give another place by --index FILE")
    }
  }

  /// Marks a database without tables, before anything else is written into it.
  static func put(on database: Database) throws {
    guard try Int.fetchOne(database, sql: "PRAGMA page_count") == 0 else { return }
    try database.execute(sql: "PRAGMA application_id = \(id)")
  }
}
