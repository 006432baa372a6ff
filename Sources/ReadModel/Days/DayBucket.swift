// Finds the file of an index by day that has the flows of a user.

import AuditReports
import Crypto
import EventStore
import Foundation

/// The part of an index by day that has one day's flows of one 64th of all users.
struct DayBucket: Hashable, Comparable {
  /// The day in UTC: `2026-11-26`.
  let day: String
  /// 0 to 63.
  let number: Int

  init(day: String, number: Int) { (self.day, self.number) = (day, number) }

  /// The bucket of the flows of a user that began at some time.
  init(of user: UserKey, _ time: Timestamp) { self.init(day: Self.day(of: time), number: user.bucket) }

  /// The path below the folder of the index: `2026-11-26/07.sqlite`.
  var path: String { "\(day)/\(number < 10 ? "0" : "")\(number).sqlite" }

  /// The day of a time, which sorts as days do: years have four digits.
  static func day(of time: Timestamp) -> String { String(time.description.prefix { $0 != "T" }) }

  /// True if a name is that of a day.
  static func isDay(_ name: String) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [4, 2, 2] && name.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) }
  }

  static func < (one: Self, other: Self) -> Bool { (one.day, one.number) < (other.day, other.number) }
}

/// The key of a login in rows: the beginning of the SHA-256 of its `composedLowercase`. Anyone with a login can
/// compute it.
struct UserKey: Hashable {
  let hash: Int64

  init(_ login: String) {
    let digest = SHA256.hash(data: Array(login.composedLowercase.utf8))
    hash = Int64(bitPattern: digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// Its highest six bits.
  var bucket: Int { Int(UInt64(bitPattern: hash) >> 58) }
}
