import Foundation
import Testing

@testable import EventStore

@Suite struct OpeningTests {
  @Test func `a second writer is refused at once, and the error names the process that has the store`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    let error = #expect(throws: StoreError.self) { try EventLog.open(at: store.path) }
    #expect(error?.code == .locked)
    #expect(error?.description.contains("\(ProcessInfo.processInfo.processIdentifier)") == true)
    try log.close()
    try EventLog.open(at: store.path).close()
  }

  @Test(.enabled(if: has("python3"), "needs python3"))
  func `a writer in another process is seen, and its lock goes with it`() throws {
    let store = try TemporaryStore()
    try EventLog.open(at: store.path).close()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let script = """
      import fcntl, os, struct, sys
      f = open(sys.argv[1], "r+")
      f.write(str(os.getpid()) + "\\n"); f.flush()
      fcntl.fcntl(f, 37, struct.pack("hhqqi4x", 1, 0, 0, 0, 0))
      print("locked", flush=True); sys.stdin.read()
      """
    process.arguments = ["-c", "exec python3 -c '\(script)' \(store.path)/LOCK"]
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).hasPrefix("locked"))
    let error = #expect(throws: StoreError.self) { try EventLog.open(at: store.path) }
    #expect(error?.code == .locked)
    #expect(error?.description.contains("process \(process.processIdentifier)") == true)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try EventLog.open(at: store.path).close()
  }

  @Test func `a log whose thread the system does not start is not opened, and keeps no lock`() throws {
    let store = try TemporaryStore()
    for _ in 0..<2 {
      let error = #expect(throws: StoreError(.io, "")) {
        try ThreadLimit.$isReached.withValue(true) { _ = try EventLog.open(at: store.path) }
      }
      #expect(error?.message.contains("thread") == true, "\(String(describing: error))")
    }
    let log = try EventLog.open(at: store.path)
    let ticket = try log.append([record("s")])
    // No caller waits at a barrier: the log's own thread writes it.
    let limit = Date(timeIntervalSinceNow: 60)
    while log.size < ticket.positions.upperBound, Date() < limit { Thread.sleep(forTimeInterval: 0.01) }
    #expect(log.size >= ticket.positions.upperBound, "the log's own thread wrote nothing within a minute")
    try log.close()
    #expect(try Verifier(directory: store.path).run().verdict == .unanchored)
  }

  @Test func `what is no store is reported as such`() throws {
    let store = try TemporaryStore()
    #expect(throws: StoreError(.notFound, "")) { try LogReader(directory: store.folder + "/none") }
    #expect(throws: StoreError(.notAStore, "")) { try LogReader(directory: store.folder) }
    #expect(throws: StoreError(.notFound, "")) { try Verifier(directory: store.folder + "/none").run() }
    try write([1, 2, 3], to: store.folder + "/something")
    #expect(throws: StoreError(.notAStore, "")) { try EventLog.open(at: store.folder) }
    #expect(throws: StoreError.self) { try EventLog.open(at: store.folder + "/something") }
    try EventLog.open(at: store.path).close()
    try write(Array("{}".utf8), to: store.path + "/store.json")
    #expect(throws: StoreError(.malformed, "")) { try EventLog.open(at: store.path) }
    #expect(throws: StoreError(.malformed, "")) { try LogReader(directory: store.path) }
  }

  @Test func `a creation that was cut off is taken up again`() throws {
    let store = try TemporaryStore()
    for name in ["", "/segments", "/checkpoints"] {
      try FileManager.default.createDirectory(
        atPath: store.path + name, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    try write([], to: store.path + "/LOCK")
    try write(Array("{".utf8), to: store.path + "/store.json.tmp")
    try EventLog.open(at: store.path).close()
    #expect(try records(in: store.path).count == 1)
  }

  @Test(arguments: [false, true], [false, true])
  func `a store that another process makes in the middle of the opening is locked, or opened`(
    _ isKept: Bool, _ isBegun: Bool
  ) throws {
    var openings: [StoreError.Code?] = []
    for call in 1..<Int.max {
      let disk = MemoryDisk(seed: 1)
      _ = try disk.makeDirectory("/volume")
      // What a creation has made that has just begun.
      for path in isBegun ? ["", "/segments", "/checkpoints"] : [] { _ = try disk.makeDirectory(Play.store + path) }
      var options = LogOptions(clock: { noon })
      var other: EventLog?
      options.disk = MeddledDisk(base: disk, call: call) {
        var others = LogOptions(clock: { noon })
        others.disk = disk
        other = try? EventLog.open(at: Play.store, options: others)
        if !isKept { try? other?.close() }
      }
      do throws(StoreError) {
        try EventLog.open(at: Play.store, options: options).close()
        openings.append(nil)
      } catch {
        openings.append(error.code)
      }
      guard other != nil else { break }
      try other?.close()
      #expect(try records(on: disk).count == 1, "one `log.opened`, whoever made the store: at call \(call)")
    }
    #expect(openings.count > 5)
    #expect(openings.dropLast().allSatisfy { $0 == (isKept ? .locked : nil) }, "\(openings)")
  }

  @Test func `a listing that comes back short, or fails, costs no record`() throws {
    let store = try TemporaryStore()
    try makeSegments(in: store)
    let names = try store.segments().map { String($0.suffix(31)) }
    try #require(names.count > 1)
    let all = try store.segments().map { try bytes(of: $0) }
    // None is seen, only the first ones are, the disk says that it cannot list.
    let listings: [(seen: [String]?, code: StoreError.Code)] = [
      ([], .missingSegment), (Array(names.dropLast()), .altered), (nil, .io),
    ]
    for (seen, code) in listings {
      var options = smallSegments()
      options.disk = PeculiarDisk(
        SystemDisk(),
        list: { directory, names throws(StoreError) in
          guard directory.hasSuffix("/segments") else { return names }
          guard let seen else { throw StoreError(.io, "cannot list", file: directory) }
          return seen
        })
      let error = #expect(throws: StoreError.self) { try EventLog.open(at: store.path, options: options) }
      #expect(error?.code == code, "\(String(describing: error))")
      #expect(try store.segments().map { try bytes(of: $0) } == all)
    }
    try EventLog.open(at: store.path, options: smallSegments()).close()
    #expect(try Verifier(directory: store.path).run().verdict == .unanchored)
  }

  @Test func `a store that lost all segments is not started again, one that was only just made is`() throws {
    let store = try TemporaryStore()
    let log = try EventLog.open(at: store.path)
    pass(log, try log.append([record("a")]))
    try log.close()
    let segment = try #require(try store.segments().first)
    try FileManager.default.moveItem(atPath: segment, toPath: store.folder + "/kept")
    for _ in 0..<2 {
      #expect(throws: StoreError(.missingSegment, "")) { try EventLog.open(at: store.path) }
    }
    #expect(try store.segments().isEmpty)
    try FileManager.default.moveItem(atPath: store.folder + "/kept", toPath: segment)
    try EventLog.open(at: store.path).close()
    #expect(try records(in: store.path).count == 2)

    // Killed and without power at each call of the first opening, and of the one after it.
    for (first, isPowerCut) in (1..<70).flatMap({ [($0, false), ($0, true)] }) {
      for second in stride(from: 1, to: 60, by: 13) {
        var disk = MemoryDisk(seed: UInt64(first))
        _ = try disk.makeDirectory("/volume")
        try disk.syncDirectory("/")
        for call in [first, second] {
          var options = LogOptions(clock: { noon })
          options.disk = disk
          if isPowerCut { disk.cutPower(afterCalls: call) } else { disk.kill(afterCalls: call) }
          try? EventLog.open(at: Play.store, options: options).close()
          disk = disk.afterCut()
        }
        var options = LogOptions(clock: { noon })
        options.disk = disk
        let again = try EventLog.open(at: Play.store, options: options)
        pass(again, try again.append([record("a")]))
        try again.close()
      }
    }
  }

  @Test func `a relative path means the same place however long the log is open`() throws {
    let store = try TemporaryStore()
    var options = smallSegments(2 << 10)
    // As if the process had been in that directory when the log was opened, and went elsewhere.
    let disk = SystemDisk().fixed(at: store.folder)
    options.disk = disk.fixed(at: "/")
    let log = try EventLog.open(at: "audit", options: options)
    try fill(log, records: 200)
    _ = try log.checkpoint(with: try SigningKey(name: "seal"))
    try log.close()
    #expect(try store.segments().count > 2)
    #expect(try records(in: store.path).count == 201)
    let error = #expect(throws: StoreError.self) { try disk.open("audit/none", .read) }
    #expect(error?.code == .notFound && error?.file == "audit/none")
  }

  @Test func `an open log that goes away closes itself`() throws {
    let store = try TemporaryStore()
    do {
      let log = try EventLog.open(at: store.path)
      _ = try log.append([record("a")])
    }
    try EventLog.open(at: store.path).close()
    #expect(try records(in: store.path).count == 2)
  }

  @Test(.enabled(if: canMount, "needs the right to mount"))
  func `a full disk fails the commits that do not fit, and the log goes on once there is room`() throws {
    let store = try TemporaryStore()
    let disk = store.folder + "/disk"
    try FileManager.default.createDirectory(
      atPath: disk, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    #expect(try shell("mount -t tmpfs -o size=256k tmpfs \(disk)").status == 0)
    // A program that another test starts at this moment may have a file of it open for a while.
    defer { _ = try? shell("umount -l \(disk)") }
    let path = disk + "/audit"
    let log = try EventLog.open(at: path)
    try write([UInt8](repeating: 7, count: 100 << 10), to: disk + "/ballast")
    var passed = 0
    var outcome = BarrierOutcome.passed
    var random = SeededRandom(92)
    while outcome == .passed, passed < 1_000 {
      let noise = (0..<4_000).map { _ in "0123456789abcdefghijklmnopqrstuvwxyz".randomElement(using: &random) ?? "x" }
      let ticket = try log.append([record("a", String(noise)), record("a", "end")])
      outcome = log.barrier(ticket) { _ in }
      if outcome == .passed { passed += 1 }
    }
    #expect(outcome == .failed(StoreError(.noSpace, "")))
    let size = log.size
    #expect(size == UInt64(1 + passed * 2))
    // A ticket from before the failure stays what it was; a store that is full stays readable.
    #expect(try records(in: path).count == Int(size))
    try FileManager.default.removeItem(atPath: disk + "/ballast")
    let ticket = try log.append([record("a", "after")])
    #expect(ticket.positions == size..<size + 1 && ticket.generation == 1)
    pass(log, ticket)
    try log.close()
    let all = try records(in: path)
    #expect(all.count == Int(size) + 1)
    #expect(all.last?.revision == passed * 2)
    #expect(try Verifier(directory: path).run().verdict == .unanchored)
  }

  @Test(.enabled(if: canMount, "needs the right to mount"))
  func `a store on a read-only disk is read, verified and not written`() throws {
    let store = try TemporaryStore()
    let writable = store.folder + "/disk"
    let disk = store.folder + "/read-only"
    for folder in [writable, disk] {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    try EventLog.open(at: writable + "/audit").close()
    // A mount of its own, in which a program that another test starts at this moment has no file open.
    #expect(try shell("mount --bind \(writable) \(disk) && mount -o remount,bind,ro \(disk)").status == 0)
    // A program that another test starts at this moment may have a file of it open for a while.
    defer { _ = try? shell("umount -l \(disk)") }
    #expect(throws: StoreError(.permission, "")) { try EventLog.open(at: disk + "/audit") }
    #expect(throws: StoreError(.permission, "")) { try EventLog.open(at: disk + "/another") }
    #expect(try records(in: disk + "/audit").count == 1)
    #expect(try Verifier(directory: disk + "/audit").run().verdict == .unanchored)
  }
}

/// True where this process may mount a file system.
let canMount: Bool = {
  let folder = NSTemporaryDirectory() + "mount-" + UUID().uuidString
  let command = "mkdir \(folder) && mount -t tmpfs -o size=64k tmpfs \(folder) && umount \(folder) && rmdir \(folder)"
  return (try? shell(command))?.status == 0
}()
