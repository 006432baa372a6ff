import EventStore
import Foundation
import Glibc
import Testing

@Suite struct EvidenceCommandTests {
  private func make(_ arguments: [String], in folder: Folder) throws -> Run {
    let recorded = try Recorded.once()
    return try Program.run(["evidence"] + arguments + ["--store", recorded.store], in: folder)
  }

  @Test("a bundle of a flow is made, is checked by both programs, and has the same bytes each time")
  func bundle() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let flow = try recorded.flow(of: "ann@acme.example")
    let run = try make([flow, "-o", folder("a.zip")], in: folder)
    #expect(run.code == 0 && run.output.contains("1 flow, proved in the checkpoint of"), "\(run.errors)")
    #expect(try make(["make", flow, flow, "-o", folder("b.zip")], in: folder).code == 0)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: folder("a.zip")))
        == Data(contentsOf: URL(fileURLWithPath: folder("b.zip"))))
    let verified = try Program.run(
      ["evidence", "verify", folder("a.zip"), "--public-key", recorded.publicKey, "--json"], in: folder)
    let json = try JSON(parsing: Array(verified.output.utf8))
    #expect(
      verified.code == 0 && json.keys == ["schema", "verdict", "reason", "records", "flows", "open", "checkpoint"])
    #expect(json["verdict"] == "ok" && json["flows"] == [.string(flow)])
    let unpinned = try Program.run(["evidence", "verify", folder("a.zip")], in: folder)
    #expect(unpinned.code == 10 && unpinned.output.hasPrefix("unanchored"))
    let checked = try Program.shell(
      "python3 -m zipfile -e a.zip out && python3 out/check.py a.zip \(recorded.publicKey); echo $?", in: folder)
    #expect(checked.output.contains("verdict: ok") && checked.output.hasSuffix("\n0\n"), "\(checked.output)")
  }

  @Test("all flows of a person, proved in an older checkpoint")
  func person() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let run = try make(["--user", "ann@acme.example", "--since", "-24h", "-o", folder("ann.zip")], in: folder)
    #expect(run.code == 0, "\(run.errors)")
    #expect(
      try Program.run(["evidence", "verify", folder("ann.zip"), "--public-key", recorded.publicKey], in: folder).code
        == 0)
    #expect(try make(["--user", "nobody@acme.example", "-o", folder("x.zip")], in: folder).code == 1)
    #expect(!FileManager.default.fileExists(atPath: folder("x.zip")))
  }

  @Test("what cannot be made or read has the exit codes of the contract")
  func refused() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let flow = try recorded.flow(of: "ann@acme.example")
    let text = try folder.write("no bundle", to: "text")
    for (arguments, code) in [
      ([flow, "-o", folder("none/x.zip")], 73), ([flow, "-o", "/dev/full"], 74), (["zzz", "-o", folder("x.zip")], 66),
      ([flow], 64),
      (["-o", folder("x.zip")], 64), ([flow, "--user", "u", "-o", folder("x.zip")], 64),
      ([flow, "--checkpoint", text, "-o", folder("x.zip")], 65),
    ] as [([String], Int32)] {
      let run = try make(arguments, in: folder)
      #expect(run.code == code && run.errors.split(separator: "\n").count == 1, "\(arguments): \(run)")
    }
    for (arguments, code) in [
      ([text], 65), ([folder("none")], 66), ([folder.path], 66), ([text, "--public-key", text], 65),
      (["/dev/null"], 65),
    ] as [([String], Int32)] {
      let run = try Program.run(["evidence", "verify"] + arguments, in: folder)
      #expect(run.code == code && run.errors.split(separator: "\n").count == 1, "\(arguments): \(run)")
    }
    let unknown = try make(["--user", "u", "--public-key", text, "-o", folder("x.zip")], in: folder)
    #expect(unknown.code == 64 && unknown.errors.contains("'--public-key'"), "\(unknown)")
    let none = try Program.run(["evidence", "verfy", text], in: folder)
    #expect(none.code == 64 && none.errors.contains("did you mean verify"), "\(none)")
  }

  @Test("a log without a checkpoint proves nothing, and says how to sign it")
  func unsigned() throws {
    let folder = try Folder()
    let input = "{\"stream\":\"app/1\",\"type\":\"note\",\"data\":{}}\n"
    #expect(try Program.run(["append", "--store", folder("s")], input: input, in: folder).code == 0)
    let run = try Program.run(["evidence", "app/1", "--store", folder("s"), "-o", folder("x.zip")], in: folder)
    #expect(run.code == 66 && run.errors.contains("auditctl checkpoint"), "\(run)")
  }
}
