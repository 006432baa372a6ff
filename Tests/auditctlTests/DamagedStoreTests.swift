// What each command says of a store whose end is torn, whose bytes are damaged, or which has lost some of its files.

import EventStore
import Foundation
import Testing

@Suite struct DamagedStoreTests {
  private let signed: SignedStore
  private var folder: Folder { signed.folder }
  private var store: String { signed.path }

  init() throws { signed = try SignedStore() }

  private func segment() throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: store + "/segments").sorted()
    return store + "/segments/" + (try #require(names.last))
  }

  private func append(_ bytes: [UInt8], to file: String) throws {
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }

  @Test("a torn tail: what is whole is read by all that reads, as verify counts it")
  func tornTail() throws {
    let whole = try signed.run("cat", "--store", store).output
    let before = try Data(contentsOf: URL(fileURLWithPath: segment()))
    for tail in [[UInt8](repeating: 0, count: 4_096), Array("no frame begins with this".utf8), [0x04, 0x22]] {
      try before.write(to: URL(fileURLWithPath: segment()))
      try append(tail, to: segment())
      #expect(try signed.run("verify", "--store", store).code == 11)
      let cat = try signed.run("cat", "--store", store)
      #expect(cat.code == 0 && cat.output == whole, "\(cat.errors)")
      let info = try signed.run("info", "--store", store, "--json")
      #expect(info.code == 0 && info.output.contains("\"records\":21"), "\(info.errors)\(info.output)")
      for command in [
        ["prove", "inclusion", "20"], ["flows"], ["report", "summary"], ["export", "--tiles", folder("tiles")],
      ] {
        let found = try Program.run(command + ["--store", store], in: folder)
        #expect(found.code == 0, "\(command): \(found.errors)")
        try? FileManager.default.removeItem(atPath: folder("tiles"))
      }
    }
  }

  @Test("what stands before a damage is printed")
  func beforeDamage() throws {
    let big = (0..<900).map {
      "{\"stream\":\"big\",\"type\":\"t\",\"data\":{\"i\":\"\(UUID().uuidString)\($0)\(UUID().uuidString)\"}}\n"
    }
    for part in [big[..<300], big[300..<600], big[600...]] {
      _ = try signed.run("append", "--store", store, input: part.joined())
    }
    _ = try signed.run("checkpoint", "--store", store, "--signing-key", folder("the.key"))
    let whole = try signed.run("cat", "--store", store).lines
    let file = try segment()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    bytes[bytes.count - bytes.count / 3] ^= 0xFF
    try bytes.write(to: URL(fileURLWithPath: file))
    let cat = try signed.run("cat", "--store", store)
    #expect(cat.code == 65)
    #expect(cat.lines.count > 300 && cat.lines.elementsEqual(whole.prefix(cat.lines.count)))
  }

  @Test("a segment that was emptied: what to do is said")
  func emptied() throws {
    try Data().write(to: URL(fileURLWithPath: segment()))
    for command in ["cat", "flows", "info"] {
      let run = try signed.run(command, "--store", store)
      #expect(run.code == 65 && run.errors.contains("ends in its first bytes"), "\(command): \(run)")
      #expect(run.errors.hasSuffix("; run auditctl verify.\n"), "\(command): \(run.errors)")
    }
  }

  @Test("segments/ gone: a verdict, nothing made in its place")
  func segmentsGone() throws {
    try FileManager.default.removeItem(atPath: store + "/segments")
    let report = try signed.run("verify", "--store", store, "--json")
    #expect(report.code == 21 && report.output.contains("\"truncated\""), "\(report.output)\(report.errors)")
    try FileManager.default.removeItem(atPath: store + "/checkpoints")
    #expect(try signed.run("verify", "--store", store).code == 24, "and where nothing was signed")
    let append = try signed.run("append", "--store", store, input: "{\"stream\":\"a\",\"type\":\"t\",\"data\":{}}\n")
    #expect(append.code == 65 && append.errors.contains("has lost its segments"), "\(append.errors)")
    #expect(!FileManager.default.fileExists(atPath: store + "/segments"))
  }

  @Test("a pinned key that has signed nothing that is there is reported, not that none is pinned")
  func pinnedWithoutCheckpoint() throws {
    // Those in the segments count too, so that a store which lost its checkpoints/ is anchored all the same.
    try FileManager.default.removeItem(atPath: store + "/checkpoints")
    let anchored = try signed.run("verify", "--store", store, "--public-key", folder("the.pub"))
    #expect(anchored.code == 0 && anchored.output.contains("note: It is not there"), "\(anchored.output)")
    let unsigned = folder("unsigned")
    let line = "{\"stream\":\"a\",\"type\":\"t\",\"data\":{}}\n"
    #expect(try signed.run("append", "--store", unsigned, input: line).code == 0)
    let report = try signed.run("verify", "--store", unsigned, "--public-key", folder("the.pub"))
    #expect(report.code == 10)
    #expect(report.output.contains("no checkpoint of the pinned key") && !report.output.contains("no key is pinned"))
    let json = try signed.run("verify", "--store", unsigned, "--public-key", folder("the.pub"), "--json").output
    #expect(json.contains("There is no checkpoint that the pinned key has signed."))
  }
}
