// Recording files in the place of a store: portable ones, JSON Lines, and JSON Lines that lz4 compressed.

import EventStore
import Foundation
import Testing

@Suite struct RecordingFileTests {
  private let folder: Folder
  private static let golden = GoldenPath.file("push-approved")

  init() throws { folder = try Folder() }

  /// The lines of the golden recording, as `lz4 -dc` gives them.
  private func lines() throws -> [String] {
    let shell = try Program.shell("lz4 -dc '\(Self.golden)'", in: folder)
    #expect(shell.code == 0, "\(shell)")
    return shell.lines
  }

  @Test("cat, flows, info and show read a recording as they read a store")
  func commands() throws {
    let cat = try Program.run(["cat", "--store", Self.golden], in: folder)
    #expect(try cat.code == 0 && cat.lines == lines(), "\(cat)")
    let types = try Program.run(["cat", "--store", Self.golden, "--type", "status.changed", "--last", "1"], in: folder)
    #expect(types.lines.count == 1 && types.output.contains("\"SUCCESS\""), "\(types)")
    let flows = try Program.run(["flows", "--store", Self.golden, "--json"], in: folder)
    #expect(flows.lines.count == 1 && flows.output.contains("\"outcome\":\"success\""), "\(flows)")
    let info = try Program.run(["info", "--store", Self.golden, "--json"], in: folder)
    #expect(try JSON(parsing: Array(info.lines[0].utf8))["flows"]?.int == 1, "\(info)")
    let personal = try Program.run(["info", "--personal", "--store", Self.golden], in: folder)
    #expect(personal.code == 0 && !personal.output.contains("ann@"), "\(personal)")
    let show = try Program.run(["show", Self.golden], in: folder)
    let named = try Program.run(["show", "authn/", "--store", Self.golden], in: folder)
    #expect(show.code == 0 && show.output.contains("SUCCESS") && show.output == named.output, "\(show) \(named)")
    let at = try Program.run(["show", Self.golden, "--at", "6", "--json"], in: folder)
    #expect(at.code == 0 && at.output.contains("\"revision\":6"), "\(at)")
    let replay = try Program.run(["replay", "--store", Self.golden], in: folder)
    #expect(replay.code == 0 && replay.output.hasPrefix("1 recording, 1 flow replayed, 0 divergences"), "\(replay)")
  }

  @Test("replay takes a folder for the recordings in it, and names by the thousand between options")
  func foldersAndNames() throws {
    let make = try Program.shell(
      """
      mkdir two none && cp '\(Self.golden)' two/b.ndjson.lz4 && cp '\(Self.golden)' two/a.ndjson.lz4 && touch two/notes &&
        lz4 -dc '\(Self.golden)' | lz4 -q - plain.lz4
      """, in: folder)
    #expect(make.code == 0, "\(make)")
    let two = try Program.run(["replay", "two/", "plain.lz4", "--junit", "two.xml"], in: folder)
    #expect(two.code == 0 && two.output.hasPrefix("3 recordings, 3 flows replayed"), "\(two)")
    let xml = try String(contentsOfFile: folder("two.xml"), encoding: .utf8)
    #expect(xml.contains("two/a.ndjson.lz4") && xml.contains("two/b.ndjson.lz4"), "\(xml)")
    let none = try Program.run(["replay", "none"], in: folder)
    #expect(none.code == 66 && none.errors.contains("no recording is in the folder none"), "\(none)")
    let edited = try Program.run(["replay", "two", "--edit", "edits.json"], in: folder)
    #expect(edited.code == 64 && edited.errors.contains("changes one recording"), "\(edited)")
    // What the parser of arguments is not given is in its place, also the first and the last name.
    let many = Array(repeating: "plain.lz4", count: 700)
    let named = try Program.run(
      ["replay", "--core", "--junit", "many.xml"] + many + ["nosuch.lz4", "--json"], in: folder)
    #expect(named.code == 66 && named.output.contains("\"recordings\":700,"), "\(named)")
    let options = ["replay", "--json", "first.lz4"] + many + ["--core", "last.lz4"]
    let around = try Program.run(options, in: folder)
    #expect(around.code == 66 && around.output.contains("\"recordings\":700,"), "\(around)")
    #expect(around.errors.contains("first.lz4") && around.errors.contains("last.lz4"), "\(around.errors)")
  }

