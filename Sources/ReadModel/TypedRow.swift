// Reads values of rows with the type of their column. A file may hold anything: a value of another type means a damaged
// index, and must not trap.

import Foundation
import GRDB

extension Row {
  private func damaged(_ column: Int) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "column \(column) has a value of another type")
  }

  func integer(_ column: Int) throws -> Int64 {
    guard case .int64(let value) = (self[column] as DatabaseValue).storage else { throw damaged(column) }
    return value
  }

  /// The number of a store, or a count.
  func number(_ column: Int) throws -> Int {
    guard let value = try Int(exactly: integer(column)) else { throw damaged(column) }
    return value
  }

  /// A position in a log.
  func position(_ column: Int) throws -> UInt64 { UInt64(bitPattern: try integer(column)) }

  func text(_ column: Int) throws -> String {
    guard case .string(let value) = (self[column] as DatabaseValue).storage else { throw damaged(column) }
    return value
  }

  func data(_ column: Int) throws -> Data {
    guard case .blob(let value) = (self[column] as DatabaseValue).storage else { throw damaged(column) }
    return value
  }

  /// The same; nil for no value.
  func optionalData(_ column: Int) throws -> Data? {
    if case .null = (self[column] as DatabaseValue).storage { return nil }
    return try data(column)
  }
}
