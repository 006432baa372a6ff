import Foundation
import Testing

@testable import EventStore

@Suite struct RecoveryTests {
  @Test func `a log cut at any byte of its last commit keeps the commits before it`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: .init(idleClose: .seconds(3600)))
    for index in 0..<5 { pass(log, try log.append([record("authn/a", "number \(index)")])) }
    let segment = try store.segments()[0]
    let before = try bytes(of: segment).count
    let whole = try records(in: store.path)
    pass(log, try log.append([record("authn/b", "last"), record("authn/a", "very last")]))
    let after = try bytes(of: segment)
    let complete = try records(in: store.path)
    #expect(complete.count == whole.count + 2)

    for length in before...after.count {
      let copy = try store.copy()
      let name = try store.segments(in: copy)[0]
      try write(Array(after[..<length]), to: name)
      #expect(try records(in: copy) == (length == after.count ? complete : whole), "\(length)")
      let isTorn = length > before && length < after.count
      #expect(try Verifier(directory: copy).run().verdict == (isTorn ? .torn : .unanchored), "\(length)")

      let again = try EventLog.open(at: copy)
      pass(again, try again.append([record("authn/a", "after")]))
      try again.close()
      let kept = try records(in: copy)
      #expect(kept.prefix(whole.count).elementsEqual(whole), "\(length)")
      let types = kept.dropFirst(whole.count).map(\.type)
      let expected =
        length == after.count
        ? ["note.added", "note.added", "note.added"]
        : isTorn ? ["log.recovered", "log.opened", "note.added"] : ["note.added"]
      #expect(types == expected, "\(length)")
      #expect(kept.last?.revision == (length == after.count ? 6 : 5), "\(length)")
      #expect(try Verifier(directory: copy).run().verdict == .unanchored, "\(length)")
      let evidence = try FileManager.default.contentsOfDirectory(atPath: copy + "/quarantine")
      #expect(evidence == (isTorn ? ["00000000000000000000-\(before).bin"] : []))
      if isTorn {
        #expect(try bytes(of: copy + "/quarantine/" + evidence[0]) == Array(after[before..<length]))
        #expect(
          String(decoding: kept[whole.count].data, as: UTF8.self)
            == "{\"segment\":\"00000000000000000000.ndjson.lz4\",\"offset\":\(before),\"bytes\":\(length - before),"
            + "\"quarantine\":\"\(evidence[0])\"}")
      }
    }
    try log.close()
  }

  @Test func `a log cut at any byte of its first commits opens and goes on`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: .init(frameBytes: 300, idleClose: .seconds(3600)))
    for index in 0..<6 { pass(log, try log.append([record("authn/\(index % 2)", "number \(index)")])) }
    let all = try records(in: store.path)
    let whole = try bytes(of: try store.segments()[0])
    let head = try FileHead(of: MemoryFile(whole, path: "")).end
    for length in Int(head)...whole.count {
      let copy = try store.copy()
      try write(Array(whole[..<length]), to: try store.segments(in: copy)[0])
      let found = try records(in: copy)
      #expect(all.prefix(found.count).elementsEqual(found), "\(length)")
      let verdict = try Verifier(directory: copy).run().verdict
      #expect(verdict == .torn || verdict == .unanchored, "\(length)")
      let again = try EventLog.open(at: copy)
      pass(again, try again.append([record("authn/1", "after")]))
      try again.close()
      let kept = try records(in: copy)
      #expect(kept.prefix(found.count).elementsEqual(found), "\(length)")
      #expect(kept.contains { $0.type == "log.recovered" } == (verdict == .torn), "\(length)")
      #expect(try Verifier(directory: copy).run().verdict == .unanchored, "\(length)")
    }
    try log.close()
  }

  @Test func `a cut header of a first segment is torn, and the log starts again`() throws {
    let store = try TemporaryStore()
    try EventLog.open(at: store.path).close()
    let path = try store.segments()[0]
    try write(Array(try bytes(of: path).prefix(40)), to: path)
    #expect(try Verifier(directory: store.path).run().verdict == .torn)
    let log = try EventLog.open(at: store.path)
    try log.close()
    #expect(try records(in: store.path).map(\.type) == ["log.recovered", "log.opened"])
    #expect(try Verifier(directory: store.path).run().verdict == .unanchored)
  }

  @Test func `a frame that was left open is closed by the next opening, and nothing is reported`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: .init(idleClose: .seconds(3600)))
    pass(log, try log.append([record("authn/a")]))
    let copy = try store.copy()
    try EventLog.open(at: copy).close()
    #expect(try records(in: copy) == records(in: store.path))
    if has("lz4") { #expect(try shell("lz4 -t \(try store.segments(in: copy)[0])").status == 0) }
    try log.close()
  }

  @Test func `a change of any bit is found, never a trap, and never a wrong record`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: .init(frameBytes: 400, idleClose: .seconds(3600)))
    for index in 0..<6 { _ = try log.append([record("authn/\(index % 2)", "number \(index)")]) }
    try log.sync()
    for index in 6..<9 { _ = try log.append([record("authn/\(index % 2)", "number \(index)")]) }
    try log.flush()
    let all = try records(in: store.path)
    let copy = try store.copy()
    try log.close()
    let path = try store.segments(in: copy)[0]
    let good = try bytes(of: path)
    #expect(try Verifier(directory: copy).run().verdict == .unanchored)
    let synced = 7  // records 0...6 were synced
    // One bit of each byte; all of them are for the long run.
    for bit in (0..<good.count).map({ $0 * 8 + $0 % 8 }) {
      var bad = good
      bad[bit / 8] ^= 1 << UInt8(bit % 8)
      try write(bad, to: path)
      let report = try Verifier(directory: copy).run()
      let isBeforeSync = report.records < synced
      try #require(report.verdict == .altered || (report.verdict == .torn && !isBeforeSync), "bit \(bit): \(report)")
      try #require(report.findings.first.map { $0.offset ?? .max <= UInt64(bit / 8) } ?? false, "bit \(bit): \(report)")
      if let cursor = try? LogReader(directory: copy).cursor() {
        var reading = cursor
        var found: [StoredRecord] = []
        while let record = try? reading.next() { found.append(record) }
        #expect(all.prefix(found.count).elementsEqual(found), "bit \(bit)")
      }
    }
  }

  @Test func `damage in a part that was synced refuses to open and cuts nothing`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path, options: .init(frameBytes: 400))
    for index in 0..<20 { _ = try log.append([record("authn/a", "number \(index)")]) }
    try log.flush()
    try log.close()
    let path = try store.segments()[0]
    var bad = try bytes(of: path)
    let headEnd = Int(try FileHead(of: MemoryFile(bad, path: "")).end)
    bad[headEnd + 9] ^= 0x40  // the third byte of the first block's size
    bad.append(7)  // a torn tail, so that opening has to look further than the end
    try write(bad, to: path)
    let error = #expect(throws: StoreError.self) { try EventLog.open(at: store.path) }
    #expect(error?.code == .altered)
    #expect(try bytes(of: path) == bad)
    #expect(try Verifier(directory: store.path).run().verdict == .altered)
    let again = #expect(throws: StoreError.self) { try records(in: store.path) }
    #expect(again?.code == .altered)
    #expect(again?.position != nil && again?.offset != nil)
  }

  private static let torn: [UInt8] = [0x04, 0x22, 0x4D, 0x18, 0x70]

  /// A store whose last segment has a torn tail, on a disk in memory.
  private func tornStore(_ options: inout LogOptions) throws -> MemoryDisk {
    let disk = MemoryDisk(seed: 3)
    _ = try disk.makeDirectory("/volume")
    options.disk = disk
    let log = try EventLog.open(at: Play.store, options: options)
    pass(log, try log.append([record("a")]))
    try log.close()
    let file = try disk.open(StoreLayout(Play.store).segment(0), .update)
    try file.write(Self.torn.span, at: try file.size())
    return disk
  }

  /// The names in quarantine, and those that the log reports.
  private func quarantined(_ disk: MemoryDisk) throws -> (there: [String], reported: [String]) {
    var reported: [String] = []
    for record in try records(on: disk) where record.type == "log.recovered" {
      guard case .string(let name)? = try JSON(parsing: record.data)["quarantine"] else { continue }
      reported.append(name)
    }
    return (try disk.names(in: StoreLayout(Play.store).quarantine).sorted(), reported.sorted())
  }

  @Test func `what was cut off is reported once, whenever the process ended`() throws {
    var isWhole = false
    for call in 1..<400 where !isWhole {
      var options = LogOptions(clock: { noon }, idleClose: .seconds(3600))
      var disk = try tornStore(&options)
      disk.kill(afterCalls: call)
      try? EventLog.open(at: Play.store, options: options).close()
      isWhole = disk.callAtCut == nil
      disk = disk.afterCut()
      options.disk = disk
      for _ in 0..<3 { try EventLog.open(at: Play.store, options: options).close() }
      let (there, reported) = try quarantined(disk)
      #expect(!there.isEmpty && there == reported, "\(call): \(there), \(reported)")
    }
    #expect(isWhole)
  }

  @Test func `a copy to quarantine that fails leaves no part of it`() throws {
    for number in 1..<20 {
      var options = LogOptions(clock: { noon }, idleClose: .seconds(3600))
      let disk = try tornStore(&options)
      for _ in 0..<3 {
        disk.fail(.write, number: number, with: .noSpace)
        try? EventLog.open(at: Play.store, options: options).close()
        for name in try disk.names(in: StoreLayout(Play.store).quarantine) {
          let path = StoreLayout(Play.store).quarantine + "/" + name
          #expect(try disk.contents(of: path, limit: 1 << 10).starts(with: Self.torn), "\(number): \(name)")
        }
      }
    }
  }

  @Test func `a torn tail that is a hole takes no room in quarantine either`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    pass(log, try log.append([record("a")]))
    try log.close()
    let segment = try #require(store.segments().first)
    let size = try bytes(of: segment).count
    let whole = size + 24 << 20
    #expect(truncate(segment, whole) == 0)
    let again = try EventLog.open(at: store.path)
    try again.close()
    let folder = StoreLayout(store.path).quarantine
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
    var status = stat()
    #expect(stat(folder + "/" + name, &status) == 0)
    #expect(status.st_size == whole - size && status.st_blocks * 512 < 1 << 20, "\(status.st_blocks) blocks")
    #expect(try records(in: store.path).map(\.type) == ["log.opened", "note.added", "log.recovered", "log.opened"])
  }
}
