// What somebody found who tried the program from outside, by its contract alone.

import EventStore
import Foundation
import Testing

@Suite struct OutsiderTests {
  private let folder: Folder
  private let store: String

  /// A store of 20 records and `log.opened`, signed, under `folder/audit`; its key lies at `folder/the.key`.
  init() throws {
    folder = try Folder()
    store = folder("audit")
    let lines = (0..<20).map { "{\"stream\":\"s/\($0 % 3)\",\"type\":\"t\",\"data\":{\"i\":\($0)}}\n" }.joined()
    #expect(try Program.run(["append", "--store", store], input: lines, in: folder).code == 0)
    #expect(
      try Program.run(["checkpoint", "--store", store, "--signing-key", folder("the.key")], in: folder).code == 0)
  }

  private func run(_ arguments: String..., input: String = "") throws -> Run {
    try Program.run(arguments, input: input, in: folder)
  }

  /// Runs a line of the shell in which `auditctl` is the program.
  private func shell(_ line: String) throws -> Run {
    let process = Process()
    let output = folder("shell.out")
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "auditctl() { \"$AUDITCTL\" \"$@\"; }\n" + line]
    process.environment = Program.environment(home: folder.path).merging(["AUDITCTL": Program.binary]) { $1 }
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    _ = FileManager.default.createFile(atPath: output, contents: nil)
    process.standardOutput = FileHandle(forWritingAtPath: output)
    try process.run()
    process.waitUntilExit()
    return Run(
      code: process.terminationStatus, output: try String(contentsOfFile: output, encoding: .utf8), errors: "")
  }

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

  // MARK: Descriptors

  @Test(
    "closed standard input, output or error never lead into a file of the store",
    arguments: ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
  func closedDescriptors(_ closed: String) throws {
    for command in [
      "checkpoint --signing-key the.key", "seal", "prune --before 5 --signing-key the.key", "append", "info", "cat",
      "keys rotate --signing-key the.key --new-key new.key", "verify",
    ] {
      // libfaketime opens a file of its own first of all, which would be the closed descriptor: it is left out.
      let code = try shell("unset LD_PRELOAD; auditctl \(command) --store audit \(closed)").code
      #expect(code != 132 && code != 133 && code != 139, "\(command) \(closed) ended with \(code)")
      let report = try run("verify", "--store", store, "--json")
      #expect(report.code == 10, "\(command) \(closed): \(report.output)")
      let lock = try String(contentsOfFile: store + "/LOCK", encoding: .utf8)
      #expect(lock.allSatisfy { $0.isNumber || $0.isWhitespace }, "\(command) \(closed): \(lock)")
    }
    #expect(try shell("unset LD_PRELOAD; auditctl explain - \(closed)").code < 100)
  }

  // MARK: Damage

  @Test("a torn tail: what is whole is read by all that reads, as verify counts it")
  func tornTail() throws {
    let whole = try run("cat", "--store", store).output
    let before = try Data(contentsOf: URL(fileURLWithPath: segment()))
    for tail in [[UInt8](repeating: 0, count: 4_096), Array("no frame begins with this".utf8), [0x04, 0x22]] {
      try before.write(to: URL(fileURLWithPath: segment()))
      try append(tail, to: segment())
      #expect(try run("verify", "--store", store).code == 11)
      let cat = try run("cat", "--store", store)
      #expect(cat.code == 0 && cat.output == whole, "\(cat.errors)")
      let info = try run("info", "--store", store, "--json")
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
      _ = try run("append", "--store", store, input: part.joined())
    }
    _ = try run("checkpoint", "--store", store, "--signing-key", folder("the.key"))
    let whole = try run("cat", "--store", store).lines
    let file = try segment()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    bytes[bytes.count - bytes.count / 3] ^= 0xFF
    try bytes.write(to: URL(fileURLWithPath: file))
    let cat = try run("cat", "--store", store)
    #expect(cat.code == 65)
    #expect(cat.lines.count > 300 && cat.lines.elementsEqual(whole.prefix(cat.lines.count)))
  }

  @Test("segments/ gone: a verdict, nothing made in its place")
  func segmentsGone() throws {
    try FileManager.default.removeItem(atPath: store + "/segments")
    let report = try run("verify", "--store", store, "--json")
    #expect(report.code == 21 && report.output.contains("\"truncated\""), "\(report.output)\(report.errors)")
    try FileManager.default.removeItem(atPath: store + "/checkpoints")
    #expect(try run("verify", "--store", store).code == 24, "and where nothing was signed")
    let append = try run("append", "--store", store, input: "{\"stream\":\"a\",\"type\":\"t\",\"data\":{}}\n")
    #expect(append.code == 65 && append.errors.contains("has lost its segments"), "\(append.errors)")
    #expect(!FileManager.default.fileExists(atPath: store + "/segments"))
  }

  @Test("a pinned key that has signed nothing that is there is told, not that none is pinned")
  func pinnedWithoutCheckpoint() throws {
    // Those in the segments count too, so that a store which lost its checkpoints/ is anchored all the same.
    try FileManager.default.removeItem(atPath: store + "/checkpoints")
    let signed = try run("verify", "--store", store, "--public-key", folder("the.pub"))
    #expect(signed.code == 0 && signed.output.contains("note: It is not there"), "\(signed.output)")
    let store = folder("unsigned")
    #expect(try run("append", "--store", store, input: "{\"stream\":\"a\",\"type\":\"t\",\"data\":{}}\n").code == 0)
    let report = try run("verify", "--store", store, "--public-key", folder("the.pub"))
    #expect(report.code == 10)
    #expect(report.output.contains("no checkpoint of the pinned key") && !report.output.contains("no key is pinned"))
    let json = try run("verify", "--store", store, "--public-key", folder("the.pub"), "--json").output
    #expect(json.contains("There is no checkpoint that the pinned key has signed."))
  }

  // MARK: Input

  @Test("what the store says of itself is not taken from anybody else")
  func ownRecords() throws {
    for type in ["log.opened", "log.pruned", "log.rekeyed", "log.restored", "log.recovered", "snapshot.taken"] {
      let line = "{\"stream\":\"log\",\"type\":\"\(type)\",\"data\":{\"before\":100,\"records\":5,\"asked\":7}}\n"
      let refused = try run("append", "--store", store, input: line)
      #expect(refused.code == 65 && refused.errors.contains("the store's own"), "\(refused.errors)")
    }
  }

  @Test("a line that is too long is named")
  func longLine() throws {
    let line = "{\"stream\":\"a\",\"type\":\"t\",\"data\":{}}\n"
    let refused = try run("append", "--store", store, input: line + line + String(repeating: "x", count: 3 << 20))
    #expect(refused.code == 65 && refused.errors.contains("line 3"), "\(refused.errors)")
  }

  private static let line = #"{"stream":"a","type":"t","id":"first","data":{}}"#

  /// What `append` says to a line while its input stays open.
  private func answer(to line: String, under command: String = "", durability: String) throws -> String {
    try shell(
      """
      coproc \(command) "$AUDITCTL" append --store audit --durability \(durability)
      input=${COPROC[1]} output=${COPROC[0]}
      echo '\(line)' >&$input
      read -r -t 50 answer <&$output
      echo "$answer"
      exec {input}>&-
      wait
      """
    ).output
  }

  @Test(
    "with durability group a position is printed after the sync that covers it, while input goes on",
    .enabled(if: Program.hasStrace, "needs strace"))
  func groupDurability() throws {
    let trace = "strace -f -qq -o trace -e trace=read,write,pwrite64,fdatasync -- "
    #expect(try answer(to: Self.line, under: trace, durability: "group:50") == "{\"position\":21}\n")
    let calls = try String(contentsOfFile: folder("trace"), encoding: .utf8).split(separator: "\n")
    let asked = try #require(calls.firstIndex { $0.contains("read") && $0.contains("stream") })
    let said = try #require(calls.firstIndex { $0.contains("write(1, ") && $0.contains("position") })
    let written = try #require(calls[asked..<said].firstIndex { $0.contains("pwrite64(") })
    // A call that another thread interrupts in the trace is told in two lines.
    #expect(
      calls[written..<said].contains {
        ($0.contains("fdatasync(") || $0.contains("fdatasync resumed")) && $0.hasSuffix("= 0")
      },
      "\(calls[asked...said])")
  }

  @Test(
    "a line that was appended before is acknowledged at once, whatever the durability",
    arguments: ["each", "group:60000", "os"])
  func repeatedLine(_ durability: String) throws {
    _ = try run("append", "--store", store, input: Self.line + "\n")
    #expect(try answer(to: Self.line, durability: durability) == "{\"position\":21}\n")
  }

  @Test("--store given twice is refused where one is written to, and taken where some are read")
  func twoStores() throws {
    let line = "{\"stream\":\"a\",\"type\":\"t\",\"data\":{}}\n"
    let refused = try run("append", "--store", store, "--store", folder("other"), input: line)
    #expect(refused.code == 64 && refused.errors.contains("2 times"), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder("other")))
    _ = try run("append", "--store", folder("other"), input: line + line)
    for command in [["keys", "--json"], ["prove", "inclusion", "1"], ["prove", "consistency", "1", "2"]] {
      let both = try Program.run(command + ["--store", store, "--store", folder("other")], in: folder)
      #expect(both.code == 0 && both.lines.count == 2, "\(command): \(both.errors)")
      for document in both.lines { _ = try JSON(parsing: Array(document.utf8)) }
    }
  }

  // MARK: Output and places

  @Test("JSON has no character that a terminal obeys, and means the same")
  func controlCharacters() throws {
    let name = "s\u{7F}\u{9B}31m\u{202E}x"
    _ = try run("append", "--store", store, input: "{\"stream\":\"\(name)\",\"type\":\"t\",\"data\":{}}\n")
    let flows = try run("flows", "--store", store, "--json").output
    #expect(!flows.unicodeScalars.contains { $0.value == 0x7F || $0.value == 0x9B || $0.value == 0x202E })
    let names = try flows.split(separator: "\n").map { try JSON(parsing: Array($0.utf8))["flow"]?.string }
    #expect(names.contains(name))
  }

  @Test("two origins never have one default key")
  func defaultKeys() {
    let paths = ["é", "ü", "_", "a/b", "a_b", "a%2Fb"].map { SigningKey.defaultPath(origin: $0) }
    #expect(Set(paths).count == paths.count)
    #expect(paths.allSatisfy { $0.split(separator: "/").dropLast().last == "flowrecorder" })
  }

  @Test("a copy is not made inside of what is copied")
  func copiesInside() throws {
    for command in [
      ["backup", "-o", store + "/inner"], ["export", "--tiles", store + "/tiles"],
    ] {
      let refused = try Program.run(command + ["--store", store], in: folder)
      #expect(refused.code == 73 && refused.errors.contains("in the store itself"), "\(refused.errors)")
    }
    let refused = try run("restore", store, "--store", store + "/segments/x")
    #expect(refused.code == 73, "\(refused.errors)")
    #expect(try run("verify", "--store", store).code == 10)
  }
}
