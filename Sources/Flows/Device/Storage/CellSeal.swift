// Columns that are encrypted if the application gives a key (spec/device.md §14).

import Crypto
import Foundation
import GRDB

/// Encrypts a column's text with AES-256-GCM. The row and the column are authenticated with it, so that no text stands
/// in for another one's.
struct CellSeal: Sendable {
  /// The length of an application's key, in bytes.
  static let keyLength = 32
  private let key: SymmetricKey?

  /// Makes one; without a key, text stays as it is.
  init(key: [UInt8]?) throws(StorageFailure) {
    if let key, key.count != Self.keyLength {
      throw .unreadable(reason: "a storage's key has \(Self.keyLength) bytes; \(key.count) were given")
    }
    self.key = key.map { SymmetricKey(data: $0) }
  }

  /// Whether it encrypts.
  var isSealing: Bool { key != nil }

  /// The value of a cell: bytes if there is a key, text if there is none, NULL for nil.
  func seal(_ text: String?, at place: String...) throws(StorageFailure) -> DatabaseValue {
    guard let text else { return .null }
    guard let key else { return text.databaseValue }
    guard let box = try? AES.GCM.seal(Data(text.utf8), using: key, authenticating: Self.name(place)).combined else {
      throw .unreadable(reason: "a value of \(place[0]) could not be encrypted")
    }
    return box.databaseValue
  }

  /// The text of a cell. Text that was written before there was a key is read as it is.
  func open(_ value: DatabaseValue, at place: String...) throws(StorageFailure) -> String? {
    switch value.storage {
    case .null: return nil
    case .string(let text): return text
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
