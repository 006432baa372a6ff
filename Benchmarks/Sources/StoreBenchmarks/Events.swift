// Events as each side takes them, made before the time runs.
import EventStore
import Foundation
import SignInEvents

struct Events {
  /// For the log.
  let records: [NewRecord]
  /// For a table.
  let rows: [EventRow]
  /// How many bytes the log's lines have.
  let rawBytes: Int
  /// How many the line in the middle has.
  let medianLine: Int

  /// `count` events.
  init(_ count: Int, seed: UInt64, kind: SignInEvents.Kind = .mixed, withRows: Bool = true) {
    var generator = SignInEvents(seed: seed, kind: kind)
    let made = generator.next(count)
    records = made
    var revisions: [String: Int] = [:]
    var rows: [EventRow] = []
    var lengths: [Int] = []
    for (index, record) in made.enumerated() {
      let revision = revisions[record.stream, default: 0]
      revisions[record.stream] = revision + 1
      lengths.append(Self.line(record, index: index + 1, revision: revision).count + 1)
      guard withRows else { continue }
      rows.append(
        EventRow(
          stream: record.stream, rev: revision, at: record.at.description, type: record.type,
          data: String(decoding: record.data, as: UTF8.self)))
    }
    self.rows = rows
    rawBytes = lengths.reduce(0, +)
    medianLine = lengths.sorted()[lengths.count / 2]
  }

  /// The lines as the log will have them, one after the other.
  func lines() -> [UInt8] {
    var revisions: [String: Int] = [:]
    var out: [UInt8] = []
    out.reserveCapacity(rawBytes)
    for (index, record) in records.enumerated() {
      let revision = revisions[record.stream, default: 0]
      revisions[record.stream] = revision + 1
      out += Self.line(record, index: index + 1, revision: revision)
      out.append(0x0A)
    }
    return out
  }

  private static func line(_ record: NewRecord, index: Int, revision: Int) -> [UInt8] {
    var cause = ""
    if case .position(let position)? = record.cause { cause = ",\"cause\":\(position)" }
    let head = "{\"n\":\(index),\"at\":\"\(record.at)\",\"stream\":\"\(record.stream)\",\"rev\":\(revision)"
    return Array((head + ",\"type\":\"\(record.type)\",\"v\":\(record.version)\(cause),\"data\":").utf8) + record.data
      + [0x7D]
  }
}

/// A store that is measured.
enum Store {
  static func open(_ path: String, _ durability: Durability) throws -> EventLog {
    try EventLog.open(at: path, options: .init(durability: durability))
  }

  /// The bytes of its segments.
  static func bytes(_ path: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: path + "/segments").reduce(0) { sum, name in
      let attributes = try FileManager.default.attributesOfItem(atPath: path + "/segments/" + name)
      return sum + (attributes[.size] as? Int ?? 0)
    }
  }
}
