import Foundation
import Testing

@testable import EventStore

@Suite struct SliceTests {
  private static let source = StoreIdentity(id: "0123", origin: "example.com/log")

  private static func someRecords() throws -> [StoredRecord] {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    for index in 0..<30 { _ = try log.append([record("s/\(index % 3)", "text \(index)")]) }
    try log.close()
    return try LogReader(directory: store.path).records(of: "s/1")
  }

  @Test func `a recording holds the lines unchanged, and lz4 prints them`() throws {
    let folder = try TemporaryStore()
    let some = try Self.someRecords()
    let path = folder.folder + "/one.ndjson.lz4"
    try SliceFile.write(records: some, source: Self.source, to: path)
    let back = try SliceFile.read(path: path)
    #expect(back.records == some && some.count == 10)
    #expect(back.header == SliceHeader(store: "0123", origin: "example.com/log", records: 10))
    if has("lz4") { #expect(try shell("lz4 -dc \(path)").output == text(some)) }
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  @Test func `a recording without records is one`() throws {
    let bytes = try SliceFile.encode(records: [], source: Self.source)
    #expect(try SliceFile.read(bytes: bytes).records.isEmpty)
  }

  @Test func `a recording cut at any byte is malformed, and the error names the byte`() throws {
    let whole = try SliceFile.encode(records: try Self.someRecords(), source: Self.source)
    for length in 0..<whole.count {
      let error = #expect(throws: StoreError.self) { try SliceFile.read(bytes: Array(whole[..<length])) }
      #expect(error?.code == .malformed && error?.offset != nil, "\(length)")
    }
  }

  @Test func `a recording with any bit changed is refused`() throws {
    let whole = try SliceFile.encode(records: try Self.someRecords(), source: Self.source)
    for index in whole.indices {
      var bad = whole
      bad[index] ^= 1 << UInt8(index % 8)
      #expect(throws: StoreError.self, "\(index)") { try SliceFile.read(bytes: bad) }
    }
  }

  @Test(arguments: ["", "hello\n", "{\"n\":0}\n", "\u{4}\"M\u{18}`@"])
  func `text is no recording`(_ text: String) throws {
    let error = #expect(throws: StoreError.self) { try SliceFile.read(bytes: Array(text.utf8)) }
    #expect(error?.code == .malformed)
  }

  @Test func `a segment is no recording, and a recording no segment`() throws {
    let store = try TemporaryStore()
    try EventLog.open(at: store.path).close()
    #expect(throws: StoreError(.malformed, "")) { try SliceFile.read(path: try store.segments()[0]) }
    try write(try SliceFile.encode(records: [], source: Self.source), to: try store.segments()[0])
    #expect(try Verifier(directory: store.path).run().records == 0)
  }

  @Test func `a recording that decodes to more than is allowed is refused`() throws {
    let some = try Self.someRecords()
    let whole = try SliceFile.encode(records: some, source: Self.source)
    #expect(throws: StoreError(.tooLarge, "")) { try SliceFile.read(bytes: whole, limitBytes: 100) }
    #expect(try SliceFile.read(bytes: whole, limitBytes: text(some).count).records == some)
  }

  @Test func `a file that is not there is reported as such`() throws {
    #expect(throws: StoreError(.notFound, "")) { try SliceFile.read(path: "/none/such") }
    #expect(throws: StoreError(.malformed, "")) { try SliceFile.read(path: "/tmp") }
  }

  @Test func `records out of order make no recording`() throws {
    let some = try Self.someRecords()
    #expect(throws: StoreError(.invalid, "")) { try SliceFile.encode(records: some.reversed(), source: Self.source) }
  }
}
