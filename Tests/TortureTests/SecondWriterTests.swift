import EventStore
import Foundation
import Testing

@testable import store_subject

/// One writer a store, of all the processes there are (DESIGN §4).
@Suite(.serialized) struct SecondWriterTests {
  @Test("a second writer is refused within 100 ms and told the process; the lock goes with a killed writer")
  func second() async throws {
    try await Effort.onThread {
      let folder = try Folder()
      for round in 0..<10 {
        let subject = try Subject(["write", folder.store, "mode=each", "from=\(round * 1_000_000)"])
        subject.read(lines: 5)
        let clock = ContinuousClock()
        var error: StoreError?
        // The best of three: the machine may be busy with something else, the store may not wait.
        let times = (0..<3).map { _ in
          clock.measure {
            do { try EventLog.open(at: folder.store).close() } catch let refusal { error = refusal as? StoreError }
          }
        }
        #expect(error?.code == .locked)
        #expect(error?.description.contains("process \(subject.identifier)") == true)
        #expect(times.min() ?? .seconds(1) < .milliseconds(100))
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