  @Test("JSON Lines are a recording, plain and through lz4, whole and changed by sed")
  func jsonLines() throws {
    let make = try Program.shell(
      """
      lz4 -dc '\(Self.golden)' > plain.ndjson && lz4 -q plain.ndjson again.lz4 &&
        sed 's/"ms":[0-9]*/"ms":4000/' plain.ndjson | lz4 -q - changed.lz4
      """, in: folder)
    #expect(make.code == 0, "\(make)")
    for file in ["plain.ndjson", "again.lz4"] {
      let replay = try Program.run(["replay", file], in: folder)
      #expect(replay.code == 0 && replay.output.hasPrefix("1 recording, 1 flow"), "\(file): \(replay)")
      let cat = try Program.run(["cat", "--store", file], in: folder)
      #expect(try cat.lines == lines(), "\(file)")
    }
    let changed = try Program.run(["replay", "changed.lz4", "--junit", "out.xml"], in: folder)
    #expect(changed.code == 1, "\(changed)")
    #expect(changed.output.contains("changed.lz4, revision"), "\(changed.output)")
    #expect(changed.output.contains("recorded: 4000"), "\(changed.output)")
    #expect(changed.output.contains("before"), "\(changed.output)")
    #expect(try String(contentsOfFile: folder("out.xml"), encoding: .utf8).contains(#"failures="1""#))
    // A file that cannot be read is no test that passed.
    let both = try Program.run(["replay", "plain.ndjson", "nosuch.lz4", "--junit", "both.xml"], in: folder)
    let xml = try String(contentsOfFile: folder("both.xml"), encoding: .utf8)
    #expect(both.code == 66 && xml.contains(#"errors="1""#) && xml.contains("nosuch.lz4"), "\(both)\n\(xml)")
    #expect(both.lines.first == "1 recording, 1 flow replayed, 0 divergences, 1 unreadable", "\(both)")
    let document = try Program.run(["replay", "plain.ndjson", "nosuch.lz4", "--json"], in: folder)
    let unreadable = try JSON(parsing: Array(document.output.utf8))["unreadable"]?.array?.compactMap(\.string)
    #expect(unreadable?.count == 1 && unreadable?.first?.contains("nosuch.lz4") == true, "\(document)")
    let all = try Program.run(["replay", "changed.lz4", "--all"], in: folder)
    #expect(all.output.components(separatedBy: "recorded: 4000").count > 2, "\(all.output)")
  }

  @Test(
    "JSON Lines with CRLF, a byte order mark, and blank lines before the first are a recording, whole and of the same records"
  )
  func foreignLines() throws {
    let make = try Program.shell(
      """
      lz4 -dc '\(Self.golden)' > plain.ndjson && sed 's/$/\\r/' plain.ndjson > crlf.ndjson &&
        { printf '\\357\\273\\277'; cat plain.ndjson; } > mark.ndjson &&
        { printf '\\357\\273\\277'; cat crlf.ndjson; } > both.ndjson
      """, in: folder)
    #expect(make.code == 0, "\(make)")
    let foreign = Array(try Data(contentsOf: URL(fileURLWithPath: folder("both.ndjson"))))
    #expect(foreign.starts(with: [0xEF, 0xBB, 0xBF]) && foreign.suffix(2) == [0x0D, 0x0A])
    let blank = try Program.shell(
      "{ printf '\\n  \\r\\n'; cat plain.ndjson; } > blank.ndjson && { echo; cat crlf.ndjson; } > blanks.ndjson",
      in: folder)
    #expect(blank.code == 0, "\(blank)")
    for file in ["crlf.ndjson", "mark.ndjson", "both.ndjson", "blank.ndjson", "blanks.ndjson"] {
      let replay = try Program.run(["replay", file], in: folder)
      #expect(replay.code == 0 && replay.output.hasPrefix("1 recording, 1 flow"), "\(file): \(replay)")
      let cat = try Program.run(["cat", "--store", file], in: folder)
      #expect(try cat.lines == lines(), "\(file): \(cat)")
      for command in [
        ["show"], ["flows", "--store"], ["info", "--store"], ["debug", "--command", "end"], ["explain"],
      ] {
        let run = try Program.run(command + ["./" + file], in: folder)
        #expect(run.code == 0, "\(command) \(file): \(run)")
      }
    }
  }

