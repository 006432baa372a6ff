// How long a shortened id must be to name one flow: kept with the index, so that a list need not read every name.

import AuditReports
import Foundation
import GRDB

enum ShortNames {
  /// Up to this many new flows are compared with their neighbors; with more, all names are sorted.
  private static let mostNew = 2_000
  /// The most kinds of names that are examined; streams of applications may have any.
  private static let mostKinds = 32

  /// The length that is right for all flows of an index.
  static func length(_ database: Database) throws -> Int { try number("shortLength", database) ?? 8 }

  /// True if there are flows that are not taken into account yet.
  static func isBehind(_ database: Database) throws -> Bool {
    let (seen, last) = try bounds(database)
    return last > seen
  }

  /// The last row that was taken into account, and the last that there is.
  private static func bounds(_ database: Database) throws -> (seen: Int, last: Int) {
    (
      try number("shortNames", database) ?? 0, try Int.fetchOne(database, sql: "SELECT max(id) FROM flows") ?? 0
    )
  }

  /// Takes the flows into account that are new since the last time.
  static func update(_ database: Database) throws {
    let (seen, last) = try bounds(database)
    guard last > seen else { return }
    var length = try Self.length(database)
    if last - seen <= mostNew, let kinds = try kinds(database) {
      let fresh = try Data.fetchAll(database, sql: "SELECT stream FROM flows WHERE id > ?", arguments: [seen])
      for stream in fresh {
        let id = identifier(stream)
        for kind in kinds {
          for neighbor in try neighbors(of: kind + id, database) where neighbor.starts(with: kind) {
            let pair = [id, neighbor.dropFirst(kind.count)].map { String(decoding: $0, as: UTF8.self) }
            length = max(length, FlowReference.shortLength(of: pair))
          }
        }
      }
    } else {
      let all = try Data.fetchAll(database, sql: "SELECT stream FROM flows")
      length = FlowReference.shortLength(of: all.map { String(decoding: identifier($0), as: UTF8.self) })
    }
    for (name, value) in [("shortLength", length), ("shortNames", last)] {
      try database.execute(sql: "INSERT OR REPLACE INTO meta VALUES (?, ?)", arguments: [name, String(value)])
    }
  }

  private static func number(_ name: String, _ database: Database) throws -> Int? {
    try String.fetchOne(database, sql: "SELECT value FROM meta WHERE name = ?", arguments: [name]).flatMap { Int($0) }
  }

  /// The prefixes of the ids: `authn/`, and the empty text for a stream without one; nil if there are too many.
  private static func kinds(_ database: Database) throws -> [Data]? {
    var kinds: [Data] = []
    var next = Data()
    while let stream = try Data.fetchOne(
      database, sql: "SELECT stream FROM flows WHERE stream >= ? ORDER BY stream LIMIT 1", arguments: [next])
    {
      let kind = stream.dropLast(identifier(stream).count)
      // A name without a slash may be the beginning of nothing else; its kind is the empty one.
      if !kinds.contains(kind) { kinds.append(Data(kind)) }
      guard kinds.count <= mostKinds else { return nil }
      // 0x2F is the slash, 0x30 the byte after it. A name without a slash is skipped by going to the next name.
      next = kind.isEmpty ? stream + [0] : Data(kind.dropLast()) + [0x30]
    }
    return kinds
  }

  private static func identifier(_ stream: Data) -> Data {
    stream.firstIndex(of: 0x2F).map { Data(stream[($0 + 1)...]) } ?? stream
  }

  /// The names before and after one, in the order of their bytes.
  private static func neighbors(of name: Data, _ database: Database) throws -> [Data] {
    let queries = [
      "SELECT stream FROM flows WHERE stream > ? ORDER BY stream LIMIT 1",
      "SELECT stream FROM flows WHERE stream < ? ORDER BY stream DESC LIMIT 1",
    ]
    return try queries.compactMap { try Data.fetchOne(database, sql: $0, arguments: [name]) }
  }
}
