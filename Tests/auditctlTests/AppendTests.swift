import EventStore
import Foundation
import Glibc
import Testing

@Suite struct AppendTests {
  private func line(_ number: Int) -> String { #"{"stream":"app/1","type":"note","data":{"n":\#(number)}}"# + "\n" }

  @Test("records are acknowledged and come back byte for byte")
  func roundTrip() throws {
    let folder = try Folder()
    let input = (0..<500).map(line).joined() + #"{"stream":"app/2","type":"t","v":3,"id":"x","data":{"a":[1, 2]}}"#
    let append = try Program.run(["append", "--store", folder("audit")], input: input, in: folder)
    #expect(append.code == 0, "\(append.errors)")
    #expect(append.lines.last == #"{"position":501}"#)
    let cat = try Program.run(["cat", "--store", folder("audit"), "--from", "1"], in: folder)
    #expect(cat.lines.count == 501)
    #expect(cat.lines.last?.hasSuffix(#""rev":0,"id":"x","type":"t","v":3,"data":{"a":[1,2]}}"#) == true)
    for line in cat.lines { _ = try StoredRecord(line: Array(line.utf8)) }
  }

  @Test("input with ids that is given once more, with new lines behind it, is appended once")
  func ids() throws {
    let folder = try Folder()
    func line(_ number: Int) -> String {
      #"{"stream":"app/1","type":"note","id":"\#(number)","data":{"n":\#(number)}}"# + "\n"
    }
    for count in [3, 3, 7, 5] {
      let input = (0..<count).map(line).joined()
      let run = try Program.run(["append", "--store", folder("audit")], input: input, in: folder)
      #expect(run.code == 0 && run.lines.last == "{\"position\":\(count)}", "\(run.errors)")
    }
    #expect(try Program.run(["cat", "--store", folder("audit")], in: folder).lines.count == 8)
    let other = #"{"stream":"app/1","type":"note","id":"2","data":{"n":"other"}}"#
    let refused = try Program.run(["append", "--store", folder("audit")], input: other, in: folder)
    #expect(refused.code == 65 && refused.errors.contains("line 1"), "\(refused.errors)")
  }

  @Test("lines that cat printed are appended as they are: causes follow the lines that they name")
  func moved() throws {
    let folder = try Folder()
    let input = """
      {"stream":"a","type":"t","data":{}}
      {"stream":"b","type":"t","data":{}}
      {"stream":"a","type":"t","data":{},"cause":1}
      {"stream":"b","type":"t","data":{},"cause":2}
      {"stream":"a","type":"t","data":{},"cause":3}

      """
    #expect(try Program.run(["append", "--store", folder("audit")], input: input, in: folder).code == 0)
    func cat(_ store: String) throws -> String {
      try Program.run(["cat", "--store", folder(store), "--from", "1"], in: folder).output
    }
    let lines = try cat("audit").split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    let kept = [lines[0], lines[2], lines[4]].joined(separator: "\n") + "\n"
    // As one commit; behind what is there; and one by one, since the log refuses the last.
    for (store, before, refused) in [
      ("one", 0, ""), ("two", 3, ""), ("three", 0, #"{"stream":"","type":"t","data":{}}"#),
    ] {
      let filler = String(repeating: #"{"stream":"x","type":"t","data":{}}"# + "\n", count: before)
      _ = try Program.run(["append", "--store", folder(store)], input: filler, in: folder)
      let run = try Program.run(["append", "--store", folder(store)], input: kept + refused, in: folder)
      #expect(run.code == (refused.isEmpty ? 0 : 65), "\(run.errors)")
      let causes = try cat(store).split(separator: "\n").filter { $0.contains(#""stream":"a""#) }
        .map { try JSON(parsing: Array($0.utf8))["cause"]?.int }
      #expect(causes == [nil, before + 1, before + 2], "\(store)")
    }
    for (wrong, why) in [
      (lines[0] + "\n" + lines[0], "n is not above"), (lines[0] + "\n" + lines[3], "cause is the n of no line"),
      (lines[2], "cause is the n of no line"),
    ] {
      let run = try Program.run(["append", "--store", folder("wrong")], input: wrong, in: folder)
      #expect(run.code == 65 && run.errors.contains(why), "\(run.errors)")
    }
  }

  @Test("plain lz4 gives the same bytes as cat")
  func plainLZ4() throws {
    let folder = try Folder()
    _ = try Program.run(["append", "--store", folder("audit")], input: (0..<50).map(line).joined(), in: folder)
    let cat = try Program.run(["cat", "--store", folder("audit")], in: folder)
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", "cat \(folder("audit"))/segments/*.ndjson.lz4 | lz4 -dc > \(folder("plain"))"]
    try shell.run()
    shell.waitUntilExit()
    #expect(try String(contentsOfFile: folder("plain"), encoding: .utf8) == cat.output)
  }

  @Test(
    "a malformed line ends the command and names its number; what stood before it is appended",
    arguments: [
      "oops", "[]", "{}", #"{"stream":"s","type":"t"}"#, #"{"stream":"s","type":"t","data":[]}"#,
      #"{"stream":1,"type":"t","data":{}}"#, #"{"stream":"s","type":"t","data":{},"at":"noon"}"#,
      #"{"stream":"s","type":"t","data":{},"v":-1}"#, #"{"stream":"s","type":"t","data":{},"other":1}"#,
      #"{"stream":"","type":"t","data":{}}"#, #"{"stream":"a\"b","type":"t","data":{}}"#,
      #"{"stream":"s","type":"t","data":{"x":"\#(String(repeating: "y", count: 70_000))"}}"#,
    ])
  func malformed(bad: String) throws {
    let folder = try Folder()
    let run = try Program.run(
      ["append", "--store", folder("audit")], input: line(1) + line(2) + bad + "\n" + line(4), in: folder)
    #expect(run.code == 65, "\(run.errors)")
    #expect(run.errors.contains("line 3"))
    #expect(run.lines.last == #"{"position":2}"#)
    #expect(try Program.run(["cat", "--store", folder("audit"), "--from", "1"], in: folder).lines.count == 2)
  }

  @Test("each line that stands alone is acknowledged before the next is sent")
  func streaming() throws {
    let folder = try Folder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.binary)
    process.arguments = ["append", "--store", folder("audit")]
    signal(SIGPIPE, SIG_IGN)  // a program that ended early is a failed expectation, not the end of the tests
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    for position in 1...3 {
      try input.fileHandleForWriting.write(contentsOf: Data(line(position).utf8))
      let answer = output.fileHandleForReading.availableData
      #expect(String(decoding: answer, as: UTF8.self) == "{\"position\":\(position)}\n")
    }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test("an input without a line makes no store, and says so; a blank line makes one")
  func nothing() throws {
    let folder = try Folder()
    let run = try Program.run(["append", "--store", folder("typo")], in: folder)
    #expect(run.code == 0 && run.output.isEmpty && run.errors.contains("no store was made at"), "\(run)")
    #expect(!FileManager.default.fileExists(atPath: folder("typo")))
    let made = try Program.run(["append", "--store", folder("made")], input: "\n", in: folder)
    #expect(made.code == 0 && made.errors.isEmpty, "\(made)")
    #expect(FileManager.default.fileExists(atPath: folder("made/store.json")))
    // A store that is there is opened as ever.
    #expect(try Program.run(["append", "--store", folder("made")], in: folder).errors.isEmpty)
  }

  @Test("a directory as the input is refused: 66")
  func directory() throws {
    let folder = try Folder()
    let run = try Program.shell("'\(Program.binary)' append --store audit <.", in: folder)
    #expect(run.code == 66, "\(run)")
    #expect(run.output == "auditctl: standard input is a directory; give a file or a pipe.\n")
    #expect(!FileManager.default.fileExists(atPath: folder("audit")))
  }

  @Test("durability can be chosen", arguments: ["each", "group:20", "os"])
  func durability(mode: String) throws {
    let folder = try Folder()
    let run = try Program.run(
      ["append", "--store", folder("audit"), "--durability", mode], input: line(1), in: folder)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output == "{\"position\":1}\n")
  }

  @Test("an age of segments is a number and a unit")
  func segmentAge() throws {
    let folder = try Folder()
    for (age, code) in [("1d", 0), ("2w", 0), ("90", 64), ("0s", 64), ("-1d", 64), ("1y", 64), ("99999999999999w", 64)]
    {
      let run = try Program.run(
        ["append", "--store", folder("audit"), "--segment-age", age], input: #"{"stream":"s","type":"t","data":{}}"#,
        in: folder)
      #expect(run.code == Int32(code), "\(age): \(run.errors)")
    }
  }

  @Test("what the store says of itself is taken from no other program")
  func ownRecords() throws {
    let signed = try SignedStore()
    for type in ["log.opened", "log.pruned", "log.rekeyed", "log.restored", "log.recovered", "snapshot.taken"] {
      let line = "{\"stream\":\"log\",\"type\":\"\(type)\",\"data\":{\"before\":100,\"records\":5,\"asked\":7}}\n"
      let refused = try signed.run("append", "--store", signed.path, input: line)
      #expect(refused.code == 65 && refused.errors.contains("the store's own"), "\(refused.errors)")
    }
  }

  @Test("a line that is too long is named")
  func longLine() throws {
    let signed = try SignedStore()
    let line = "{\"stream\":\"a\",\"type\":\"t\",\"data\":{}}\n"
    let input = line + line + String(repeating: "x", count: 3 << 20)
    let refused = try signed.run("append", "--store", signed.path, input: input)
    #expect(refused.code == 65 && refused.errors.contains("line 3"), "\(refused.errors)")
  }

  private static let named = #"{"stream":"a","type":"t","id":"first","data":{}}"#

  /// What `append` says to a line while its input stays open.
  private func answer(
    to line: String, under command: String = "", durability: String, of signed: SignedStore
  ) throws -> String {
    try signed.shell(
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
    let signed = try SignedStore()
    let trace = "strace -f -qq -o trace -e trace=read,write,pwrite64,fdatasync -- "
    #expect(try answer(to: Self.named, under: trace, durability: "group:50", of: signed) == "{\"position\":21}\n")
    let calls = try String(contentsOfFile: signed.folder("trace"), encoding: .utf8).split(separator: "\n")
    let asked = try #require(calls.firstIndex { $0.contains("read") && $0.contains("stream") })
    let said = try #require(calls.firstIndex { $0.contains("write(1, ") && $0.contains("position") })
    let written = try #require(calls[asked..<said].firstIndex { $0.contains("pwrite64(") })
    // A call that another thread interrupts in the trace takes two lines.
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
    let signed = try SignedStore()
    _ = try signed.run("append", "--store", signed.path, input: Self.named + "\n")
    #expect(try answer(to: Self.named, durability: durability, of: signed) == "{\"position\":21}\n")
  }
}
