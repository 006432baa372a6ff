import EventStore
import Foundation
import Testing

/// Readers and verifiers beside a writer that writes as fast as it can.
@Suite(.serialized) struct BesideTests {
  @Test("eight readers and a verify loop beside a writer see no false alarm and no torn read")
  func beside() async throws {
    try await Effort.onThread {
      let seconds = Effort.number("BESIDE_SECONDS", short: 3)
      let folder = try Folder()
      let key = try SigningKey.create(path: folder.path + "/key", name: "subject")
      let arguments = [
        "write", folder.store, "mode=group", "appenders=4", "segment=300000", "frame=20000",
        "signing=\(folder.path)/key",
      ]
      let limit = "limit=\(seconds * 5 + 120)"
      let first = try Subject(arguments + ["batches=10"])
      var promises = Promises()
      promises.hear(first.end().lines)
      let writer = try Subject(arguments + ["seconds=\(seconds)", "from=1000000", limit])
      var watchers = try (0..<8).map { try Subject(["read", folder.store, "seed=\($0)", limit]) }
      watchers.append(try Subject(["verify", folder.store, limit]))
      let (lines, end) = writer.end()
      #expect(end == .exit(0), "\(lines.suffix(2))")
      promises.hear(lines)
      for watcher in watchers { watcher.endInput() }
      var read = 0
      for (index, watcher) in watchers.enumerated() {
        let (lines, end) = watcher.end()
        #expect(end == .exit(0) && lines.count == 1, "watcher \(index) ended with \(end): \(lines)")
        read += lines.first.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) } ?? 0
        if index == 0 || index == 8 { Effort.report("beside: \(lines.first ?? "")") }
      }
      let fault = promises.fault(of: folder.store, key: key.verifier)
      #expect(fault == nil, "\(fault ?? "")")
      Effort.report("beside: \(seconds) s, \(promises.records.count) records written, \(read) read, no false alarm")
    }
  }
}
