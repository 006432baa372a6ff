// Indexes that someone else made or changed: they say nothing else than the log for long, take no memory, and end.

import Foundation
import Testing

@Suite struct ForgedIndexTests {
  /// What is done to an index, and whether the commands go on with what the log says.
  private static let forgeries: [(name: String, sql: String, isMended: Bool)] = [
    (
      "flows that do not end",
      endless(
        "flows",
        "x AS id, 0 AS store, x'61' AS stream, 0 AS first, 0 AS started, 'a' AS kind, NULL AS typed, NULL AS login, x'00' AS facts"
      ), true
    ),
    (
      "own records that do not end", endless("own", "0 AS store, x AS position, 0 AS at, 't' AS type, '{}' AS data"),
      true
    ),
    ("a version that is counted", endless("meta", "'version' AS name, x AS value"), true),
    (
      "stores that do not end",
      endless("stores", "x AS number, '/' AS path, 'x' AS id, 0 AS position, 0 AS kept, NULL AS tail"), true
    ),
    ("a trigger", "CREATE TRIGGER t AFTER UPDATE ON stores BEGIN DELETE FROM flows; END", true),
    (
      "a million own records",
      "INSERT INTO own SELECT 0, 1000000 + x, 0, 'recorder.started', '{}' FROM (\(counted(1_000_000)))", true
    ),
    ("facts of 100 MB", "UPDATE flows SET facts = zeroblob(100000000) WHERE id = 1", false),
    ("facts that are none", "UPDATE flows SET facts = x'ffffffffffff'", false),
    (
      "values of other types", "UPDATE flows SET store = 'abc', started = 'zz', kind = x'ff'; UPDATE own SET data = 12",
      false
    ),
    ("positions beyond all", "UPDATE stores SET position = 9223372036854775807", true),
  ]

  private static func endless(_ table: String, _ columns: String) -> String {
    "ALTER TABLE \(table) RENAME TO old_\(table); CREATE VIEW \(table) AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT \(columns) FROM c"
  }

  private static func counted(_ count: Int) -> String {
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT \(count)) SELECT x FROM c"
  }

  @Test(
    "an index that was forged is made again or refused, at once and in little memory", arguments: 0..<forgeries.count)
  func forged(number: Int) throws {
    let (name, sql, isMended) = Self.forgeries[number]
    let folder = try Folder()
    _ = try Program.run(
      ["simulate", "--company", "--flows", "240", "--store", folder("company"), "--json"], in: folder)
    #expect(
      try Program.run(["index", "--store", folder("company"), "--index", folder("i.sqlite")], in: folder).code == 0)
    let script = "import sqlite3; d = sqlite3.connect('i.sqlite'); d.executescript(\"\"\"\(sql)\"\"\"); d.commit()"
    try script.write(toFile: folder("forge.py"), atomically: true, encoding: .utf8)
    #expect(try Program.shell("python3 forge.py && cp i.sqlite forged.sqlite", in: folder).code == 0, "\(name)")
    func run(_ index: String) throws -> Run {
      // A rope for what runs away; what it took is measured below.
      try Program.shell(
        "ulimit -v 4000000; timeout 30 '\(Program.binary)' flows --store company --json \(index)", in: folder)
    }
    let plain = try run("--no-index")
    let forged = try run("--index i.sqlite")
    #expect(plain.code == 0 && !plain.output.isEmpty)
    // Refused, it stays as it was; made again, it is forged once more.
    if isMended { #expect(try Program.shell("rm i.sqlite; cp forged.sqlite i.sqlite", in: folder).code == 0) }
    let measured = try MeasuredRun(
      ["flows", "--store", folder("company"), "--json", "--index", folder("i.sqlite")], in: folder)
    #expect(measured.code == forged.code && measured.memory < 256 << 20, "\(name): \(measured)")
    if isMended {
      #expect(forged.code == 0 && forged.output == plain.output, "\(name): \(forged.code) \(forged.errors)")
    } else {
      let said = forged.output + forged.errors
      #expect(forged.code == 65 && said.contains("--rebuild"), "\(name): \(forged.code) \(said)")
    }
  }
}