  @Test("files that people take for recordings are named for what they are, with what to do")
  func otherFiles() throws {
    let make = try Program.shell(
      """
      lz4 -dc '\(Self.golden)' > plain.ndjson && gzip -c plain.ndjson > packed && : > empty &&
        printf 'PK\\003\\004' > zipped && iconv -f UTF-8 -t UTF-16 plain.ndjson > wide &&
        printf '{ "log": {"entries": []}}' > captured && sed 's/^{/{ /' plain.ndjson > spaced
      """, in: folder)
    #expect(make.code == 0, "\(make)")
    let expected = [
      ("packed", "gunzip"), ("empty", "is empty"), ("zipped", "ZIP archive"), ("wide", "UTF-16"),
      ("captured", "import --har"), ("spaced", "jq -c"),
    ]
    for (file, words) in expected {
      for command in [["replay"], ["show"], ["cat", "--store"], ["coverage"], ["promote", "--into", "kept"]] {
        let run = try Program.run(command + ["./" + file], in: folder)
        #expect(run.code == 65 && run.errors.contains(file), "\(command) \(file): \(run)")
        #expect(run.errors.contains(words), "\(command) \(file): \(run.errors)")
      }
    }
  }

  @Test("with --keep-going, what can be read of a recording that is cut off or damaged is, and the loss is said")
  func keepsGoing() throws {
    let large = GoldenPath.file("varied-authn")
    let make = try Program.shell(
      """
      lz4 -dc '\(large)' > whole.ndjson && head -c 3000 whole.ndjson > lines.ndjson &&
        lz4 -q -B4 whole.ndjson blocks.lz4 &&
        head -c $(($(stat -c %s blocks.lz4) * 7 / 10)) blocks.lz4 > half.lz4 &&
        head -c $(($(stat -c %s '\(large)') * 9 / 10)) '\(large)' > slice.ndjson.lz4
      """, in: folder)
    #expect(make.code == 0, "\(make)")
    let whole = try String(contentsOfFile: folder("whole.ndjson"), encoding: .utf8).split(separator: "\n")
    for file in ["lines.ndjson", "half.lz4", "slice.ndjson.lz4"] {
      let cat = try Program.run(["cat", "--store", file, "--keep-going"], in: folder)
      let words = self.words(cat.errors)
      #expect(cat.code == 65 && cat.lines.count > 1 && cat.lines.count < whole.count, "\(file): \(cat.errors)")
      #expect(zip(cat.lines, whole).allSatisfy { $0 == $1 }, "\(file)")
      #expect(words.contains("only \(cat.lines.count) records can be read"), "\(file): \(words)")
      let flows = try Program.run(["flows", "--store", file, "--keep-going"], in: folder)
      #expect(flows.code == 65 && flows.lines.count > 1, "\(file): \(flows)")
      let strict = try Program.run(["cat", "--store", file], in: folder)
      #expect(strict.code == 65 && strict.output.isEmpty, "\(file): \(strict.errors)")
    }
  }

  @Test("with --keep-going, show and debug read the one flow of a file that is cut off, as they do with --store")
  func keepsGoingWithOneFlow() throws {
    let make = try Program.shell("lz4 -dc '\(Self.golden)' | head -c 5000 > cut.ndjson", in: folder)
    #expect(make.code == 0, "\(make)")
    let named = try Program.run(["show", "authn/", "--store", "cut.ndjson", "--keep-going"], in: folder)
    let show = try Program.run(["show", "cut.ndjson", "--keep-going"], in: folder)
    #expect(show.code == 65 && show.lines.count > 3 && show.output == named.output, "\(show) \(named)")
    let debug = try Program.run(["debug", "cut.ndjson", "--keep-going", "--command", "end"], in: folder)
    #expect(debug.code == 65 && debug.lines.count == 1, "\(debug)")
    let strict = try Program.run(["show", "cut.ndjson"], in: folder)
    #expect(strict.code == 65 && strict.output.isEmpty, "\(strict)")
  }

