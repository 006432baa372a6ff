import Foundation
import Testing

@testable import EventStore
@testable import store_subject

/// One writer a store, of all the processes there are (DESIGN §4).
@Suite(.serialized) struct SecondWriterTests {
  @Test("a second writer is refused within 100 ms, and the error names the process; the lock goes with a killed writer")
  func second() async throws {
    try await Effort.onThread {
      let folder = try Folder()
      for round in 0..<10 {
        let subject = try Subject(["write", folder.store, "mode=each", "from=\(round * 1_000_000)"])
        subject.read(lines: 5)
        let disk = LockCountingDisk()
        var options = LogOptions()
        options.disk = disk
        let error = #expect(throws: StoreError.self) { try EventLog.open(at: folder.store, options: options).close() }
        #expect(error?.code == .locked)
        #expect(error?.description.contains("process \(subject.identifier)") == true)
        // Asked once, and not again and again for a time. Counted and not timed: the machine may be busy with something else.
        #expect(disk.attempts == 1)
        subject.kill()
        _ = subject.end()
        // At once: no waiting, no second attempt.
        try EventLog.open(at: folder.store).close()
      }
    }
  }

  @Test("a second process is refused although LOCK is gone or another file, through all the segments of the first")
  func removedLock() async throws {
    try await Effort.onThread {
      let folder = try Folder()
      let subject = try Subject(["write", folder.store, "mode=each", "segment=4096"])
      subject.read(lines: 5)
      var refusals = 0
      for round in 0..<40 {
        subject.read(lines: 5 * round + 10)
        try? FileManager.default.removeItem(atPath: folder.store + "/LOCK")
        if round % 2 == 0 { try Data("1\n".utf8).write(to: URL(fileURLWithPath: folder.store + "/LOCK")) }
        do { try EventLog.open(at: folder.store).close() } catch let refusal as StoreError where refusal.code == .locked
        {
          refusals += 1
        }
      }
      #expect(refusals == 40)
      subject.kill()
      _ = subject.end()
      try EventLog.open(at: folder.store).close()
      #expect(try Verifier(directory: folder.store).run().verdict == .unanchored)
    }
  }

  @Test("a lock that was given back is free at once, also in a process that is just starting others")
  func startingOthers() async throws {
    try await Effort.onThread {
      let folder = try Folder()
      let ended = DispatchSemaphore(value: 0)
      // A child has the open files of its parent until it has become another program.
      let starter = Thread {
        for _ in 0..<Effort.number("STARTS", short: 800) {
          let process = Process()
          process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
          process.arguments = ["true"]
          if (try? process.run()) != nil { process.waitUntilExit() }
        }
        ended.signal()
      }
      starter.start()
      var openings = 0
      while ended.wait(timeout: .now()) == .timedOut {
        try EventLog.open(at: folder.store).close()
        openings += 1
      }
      #expect(openings > 10)
    }
  }

  @Test("of many programs that open a store at once, one has it at a time")
  func race() async throws {
    try await Effort.onThread {
      let folder = try Folder()
      var promises = Promises()
      var subjects: [Subject] = []
      for number in 0..<8 {
        subjects.append(
          try Subject(["write", folder.store, "mode=each", "batches=20", "sessions=20", "from=\(number * 1_000_000)"]))
      }
      var written = 0
      for subject in subjects {
        let (lines, _) = subject.end()
        let errors = lines.filter { $0.hasPrefix("e ") }
        #expect(errors.allSatisfy { $0.contains("another writer has the store open") }, "\(errors.prefix(3))")
        promises.hear(lines)
        written += lines.contains("open") ? 1 : 0
      }
      #expect(written > 0 && promises.fault == nil)
      // The numbers of eight programs are not in order among each other; that each is there once, the positions say.
      #expect(try Verifier(directory: folder.store).run().verdict == .unanchored)
      let reader = try LogReader(directory: folder.store)
      for (position, record) in promises.records {
        var cursor = try reader.cursor(from: position)
        #expect(try cursor.next().map { Array($0.data) } == record.data)
      }
    }
  }
}

/// The disk of this machine, which counts how often a lock is asked for.
private final class LockCountingDisk: Disk, @unchecked Sendable {  // one thread at a time
  private let base = SystemDisk()
  /// How often a lock has been asked for.
  private(set) var attempts = 0

  func open(_ path: String, _ mode: OpenMode) throws(StoreError) -> any DiskFile {
    LockCountingFile(try base.open(path, mode), of: self)
  }

  func entry(_ path: String, followingLinks: Bool) throws(StoreError) -> DiskEntry? {
    try base.entry(path, followingLinks: followingLinks)
  }

  func makeDirectory(_ path: String) throws(StoreError) -> Bool { try base.makeDirectory(path) }
  func names(in directory: String) throws(StoreError) -> [String] { try base.names(in: directory) }
  func rename(_ from: String, to: String) throws(StoreError) { try base.rename(from, to: to) }
  func remove(_ path: String) throws(StoreError) { try base.remove(path) }
  func syncDirectory(_ path: String) throws(StoreError) { try base.syncDirectory(path) }

  private final class LockCountingFile: DiskFile, @unchecked Sendable {  // one thread at a time
    private let file: any DiskFile
    private let disk: LockCountingDisk
    var path: String { file.path }

    init(_ file: any DiskFile, of disk: LockCountingDisk) {
      self.file = file
      self.disk = disk
    }

    func lock() throws(StoreError) -> Bool {
      disk.attempts += 1
      return try file.lock()
    }

    func size() throws(StoreError) -> UInt64 { try file.size() }
    func read(at offset: UInt64, count: Int) throws(StoreError) -> [UInt8] { try file.read(at: offset, count: count) }
    func write(_ bytes: Span<UInt8>, at offset: UInt64) throws(StoreError) { try file.write(bytes, at: offset) }
    func truncate(to size: UInt64) throws(StoreError) { try file.truncate(to: size) }
    func sync() throws(StoreError) { try file.sync() }
    func unlock() { file.unlock() }
    func isReplaced() throws(StoreError) -> Bool { try file.isReplaced() }
    func isInPlace() throws(StoreError) -> Bool { try file.isInPlace() }
    func isLockedElsewhere() throws(StoreError) -> Bool { try file.isLockedElsewhere() }
  }
}
