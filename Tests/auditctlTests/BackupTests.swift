// Backups, restored stores, keys and tiles, as they are called from a shell.

import EventStore
import Foundation
import Testing

@testable import auditctl

@Suite struct BackupTests {
  private func json(_ run: Run) throws -> JSON { try JSON(parsing: Array(run.output.utf8)) }

  @Test("a backup verifies as its store does, is not appended to, and is restored under a new name")
  func backupAndRestore() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let backup = try recorded.run("backup", "-o", folder("backup"), "--json", folder: folder)
    #expect(backup.code == 0 && backup.errors.isEmpty, "\(backup)")
    let records = try json(backup)["records"]?.int
    let verified = try Program.run(
      ["verify", "--store", folder("backup"), "--public-key", recorded.publicKey, "--json"], in: folder)
    #expect(verified.code == 0)
    #expect(try json(verified)["records"]?.int == records)
    let input = #"{"stream":"app/1","type":"t","data":{}}"#
    let refused = try Program.run(["append", "--store", folder("backup")], input: input, in: folder)
    #expect(refused.code == 77 && refused.errors.contains("auditctl restore"), "\(refused)")
    #expect(try recorded.run("backup", "-o", folder("backup"), folder: folder).code == 73)

    let restored = try Program.run(["restore", folder("backup"), "--store", folder("new")], in: folder)
    // But for the paths: how long they are is not ours to say.
    let lines = restored.lines.map { $0.replacingOccurrences(of: folder.path, with: "") }
    #expect(restored.code == 0 && lines.allSatisfy { $0.count <= 80 }, "\(restored)")
    #expect(try Program.run(["append", "--store", folder("new")], input: input, in: folder).code == 0)
    #expect(try Program.run(["checkpoint", "--store", folder("new")], in: folder).code == 0)
    let old = try Program.run(["verify", "--store", folder("new"), "--public-key", recorded.publicKey], in: folder)
    #expect(old.code == 0 && old.output.contains("restored") && old.output.contains("2 records follow"), "\(old)")
    let info = try json(try Program.run(["info", "--store", folder("new"), "--json"], in: folder))
    #expect(info["restoredFrom"]?.array?.first?["size"]?.int == records)
    #expect(try Program.run(["restore", folder("nothing"), "--store", folder("x")], in: folder).code == 66)
    #expect(try Program.run(["restore", folder("backup"), "--store", folder("new")], in: folder).code == 73)
  }

  @Test("a truncated store is restored only with --accept-loss; the old checkpoint stays truncated 21")
  func truncated() throws {
    let folder = try Folder()
    let store = folder("audit")
    // Two commits, each in a frame of its own, since a checkpoint ends the frame.
    for _ in 0..<2 {
      let input = #"{"stream":"app/1","type":"t","data":{}}"#
      #expect(try Program.run(["append", "--store", store], input: input, in: folder).code == 0)
      let signed = try Program.run(
        ["checkpoint", "--store", store, "--signing-key", folder("a.key")], in: folder)
      #expect(signed.code == 0, "\(signed)")
    }
    let note = try folder.write(try String(contentsOfFile: store + "/checkpoints/latest", encoding: .utf8), to: "note")
    let names = try FileManager.default.contentsOfDirectory(atPath: store + "/segments").sorted()
    let file = URL(fileURLWithPath: store + "/segments/" + (try #require(names.first)))
    let bytes = try Data(contentsOf: file)
    // Behind the first directory, where a frame ends.
    let directory = try #require(bytes.range(of: Data("DIRY".utf8)))
    let size = bytes[(directory.lowerBound - 4)..<directory.lowerBound].reversed().reduce(0) { $0 << 8 | Int($1) }
    try bytes.prefix(directory.lowerBound + size).write(to: file)
    for name in names.dropFirst() { try FileManager.default.removeItem(atPath: store + "/segments/" + name) }
    #expect(try Program.run(["verify", "--store", store, "--public-key", folder("a.pub")], in: folder).code == 21)
    let refused = try Program.run(["restore", store, "--store", folder("new")], in: folder)
    #expect(refused.code == 65 && refused.errors.contains("--accept-loss"), "\(refused)")
    let run = try Program.run(["restore", store, "--store", folder("new"), "--accept-loss"], in: folder)
    #expect(run.code == 0 && run.output.contains("lost"), "\(run)")
    let verify = try Program.run(
      ["verify", "--store", folder("new"), "--public-key", folder("a.pub"), "--checkpoint", note], in: folder)
    #expect(verify.code == 21, "\(verify)")
  }

  @Test("a backup that lost its end since is read with a warning, and restored only with --accept-loss")
  func shortBackup() throws {
    let folder = try Folder()
    let input = (0..<40).map { #"{"stream":"app/1","type":"t","data":{"n":\#($0)}}"# }.joined(separator: "\n")
    #expect(try Program.run(["append", "--store", folder("audit")], input: input, in: folder).code == 0)
    #expect(try Program.run(["backup", "--store", folder("audit"), "-o", folder("backup")], in: folder).code == 0)
    let whole = try Program.run(["cat", "--store", folder("backup")], in: folder)
    #expect(whole.errors.isEmpty && whole.lines.count == 41, "\(whole)")
    let segments = folder("backup") + "/segments/"
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: segments).first)
    try FileManager.default.removeItem(atPath: segments + name)
    let cat = try Program.run(["cat", "--store", folder("backup")], in: folder)
    #expect(cat.lines.isEmpty && cat.errors.contains("it is a backup of 41"), "\(cat)")
    try Data(contentsOf: URL(fileURLWithPath: folder("audit") + "/segments/" + name)).dropLast(600)
      .write(to: URL(fileURLWithPath: segments + name))
    let refused = try Program.run(["restore", folder("backup"), "--store", folder("new")], in: folder)
    #expect(refused.code == 65 && refused.errors.contains("was made of 41"), "\(refused)")
  }

  @Test("keys are listed and handed over; both public keys verify the log, a missing old one is 77")
  func keys() throws {
    let folder = try Folder()
    _ = try Program.run(
      ["append", "--store", folder("audit")], input: #"{"stream":"app/1","type":"t","data":{}}"#, in: folder)
    let early = try Program.run(
      ["keys", "rotate", "--store", folder("audit"), "--new-key", folder("b.key")], in: folder)
    #expect(early.code == 77 && !FileManager.default.fileExists(atPath: folder("b.key")), "\(early)")
    _ = try Program.run(["checkpoint", "--store", folder("audit"), "--signing-key", folder("a.key")], in: folder)
    let lost = try Program.run(
      ["keys", "rotate", "--store", folder("audit"), "--signing-key", folder("none"), "--new-key", folder("b.key")],
      in: folder)
    #expect(lost.code == 77 && !FileManager.default.fileExists(atPath: folder("b.key")), "\(lost)")
    let run = try Program.run(
      [
        "keys", "rotate", "--store", folder("audit"), "--signing-key", folder("a.key"), "--new-key", folder("b.key"),
        "--also",
        folder(""),
      ], in: folder)
    #expect(run.code == 0, "\(run)")
    let note = try SignedNote(text: run.output)
    #expect(try String(contentsOfFile: folder("\(note.origin).checkpoint"), encoding: .utf8) == run.output)
    #expect(note.signatures.count == 2 && note.nextKey != nil)
    let mode = try FileManager.default.attributesOfItem(atPath: folder("b.key"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
    for key in ["a.pub", "b.pub"] {
      let verify = try Program.run(["verify", "--store", folder("audit"), "--public-key", folder(key)], in: folder)
      #expect(verify.code == 0, "\(key) \(verify)")
    }
    let list = try json(try Program.run(["keys", "--store", folder("audit"), "--json"], in: folder))
    #expect(list["current"]?.string == note.nextKey?.description)
    #expect(list["retired"]?.array?.first?["until"]?.int == Int(note.size))
    let old = try Program.run(
      ["checkpoint", "--store", folder("audit"), "--signing-key", folder("a.key")], in: folder)
    #expect(old.code == 77, "\(old)")
    #expect(
      try Program.run(["checkpoint", "--store", folder("audit"), "--signing-key", folder("b.key")], in: folder).code
        == 0)
  }

  @Test("the log is exported as tiles, once; without a checkpoint there is nothing to export")
  func tiles() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    #expect(try recorded.run("export", "--tiles", folder("tiles"), folder: folder).code == 0)
    for path in ["checkpoint", "tile/0", "tile/entries"] {
      #expect(FileManager.default.fileExists(atPath: folder("tiles/" + path)), "\(path)")
    }
    #expect(try recorded.run("export", "--tiles", folder("tiles"), folder: folder).code == 73)
    #expect(try recorded.run("export", "x", "--tiles", folder("other"), folder: folder).code == 64)
    _ = try Program.run(
      ["append", "--store", folder("audit")], input: #"{"stream":"app/1","type":"t","data":{}}"#, in: folder)
    let run = try Program.run(["export", "--store", folder("audit"), "--tiles", folder("none")], in: folder)
    #expect(run.code == 66 && !FileManager.default.fileExists(atPath: folder("none")), "\(run)")
  }

  @Test("a progress bar fits its terminal and says share and amount")
  func progressBar() {
    let line = ProgressBar.line("Verifying", 3 << 20, of: 12 << 20, unit: .bytes, width: 80)
    #expect(line == "Verifying [#######.......................]  25%  3.0 of 12.0 MiB")
    for width in 0...120 {
      for (done, total) in [(0, 0), (1, 0), (5, 5), (9, 5), (UInt64.max, .max)] as [(UInt64, UInt64)] {
        let line = ProgressBar.line("Copying", done, of: total, unit: .records, width: width)
        #expect(line.count < max(width, 1) && !line.contains("\u{1B}"))
      }
    }
    #expect(ProgressBar.line("Copying", 9, of: 9, unit: .records, width: 80).contains("] 100%  9 of 9 records"))
  }

  @Test("a copy is not made inside of what is copied")
  func copiesInside() throws {
    let signed = try SignedStore()
    for command in [
      ["backup", "-o", signed.path + "/inner"], ["export", "--tiles", signed.path + "/tiles"],
    ] {
      let refused = try Program.run(command + ["--store", signed.path], in: signed.folder)
      #expect(refused.code == 73 && refused.errors.contains("in the store itself"), "\(refused.errors)")
    }
    let refused = try signed.run("restore", signed.path, "--store", signed.path + "/segments/x")
    #expect(refused.code == 73, "\(refused.errors)")
    #expect(try signed.run("verify", "--store", signed.path).code == 10)
  }
}
