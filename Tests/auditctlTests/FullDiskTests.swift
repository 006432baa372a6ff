import EventStore
import Foundation
import Testing

/// Commands on a store whose disk is full.
@Suite(.serialized) struct FullDiskTests {
  private static let count = 400

  /// A signed store of small segments on `disk`; its keys lie elsewhere.
  private func makeStore(on disk: SmallDisk, key: String, publicKey: String) throws -> String {
    let path = disk.path + "/audit"
    let log = try EventLog.open(at: path, options: EventLog.Options(segmentBytes: 4 << 10, frameBytes: 1 << 10))
    for number in 0..<Self.count {
      let text = String(UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15, radix: 36)
      let at = Timestamp(microseconds: 1_700_000_000_000_000 + Int64(number) * 60_000_000)
      _ = try log.append([
        NewRecord(at: at, stream: "app/\(number % 3)", type: "note", data: Array("{\"text\":\"\(text)\"}".utf8))
      ])
      try log.flush()
    }
    let signer = try SigningKey.obtain(for: log.identity, store: path, path: key)
    _ = try log.checkpoint(with: signer)
    try signer.verifier.description.write(toFile: publicKey, atomically: false, encoding: .utf8)
    try log.close()
    return path
  }

  @Test("past the limit on the size of files: 74, a sentence, and a log that goes on without the limit")
  func fileSizeLimit() throws {
    let folder = try Folder()
    let lines = (0..<4_000).map { number in
      let text = String(UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15, radix: 36)
      return "{\"stream\":\"app/1\",\"type\":\"note\",\"data\":{\"text\":\"\(text)\"}}\n"
    }
    _ = try folder.write(lines.joined(), to: "lines")
    // The shell that runs the tests may ignore the signal, and the program would inherit that. Needs coreutils 8.31.
    let limited = "ulimit -f 16; exec env --default-signal=XFSZ"
    let run = try Program.shell("\(limited) \"\(Program.binary)\" append --store audit < lines > /dev/null", in: folder)
    #expect(run.code == 74 && run.output.contains("ulimit -f"), "\(run)")
    #expect(try Program.run(["append", "--store", "audit"], input: lines[0], in: folder).code == 0)
    #expect(try Program.run(["cat", "--store", "audit"], in: folder).code == 0)
  }

  @Test("past the limit on the size of files, what -o writes and an index end with 74 and say which limit")
  func fileSizeLimitOfOutput() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let flow = try recorded.flow(of: "ann@acme.example")
    for command in ["export \(flow) --as har -o out.har", "evidence \(flow) -o out.zip", "index --index out.sqlite"] {
      let limited = "ulimit -f 1; exec env --default-signal=XFSZ"
      let run = try Program.shell("\(limited) '\(Program.binary)' \(command) --store '\(recorded.store)'", in: folder)
      #expect(run.code == 74 && run.output.contains("ulimit -f"), "\(command): \(run)")
    }
    let index = ["index", "--index", folder("out.sqlite"), "--store", recorded.store]
    #expect(try Program.run(index, in: folder).code == 0)
  }

  @Test(
    "prune on a full disk: 74, a sentence, and nothing half done",
    .enabled(if: SmallDisk.canMount, "a tmpfs cannot be mounted here (root is needed)"), arguments: [0, 4, 12, 24, 36])
  func prune(left kilobytes: Int) throws {
    let disk = try #require(SmallDisk(kilobytes: 512))
    defer { disk.remove() }
    let folder = try Folder()
    let key = folder("audit.key")
    let path = try makeStore(on: disk, key: key, publicKey: folder("audit.pub"))
    let before = try Program.run(["cat", "--store", path], in: folder).lines
    let reserve = disk.path + "/reserve"
    try Data(repeating: 0x78, count: kilobytes << 10).write(to: URL(fileURLWithPath: reserve))
    disk.fill()
    try FileManager.default.removeItem(atPath: reserve)

    let arguments = ["prune", "--before", "300", "--store", path, "--signing-key", key, "--json"]
    let run = try Program.run(arguments, in: folder)
    // Where there is room for what has to be written, the disk is not full.
    #expect(run.code == 74 || (run.code == 0 && kilobytes > 0), "\(run)")
    if run.code == 74 {
      #expect(run.output.isEmpty && run.errors.contains("space") && run.lines.isEmpty, "\(run)")
    }
    let verify = ["verify", "--store", path, "--public-key", folder("audit.pub")]
    let verified = try Program.run(verify, in: folder)
    #expect(verified.code == 0 || verified.code == 30, "\(verified)")
    let kept = try Program.run(["cat", "--store", path], in: folder).lines.filter { !$0.contains("log.pruned") }
    #expect(before.suffix(kept.count).elementsEqual(kept))
    #expect(kept.count == before.count || verified.code == 30)
    let names = try FileManager.default.subpathsOfDirectory(atPath: path)
    #expect(!names.contains { $0.hasSuffix(".tmp") }, "\(names)")

    disk.free()
    #expect(try Program.run(arguments, in: folder).code == 0)
    #expect(try Program.run(verify, in: folder).code == 30)
  }
}
