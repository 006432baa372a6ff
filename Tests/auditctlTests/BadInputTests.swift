// One clear sentence, the right exit code, no trace.

import EventStore
import Foundation
import Testing

@Suite struct BadInputTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var code: Int32
    var says: String
    var testDescription: String { arguments.joined(separator: " ") }

    init(_ arguments: String, _ code: Int32, _ says: String) {
      self.arguments = arguments.split(separator: " ").map(String.init)
      self.code = code
      self.says = says
    }
  }

  static let cases: [Case] = [
    Case("simulate --port 99999", 64, "99999 is no port"),
    Case("simulate --port -1", 64, "-1 is no port"),
    Case("simulate --users nofile", 66, "nofile"),
    Case("simulate --users text.txt", 65, "text.txt"),
    Case("flows", 64, "--store"),
    Case("flows --store nowhere", 66, "nowhere"),
    Case("flows --store empty", 66, "empty"),
    Case("flows --store text.txt", 65, "text.txt is neither"),
    Case("cat --store text.txt", 65, "text.txt is neither"),
    Case("info --store text.txt", 65, "text.txt is neither"),
    Case("report summary --store text.txt", 65, "text.txt is neither"),
    Case("show text.txt", 65, "text.txt is neither"),
    Case("debug ./text.txt", 65, "text.txt is neither"),
    Case("show /nope", 66, "no file /nope"),
    Case("debug no/such", 66, "no file no/such"),
    Case("show authn/01ABC", 64, "--store"),
    Case("flows --store empty --until 2026-03-29T02:30 --tz Europe/Berlin", 64, "does not exist in Europe/Berlin"),
    Case("report tokens --store empty --as-of 2026-03-29T02:30 --tz Europe/Berlin", 64, "the clock is put forward"),
    Case("flows --store empty --since someday", 64, "someday"),
    Case("cat --store nowhere", 66, "nowhere"),
    Case("cat --store empty", 66, "empty"),
    Case("cat --store empty --from 5 --to 4", 64, "--from 5"),
    Case("cat --store empty --from x", 64, "--from"),
    Case("show 01ABC --store nowhere", 66, "nowhere"),
    Case("show --store empty", 64, "FLOW"),
    Case("info --store empty", 66, "empty"),
    Case("checkpoint --store nowhere", 66, "nowhere"),
    Case("checkpoint --store empty", 66, "empty"),
    Case("verify --store nowhere", 66, "nowhere"),
    Case("verify --store empty", 66, "empty"),
    Case("verify --store empty --public-key nofile", 66, "nofile"),
    Case("verify --store empty --public-key text.txt", 65, "text.txt"),
    Case("verify --store empty --checkpoint text.txt", 65, "text.txt"),
    Case("replay", 64, "recordings"),
    Case("replay nofile", 66, "nofile"),
    Case("replay text.txt", 65, "text.txt"),
    Case("replay --store empty", 66, "empty"),
    Case("export 01ABC --store nowhere --as recording -o x", 66, "nowhere"),
    Case("export 01ABC --store nowhere --as picture -o x", 64, "picture"),
    Case("export 01ABC --store nowhere --as recording -o -", 64, "-o"),
    Case("report", 64, "NAME"),
    Case("report summary", 64, "--store"),
    Case("report nonsense --store empty", 64, "nonsense"),
    Case("report summary --store empty", 66, "empty"),
    Case("report summary --store empty --format pdf", 64, "pdf"),
    Case("append --store text.txt/deeper", 73, "text.txt"),
    Case("append --store audit --durability perhaps", 64, "perhaps"),
    Case("sign-in --org nonsense --username u --store audit", 64, "nonsense"),
    Case("sign-in --org http://127.0.0.1:1 --username u --store audit --password-file nofile", 66, "nofile"),
    Case("sign-in --org http://127.0.0.1:1 --username u --store audit --password-file empty", 66, "give a file"),
    Case("sign-in --org http://127.0.0.1:1 --username u --store audit --password-fd 77", 66, "77"),
    Case("sign-in --org http://127.0.0.1:1 --username u --store text.txt/deeper", 73, "text.txt"),
    Case("nonsense", 64, "nonsense"),
    Case("flows --nonsense", 64, "nonsense"),
  ]

  @Test(arguments: cases)
  func oneSentence(_ bad: Case) throws {
    let folder = try Folder()
    _ = try folder.write("just some text\n", to: "text.txt")
    try FileManager.default.createDirectory(atPath: folder("empty"), withIntermediateDirectories: true)
    // Without any input, append would not look at the place.
    let run = try Program.run(bad.arguments, input: "\n", in: folder)
    #expect(run.code == bad.code, "\(run.errors)")
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("auditctl: "))
    #expect(run.errors.contains(bad.says), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    #expect(!run.errors.contains("Fatal") && !run.errors.contains(".swift"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder("empty")).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder("nowhere")))
  }

  @Test("a flow that does not exist, a revision and a position that do not: 66")
  func notThere() throws {
    let recorded = try Recorded.once()
    let flow = try recorded.flow(of: "ann@acme.example")
    for arguments in [
      ["show", "01ZZZZ"], ["show", flow, "--at", "999"], ["cat", "--from", "99999"], ["replay", "01ZZZZ"],
    ] {
      let run = try Program.run(arguments + ["--store", recorded.store], in: recorded.folder)
      #expect(run.code == 66, "\(arguments): \(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1)
    }
    #expect(try recorded.run("show", "0").code == 64)
    for format in ["recording", "ndjson"] {
      #expect(try recorded.run("export", flow, "--as", format, "-o", recorded.folder("no/such/file")).code == 73)
    }
  }

  @Test("a recording that was cut short: 65, at every eighth of it")
  func cutRecording() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let flow = try recorded.flow(of: "bob@acme.example")
    let export = try recorded.run("export", flow, "--as", "recording", "-o", folder("whole.ndjson.lz4"))
    #expect(export.code == 0, "\(export.errors)")
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder("whole.ndjson.lz4")))
    for eighth in 0..<8 {
      try whole.prefix(whole.count * eighth / 8).write(to: URL(fileURLWithPath: folder("cut.ndjson.lz4")))
      let run = try Program.run(["replay", folder("cut.ndjson.lz4")], in: folder)
      #expect(run.code == 65, "\(eighth)/8: \(run.errors)")
    }
  }

  @Test("a store that another process writes is locked: 75, and readers read on")
  func locked() throws {
    let folder = try Folder()
    let log = try EventLog.open(at: folder("audit"))
    let append = try Program.run(["append", "--store", folder("audit")], in: folder)
    #expect(append.code == 75, "\(append.errors)")
    let checkpoint = try Program.run(["checkpoint", "--store", folder("audit")], in: folder)
    #expect(checkpoint.code == 75, "\(checkpoint.errors)")
    #expect(try Program.run(["cat", "--store", folder("audit")], in: folder).code == 0)
    try log.close()
  }

  @Test("a signing key that should be there and is not: 77; one inside the store: 64")
  func keys() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let store = try recorded.copy(into: folder)
    let missing = try Program.run(["checkpoint", "--store", store, "--signing-key", folder("gone.key")], in: folder)
    #expect(missing.code == 77, "\(missing.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder("gone.key")))
    let inside = try Program.run(["checkpoint", "--store", store, "--signing-key", store + "/a.key"], in: folder)
    #expect(inside.code == 64, "\(inside.errors)")
  }

  @Test("a signing key that others can read: 77 with what to do, nothing is signed; after chmod it signs")
  func exposedKey() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let store = try recorded.copy(into: folder)
    let key = folder("audit.key")
    try FileManager.default.copyItem(atPath: recorded.folder("audit.key"), toPath: key)
    let notes = try FileManager.default.contentsOfDirectory(atPath: store + "/checkpoints").sorted()
    for mode in [0o644, 0o640, 0o604, 0o660] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: key)
      for command in [
        ["checkpoint"], ["keys", "rotate", "--new-key", folder("new.key")], ["prune", "--before", "1"],
      ] {
        let run = try Program.run(command + ["--store", store, "--signing-key", key], in: folder)
        #expect(run.code == 77 && run.output.isEmpty, "\(command) \(run)")
        #expect(run.errors.contains("chmod 600 \(key)"), "\(run.errors)")
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: store + "/checkpoints").sorted() == notes)
    #expect(!FileManager.default.fileExists(atPath: folder("new.key")))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    let run = try Program.run(["checkpoint", "--store", store, "--signing-key", key], in: folder)
    #expect(run.code == 0, "\(run.errors)")
  }
}