  @Test("a block of a recording that does not decode: what to do is said")
  func flippedBit() throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: Self.golden))
    bytes[bytes.count / 2] ^= 0x40
    try bytes.write(to: URL(fileURLWithPath: folder("bad.ndjson.lz4")))
    for command in [["cat", "--store"], ["replay"], ["show"]] {
      let run = try Program.run(command + ["bad.ndjson.lz4"], in: folder)
      let words = self.words(run.errors)
      #expect(run.code == 65 && words.contains("a block does not decode: "), "\(command): \(run)")
      #expect(words.hasSuffix("; make it again."), "\(command): \(words)")
    }
  }

  @Test("a recording whose records stand twice in it is refused by all that run it")
  func repeated() throws {
    let make = try Program.shell(
      "lz4 -dc '\(Self.golden)' > plain.ndjson && cat plain.ndjson plain.ndjson > doubled.ndjson", in: folder)
    #expect(make.code == 0, "\(make)")
    for command in [
      ["replay"], ["minimise", "--keep", "diverges", "-o", "less.lz4"], ["simulate", "--from"], ["coverage"], ["show"],
      ["debug", "--command", "end"],
    ] {
      let run = try Program.run(command + ["doubled.ndjson"], in: folder)
      let words = self.words(run.errors)
      #expect(run.code == 65 && words.contains("stands there twice"), "\(command): \(run)")
    }
  }

  @Test("what cat prints of a whole store is a recording of its flows")
  func wholeStore() throws {
    let record = #"{"stream":"orders","type":"order.placed","data":{}}"#
    let append = try Program.run(["append", "--store", "audit"], input: record, in: folder)
    #expect(append.code == 0, "\(append)")
    let make = try Program.shell(
      """
      \(Program.binary) cat --store audit > none.ndjson &&
        { cat none.ndjson; lz4 -dc '\(Self.golden)'; } > all.ndjson
      """, in: folder)
    #expect(make.code == 0, "\(make)")
    #expect(try String(contentsOfFile: folder("all.ndjson"), encoding: .utf8).contains("\"log.opened\""))
    let replay = try Program.run(["replay", "all.ndjson"], in: folder)
    #expect(replay.code == 0 && replay.lines == ["1 recording, 1 flow replayed, 0 divergences"], "\(replay)")
    let less = ["minimise", "all.ndjson", "--keep", "status=MFA_REQUIRED", "-o", "less.ndjson.lz4"]
    let minimise = try Program.run(less, in: folder)
    #expect(minimise.code == 0, "\(minimise)")
    let coverage = try Program.run(["coverage", "all.ndjson"], in: folder)
    #expect(coverage.code == 0 && coverage.lines.first == "1 recording, 1 flow", "\(coverage)")
    #expect(coverage.errors.isEmpty, "\(coverage)")
    // The other streams are not lost.
    let change = try Program.shell("sed -i 's/\"ms\":5000/\"ms\":4000/' all.ndjson", in: folder)
    #expect(change.code == 0, "\(change)")
    let before = try Data(contentsOf: URL(fileURLWithPath: folder("all.ndjson")))
    let accept = try Program.run(["replay", "all.ndjson", "--accept"], in: folder)
    #expect(accept.code == 1 && accept.output.contains("all.ndjson stays as it is: it has streams"), "\(accept)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder("all.ndjson"))) == before)
    let none = try Program.run(["replay", "none.ndjson"], in: folder)
    #expect(none.code == 65 && none.errors.contains("none.ndjson holds no flow to replay"), "\(none)")
  }

  /// The text with its line breaks as spaces.
  private func words(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  @Test("an edited file is shown as it is, and what is missing or out of order is said")
  func edited() throws {
    var swapped = try lines()
    swapped.swapAt(10, 11)
    _ = try folder.write(swapped.joined(separator: "\n"), to: "swapped.ndjson")
    var cut = try lines()
    cut.removeSubrange(10...11)
    cut.remove(at: 4)
    _ = try folder.write(cut.joined(separator: "\n"), to: "cut.ndjson")
    for (file, said) in [
      ("swapped.ndjson", "swapped.ndjson: revision 11 stands before revision 10 in authn/"),
      ("cut.ndjson", "cut.ndjson: revisions 4, 10 to 11 are missing in authn/"),
    ] {
      #expect(try Program.run(["replay", file], in: folder).code == 1)
      let shown = [["show", file], ["show", file, "--at", "12"], ["debug", file, "--command", "go 12; print state"]]
      for command in shown {
        let run = try Program.run(command, in: folder)
        #expect(run.code == 0 && !run.output.isEmpty && words(run.errors).contains(said), "\(command): \(run)")
      }
    }
    let json = try Program.run(["show", "swapped.ndjson", "--json"], in: folder)
    let events = try JSON(parsing: Array(json.output.utf8))["events"]?.array ?? []
    let order = Array(0...9) + [11, 10] + Array(12..<events.count)
    #expect(events.compactMap { $0["revision"]?.int } == order)
    // A state is that of the records up to the revision, in the order of the file.
    for (revision, status) in [("11", "MFA_REQUIRED"), ("10", "MFA_CHALLENGE")] {
      let run = try Program.run(["show", "swapped.ndjson", "--at", revision, "--json"], in: folder)
      #expect(try JSON(parsing: Array(run.output.utf8))["state"]?["status"]?.string == status, "\(run)")
    }
    let missing = try Program.run(["show", "cut.ndjson", "--at", "10"], in: folder)
    #expect(missing.code == 66 && words(missing.errors).contains("revision 10 of authn/"), "\(missing)")
    _ = try folder.write(try lines().dropFirst(4).joined(separator: "\n"), to: "late.ndjson")
    for command in [["show", "late.ndjson", "--at", "12"], ["debug", "late.ndjson", "--command", "end"]] {
      let run = try Program.run(command, in: folder)
      #expect(run.code == 65 && words(run.errors).contains("the beginning of flow authn/"), "\(command): \(run)")
    }
    let whole = try Program.run(["show", Self.golden], in: folder)
    #expect(whole.code == 0 && whole.errors.isEmpty, "\(whole)")
  }

  @Test("of a timer longer than a day is shown that it runs a day")
  func longTimer() throws {
    var input = try lines()
    let place = try #require(input.firstIndex { $0.contains(#""type":"timer.set""#) })
    input[place] = input[place].replacing(/"ms":\d+/, with: #""ms":9223372036854775807"#)
    _ = try folder.write(input.joined(separator: "\n"), to: "long.ndjson")
    let run = try Program.run(["show", "long.ndjson"], in: folder)
    #expect(run.code == 0 && run.output.contains("24 h 0 min until the next poll"), "\(run)")
  }

  @Test("what a later version recorded is said to be that")
  func laterVersion() throws {
    let make = try Program.shell(
      """
      lz4 -dc '\(Self.golden)' > plain.ndjson &&
        sed 's/"type":"flow.started","v":1/"type":"flow.started","v":9/' plain.ndjson > flow.ndjson &&
        sed 's/"type":"status.changed","v":1/"type":"status.changed","v":9/' plain.ndjson > event.ndjson
      """, in: folder)
    #expect(make.code == 0, "\(make)")
    let flow = try Program.run(["replay", "flow.ndjson"], in: folder)
    #expect(flow.code == 65 && flow.errors.contains("of a version that this program does not know"), "\(flow)")
    // In a whole store it is named too.
    let append = try Program.shell("\(Program.binary) append --store later < flow.ndjson", in: folder)
    #expect(append.code == 0, "\(append)")
    let store = try Program.run(["replay", "--store", "later"], in: folder)
    let named = self.words(store.output)
    #expect(store.code == 1 && named.contains("of a version that this program does not know"), "\(store)")
    let coverage = try Program.run(["coverage", "flow.ndjson"], in: folder)
    #expect(coverage.code == 0 && coverage.lines.first == "1 recording, 0 flows", "\(coverage)")
    let said = self.words(coverage.errors)
    #expect(said.contains("not counted: 1 flow of a kind or a version"), "\(coverage)")
    let event = try Program.run(["replay", "event.ndjson"], in: folder)
    // The line may break anywhere.
    let words = self.words(event.output)
    #expect(event.code == 1 && words.contains("version 1 (recorded: 9)"), "\(event)")
  }

  @Test("an input of a later version is said to be that by replay, minimise and --accept")
  func laterInput() throws {
    var input = try lines()
    input[4] = input[4].replacing(#""response.received","v":1"#, with: #""response.received","v":2"#)
    _ = try folder.write(input.joined(separator: "\n"), to: "in.ndjson")
    let sentence = "response.received is of version 2, which this program does not know"
    let replay = try Program.run(["replay", "in.ndjson"], in: folder)
    #expect(replay.code == 1 && words(replay.output).contains("revision 4, authenticate: \(sentence)"), "\(replay)")
    let before = try Data(contentsOf: URL(fileURLWithPath: folder("in.ndjson")))
    let accept = try Program.run(["replay", "in.ndjson", "--accept"], in: folder)
    #expect(accept.code == 1, "\(accept)")
    #expect(words(accept.output).contains("in.ndjson stays as it is: \(sentence)"), "\(accept)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder("in.ndjson"))) == before)
    let less = ["minimise", "in.ndjson", "--keep", "diverges", "-o", "less.ndjson.lz4"]
    let minimise = try Program.run(less, in: folder)
    #expect(minimise.code == 0 && words(minimise.errors).contains("in.ndjson: \(sentence)"), "\(minimise)")
  }

  @Test("one cause in many recordings is shown once, with the count and the names of the others")
  func grouped() throws {
    let make = try Program.shell(
      """
      for n in 1 2 3 4 5 6; do lz4 -dc '\(Self.golden)' | sed 's/"ms":[0-9]*/"ms":4000/' > r$n.ndjson; done
      """, in: folder)
    #expect(make.code == 0, "\(make)")
    let replay = try Program.run(["replay"] + (1...6).map { "r\($0).ndjson" }, in: folder)
    #expect(replay.lines.first == "6 recordings, 6 flows replayed, 6 divergences", "\(replay.output)")
    #expect(replay.output.contains("the same in 5 more: r2.ndjson, r3.ndjson, r4.ndjson, …"), "\(replay.output)")
    #expect(replay.output.components(separatedBy: "r1.ndjson").count == 2)
    #expect(replay.lines.allSatisfy { $0.count <= 80 || !$0.contains(" ") }, "\(replay.output)")
  }

  @Test("files that are no recording are refused by name and place, cut ones too")
  func refused() throws {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: Self.golden)))
    try Data(bytes.prefix(bytes.count / 2)).write(to: URL(fileURLWithPath: folder("cut.lz4")))
    try Data("{\"n\":0}\n".utf8).write(to: URL(fileURLWithPath: folder("short.ndjson")))
    try Data("hello".utf8).write(to: URL(fileURLWithPath: folder("text")))
    let make = try Program.shell(
      "lz4 -dc '\(Self.golden)' | lz4 -q - whole.lz4 && head -c 300 whole.lz4 > cutframe.lz4", in: folder)
    #expect(make.code == 0, "\(make)")
    for file in ["cut.lz4", "short.ndjson", "text", "cutframe.lz4"] {
      for command in [["replay"], ["cat", "--store"], ["flows", "--store"], ["info", "--store"], ["show"]] {
        let run = try Program.run(command + [file], in: folder)
        #expect(run.code == 65, "\(command) \(file): \(run)")
        #expect(run.errors.contains(file), "\(command) \(file): \(run.errors)")
      }
    }
    let follow = try Program.run(["cat", "--store", Self.golden, "--follow"], in: folder)
    #expect(follow.code == 64, "\(follow)")
  }
}
