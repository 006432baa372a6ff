import Foundation
import Testing

@testable import EventStore

@Suite struct EventLogTests {
  @Test func `what is appended is read back, with positions and revisions`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    let ticket = try log.append([
      record("authn/a", "one"), record("authn/b", "two"), record("authn/a", "three", cause: .inBatch(0)),
    ])
    pass(log, ticket)
    let all = try records(in: store.path)
    #expect(ticket.positions == 1..<4)
    #expect(all.map(\.type) == ["log.opened", "note.added", "note.added", "note.added"])
    #expect(all.dropFirst().map(\.stream) == ["authn/a", "authn/b", "authn/a"])
    #expect(all.dropFirst().map(\.revision) == [0, 0, 1])
    #expect(all.last?.cause == 1)
    #expect(all.last.map { Array($0.data) } == Array("{\"text\":\"three\"}".utf8))
    try log.close()
  }

  @Test func `a closed log goes on where it ended`() throws {
    let store = try TemporaryStore()
    for round in 0..<3 {
      let log = try EventLog.open(at: store.path)
      #expect(log.size == UInt64(round == 0 ? 1 : 1 + round * 2))
      _ = try log.append([record("authn/a"), record("authn/\(round)")])
      try log.close()
    }
    let all = try records(in: store.path)
    #expect(all.map(\.position) == Array(0..<7))
    #expect(all.filter { $0.stream == "authn/a" }.map(\.revision) == [0, 1, 2])
  }
}
