// Others must be able to read the log: `lz4`, `jq`, Python.
import Foundation
import Testing

@testable import EventStore

@Suite struct FormatTests {
  /// A closed store of many segments.
  static func manySegments(_ store: TemporaryStore, records count: Int = 400) throws {
    let log = try EventLog.open(at: store.path, options: .init(segmentBytes: 4 << 10, frameBytes: 2 << 10))
    for index in 0..<count {
      let ticket = try log.append([record("authn/\(index % 7)", "text \(index * 7919)"), record("log", "\(index)")])
      pass(log, ticket)
    }
    try log.close()
  }

  @Test(.enabled(if: has("lz4"), "needs the lz4 command"))
  func `lz4 prints exactly the lines of a log of many segments`() throws {
    let store = try TemporaryStore()
    try Self.manySegments(store)
    #expect(try store.segments().count >= 3)
    let outcome = try shell("cat \(store.path)/segments/*.ndjson.lz4 | lz4 -dc")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output == text(try records(in: store.path)))
    for path in try store.segments() { #expect(try shell("lz4 -t \(path)").status == 0) }
  }

  @Test(.enabled(if: has("lz4") && has("jq"), "needs lz4 and jq"))
  func `jq reads the lines`() throws {
    let store = try TemporaryStore()
    try Self.manySegments(store, records: 50)
    let outcome = try shell("cat \(store.path)/segments/*.ndjson.lz4 | lz4 -dc | jq -c .n | tail -1")
    #expect(outcome.output == Array("100\n".utf8))
  }

  @Test(.enabled(if: has("lz4"), "needs the lz4 command"))
  func `lz4 prints all whole commits of a log that is being written`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: .init(segmentBytes: 4 << 10, idleClose: .seconds(3600)))
    for index in 0..<300 { pass(log, try log.append([record("authn/\(index % 7)", "text \(index * 7919)")])) }
    #expect(try store.segments().count >= 3)
    let outcome = try shell("cat \(store.path)/segments/*.ndjson.lz4 | lz4 -dc")
    #expect(outcome.status == 68 || outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output == text(try records(in: store.path)))
    #expect(log.size == 301)
    try log.close()
  }

  @Test(.enabled(if: has("lz4") && has("python3"), "needs lz4 and python3"))
  func `an independent program computes the same root and accepts the checkpoint`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: .init(segmentBytes: 4 << 10, frameBytes: 2 << 10))
    let key = try SigningKey.obtain(for: log.identity, store: store.path, path: store.folder + "/key")
    for index in 0..<333 { _ = try log.append([record("authn/\(index % 7)", "text \(index * 7919)")]) }
    let note = try log.checkpoint(with: key)
    #expect(note.size == 334)
    _ = try log.append([record("authn/1", "after")])
    try log.close()
    let outcome = try shell("python3 \(independentCheck) \(store.path)")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(String(decoding: outcome.output, as: UTF8.self) == "335 \(Base64.encode(log.rootHash))\n")
  }

  @Test func `directories are for the owner alone, and so are files`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    let key = try SigningKey.obtain(for: log.identity, store: store.path, path: store.folder + "/keys/key")
    _ = try log.checkpoint(with: key)
    try log.close()
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(store.path) == 0o700)
    #expect(try mode(store.folder + "/keys/key") == 0o600)
    let all = try #require(FileManager.default.enumerator(atPath: store.path)).compactMap { $0 as? String }
    #expect(Set(all).isSuperset(of: ["store.json", "LOCK", "segments", "checkpoints/latest", "checkpoints/1"]))
    for name in all {
      var isDirectory: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: store.path + "/" + name, isDirectory: &isDirectory)
      #expect(try mode(store.path + "/" + name) == (isDirectory.boolValue ? 0o700 : 0o600), "\(name)")
    }
  }

  @Test func `the first bytes are a frame without content and a header that says where the log stands`() throws {
    let store = try TemporaryStore()
    try Self.manySegments(store)
    let second = try store.segments()[1]
    let head = try FileHead(of: try SystemDisk().open(second, .read))
    let header = try SegmentHeader(frame: head.frame)
    #expect(SegmentName.name(first: header.first) == second.split(separator: "/").last.map(String.init))
    #expect(header.previous == 0)
    #expect(String(decoding: head.frame.body, as: UTF8.self).contains("\"supersedes\":null"))
    let before = try records(in: store.path).prefix(Int(header.first)).map { MerkleTree.leaf($0.line) }
    #expect(header.frontier.root == MerkleTree.root(of: before[...]))
  }
}
