import Foundation
import Testing

@testable import EventStore

/// What readers make of a log whose tail is torn and that was not recovered: all that is whole, as `verify` counts it.
@Suite struct TornTailTests {
  private let store: TemporaryStore
  private let key: SigningKey
  /// The last segment as it was closed, and where the last commit of it begins.
  private let whole: [UInt8]

  init() throws {
    store = try TemporaryStore()
    key = try SigningKey(name: "play")
    let log = try EventLog.open(
      at: store.path, options: .init(durability: .os, segmentBytes: 2_048, frameBytes: 400, origin: "play"))
    for index in 0..<12 { pass(log, try log.append([record("s/\(index % 3)", "\(index) \(Self.noise(index))")])) }
    _ = try log.checkpoint(with: key)
    for index in 12..<18 { pass(log, try log.append([record("s/\(index % 3)", "\(index)")])) }
    // As a killed process leaves it: the frame is open, and no word says that it was synced.
    whole = try bytes(of: try #require(store.segments().last))
    try log.close()
    try write(whole, to: try #require(store.segments().last))
  }

  private static func noise(_ index: Int) -> String {
    var random = SeededRandom(UInt64(index))
    return (0..<12).map { _ in String(random.next(), radix: 36) }.joined()
  }

  private func check(
    _ tail: [UInt8], isBehindDirectories: Bool = true, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let segment = try #require(store.segments().last, sourceLocation: sourceLocation)
    try write(tail, to: segment)
    let report = try Verifier(directory: store.path, pinnedKey: key.verifier).run()
    guard report.verdict == .torn else {
      // What was synced, or signed, is never passed over in silence.
      if [.altered, .forked, .badSignature].contains(report.verdict) {
        #expect(throws: StoreError(.altered, ""), sourceLocation: sourceLocation) { try records(in: store.path) }
      }
      return
    }
    let found = try records(in: store.path)
    #expect(UInt64(found.count) == report.records, "\(what)", sourceLocation: sourceLocation)
    let reader = try LogReader(directory: store.path)
    // A directory that reached the disk before what it is of counts, until the next opening.
    guard isBehindDirectories else { return }
    #expect(try reader.size() == report.records, "\(what)", sourceLocation: sourceLocation)
    #expect(try reader.root(at: report.records).description == report.root, "\(what)", sourceLocation: sourceLocation)
    #expect(
      try reader.records(of: "s/1") == found.filter { $0.stream == "s/1" }, "\(what)", sourceLocation: sourceLocation)
    var last = try reader.reversed()
    #expect(try last.next() == found.last, "\(what)", sourceLocation: sourceLocation)
    // A reader that came to the end goes on once a writer has recovered the log and appended.
    let copy = try store.copy()
    defer { try? FileManager.default.removeItem(atPath: copy) }
    var cursor = try LogReader(directory: copy).cursor()
    for _ in found { #expect(try cursor.next() != nil, "\(what)", sourceLocation: sourceLocation) }
    #expect(try cursor.next() == nil && cursor.next() == nil, "\(what)", sourceLocation: sourceLocation)
    let log = try EventLog.open(at: copy, options: .init(durability: .os))
    for index in 0..<3 { pass(log, try log.append([record("s/1", "after \(index)")])) }
    let after = try records(in: copy)
    #expect(after.starts(with: found) && after.last?.stream == "s/1", "\(what)", sourceLocation: sourceLocation)
    for record in after.dropFirst(found.count) {
      #expect(try cursor.next() == record, "\(what)", sourceLocation: sourceLocation)
    }
    #expect(try cursor.next() == nil, "\(what)", sourceLocation: sourceLocation)
    try log.close()
  }

  @Test func `garbage behind the whole commits`() throws {
    var random = SeededRandom(9)
    for length in [1, 3, 4, 7, 8, 11, 100, 5_000] {
      try check(whole + [UInt8](repeating: 0, count: length), "\(length) zeros")
      try check(whole + (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }, "\(length) bytes")
    }
  }

  @Test func `any bit of the last segment, and any length of it`() throws {
    var torn = 0
    // A header that cannot be read is no tail: a segment gets its name once its header is synced.
    let head = Int(try FileHead(of: MemoryFile(whole, path: "")).end)
    let last = try DirectoryChain.last(of: MemoryFile(whole, path: ""), headEnd: UInt64(head))
    for index in stride(from: head, to: whole.count, by: Effort.number("BITS", short: 1) == 0 ? 1 : 11) {
      var changed = whole
      changed[index] ^= 1 << UInt8(index % 8)
      try check(changed, isBehindDirectories: index >= last.end, "bit \(index % 8) of byte \(index)")
      if try Verifier(directory: store.path, pinnedKey: key.verifier).run().verdict == .torn { torn += 1 }
      try check(Array(whole[..<index]), "length \(index)")
      // As a page whose end did not reach the disk.
      try check(Array(whole[..<index]) + [UInt8](repeating: 0, count: 64), "length \(index), then zeros")
    }
    #expect(torn > 10)
  }

  @Test func `a follower goes on where the torn tail was`() async throws {
    let segment = try #require(store.segments().last)
    try write(whole + [UInt8](repeating: 7, count: 300), to: segment)
    let reader = try LogReader(directory: store.path)
    var cursor = try reader.cursor()
    var count = 0
    while try cursor.next() != nil { count += 1 }
    let log = try EventLog.open(at: store.path, options: .init(durability: .os))
    pass(log, try log.append([record("s/1", "after")]))
    var types: [String] = []
    while let record = try cursor.next() { types.append(record.type) }
    #expect(types == ["log.recovered", "log.opened", "note.added"])
    try log.close()
  }
}
