// Columns that are encrypted if the application provides a key (spec/device.md §14).

import Crypto
import Foundation
import GRDB

/// Encrypts the text of a column with AES-256-GCM. The row and column are authenticated, so that one cell's text cannot
/// replace another's.
struct CellSeal: Sendable {
  /// The length of an application's key, in bytes.
  static let keyLength = 32
  private let key: SymmetricKey?

  /// Creates a seal. Without a key, text is not encrypted.
  init(key: [UInt8]?) throws(StorageFailure) {
    if let key, key.count != Self.keyLength {
      throw .unreadable(reason: "a storage's key has \(Self.keyLength) bytes; \(key.count) were given")
    }
    self.key = key.map { SymmetricKey(data: $0) }
  }

  /// Whether it encrypts text.
  var isSealing: Bool { key != nil }

  /// Returns the value of a cell: bytes if there is a key, text if there is none, and NULL for `nil`.
  func seal(_ text: String?, at place: String...) throws(StorageFailure) -> DatabaseValue {
    guard let text else { return .null }
    guard let key else { return text.databaseValue }
    guard let box = try? AES.GCM.seal(Data(text.utf8), using: key, authenticating: Self.name(place)).combined else {
      throw .unreadable(reason: "a value of \(place[0]) could not be encrypted")
    }
    return box.databaseValue
  }

  /// Returns the text of a cell.
  ///
  /// - Throws: `unreadable` if the value is a number, if the key does not open it, or if there is a key and the value
  ///   is not encrypted: a storage that adopts a key encrypts all cells (`StorageSeal`), so another program wrote it.
  func open(_ value: DatabaseValue, at place: String...) throws(StorageFailure) -> String? {
    switch value.storage {
    case .null: return nil
    case .string(let text):
      guard !isSealing else {
        throw .unreadable(reason: "a value of \(place[0]) is not encrypted; restore it from a backup")
      }
      return text
    case .blob(let bytes):
      guard let key, let box = try? AES.GCM.SealedBox(combined: bytes),
        let text = try? AES.GCM.open(box, using: key, authenticating: Self.name(place))
      else { throw .unreadable(reason: "a value of \(place[0]) was altered, or encrypted under another key") }
      return String(decoding: text, as: UTF8.self)
    case .int64, .double: throw .unreadable(reason: "a value of \(place[0]) is a number; restore it from a backup")
    }
  }

  private static func name(_ place: [String]) -> Data { Data(place.joined(separator: "\0").utf8) }
}
