// What `export` and `checkpoint` do to what stands where they write.

import Foundation
import Glibc
import Testing

@Suite struct ExportFileTests {
  private func mode(of path: String) throws -> Int {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    return Int(status.st_mode)
  }

  private func export(_ format: String, to path: String) throws -> Run {
    let recorded = try Recorded.once()
    return try recorded.run("export", recorded.flow(of: "ann@acme.example"), "--as", format, "-o", path)
  }

  @Test("a file that is there is for its owner alone afterwards", arguments: ["ndjson", "recording"])
  func modes(format: String) throws {
    let folder = try Folder()
    let path = try folder.write(String(repeating: "old", count: 100_000), to: "file")
    #expect(chmod(path, 0o644) == 0)
    #expect(try export(format, to: path).code == 0)
    #expect(try mode(of: path) & 0o777 == 0o600)
    #expect(try !Data(contentsOf: URL(fileURLWithPath: path)).contains(Data("oldold".utf8)))
  }

  @Test("a link is neither followed nor replaced", arguments: ["ndjson", "recording"])
  func links(format: String) throws {
    let folder = try Folder()
    let victim = try folder.write("precious", to: "victim")
    #expect(symlink(victim, folder("link")) == 0)
    let run = try export(format, to: folder("link"))
    #expect(run.code == 73 && run.errors.contains("link"), "\(run.errors)")
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    #expect(try mode(of: folder("link")) & 0o170000 == 0o120000)
  }

  @Test("a device stays a device", .enabled(if: geteuid() == 0, "needs root"), arguments: ["ndjson", "recording"])
  func devices(format: String) throws {
    let folder = try Folder()
    // The device of /dev/null, under a name of the test's own.
    guard mknod(folder("null"), S_IFCHR | 0o666, 0x103) == 0 else { return }
    let run = try export(format, to: folder("null"))
    #expect(run.code == (format == "ndjson" ? 0 : 73), "\(run.errors)")
    #expect(try mode(of: folder("null")) & 0o170000 == 0o020000)
  }

  @Test("JSON Lines go into a pipe")
  func pipes() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let flow = try recorded.flow(of: "ann@acme.example")
    let lines = try recorded.run("export", flow, "--as", "ndjson", "-o", "-").lines
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = [
      "-c",
      "\"$AUDITCTL\" export \(flow) --store \(recorded.store) --as ndjson -o >(cat > one) && "
        + "\"$AUDITCTL\" export \(flow) --store \(recorded.store) --as ndjson -o /dev/stdout | cat > two; wait",
    ]
    process.environment = Program.environment(home: folder.path).merging(["AUDITCTL": Program.binary]) { $1 }
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try String(contentsOfFile: folder("two"), encoding: .utf8).split(separator: "\n").count == lines.count)
  }

  @Test("a public key is not written through a link")
  func publicKey() throws {
    let folder = try Folder()
    #expect(try Program.run(["append", "--store", "audit"], input: "\n", in: folder).code == 0)
    let victim = try folder.write("precious", to: "victim")
    #expect(symlink(victim, folder("my.pub")) == 0)
    let run = try Program.run(["checkpoint", "--store", "audit", "--signing-key", folder("my.key")], in: folder)
    #expect(run.code == 0, "\(run.errors)")
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
  }

  @Test("a public key that is there stays as it is, and another one is replaced whole: a reader finds no part of it")
  func publicKeyReplaced() throws {
    let folder = try Folder()
    #expect(try Program.run(["append", "--store", "audit"], input: "\n", in: folder).code == 0)
    func publish() throws -> String {
      let run = try Program.run(["checkpoint", "--store", "audit", "--signing-key", folder("my.key")], in: folder)
      #expect(run.code == 0, "\(run.errors)")
      return try String(contentsOfFile: folder("my.pub"), encoding: .utf8)
    }
    let key = try publish()
    #expect(key.hasSuffix("\n"))
    #expect(try mode(of: folder("my.pub")) & 0o777 == 0o644)
    let time = Date(timeIntervalSince1970: 1_000_000_000)
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: folder("my.pub"))
    #expect(try publish() == key)
    let kept = try FileManager.default.attributesOfItem(atPath: folder("my.pub"))[.modificationDate] as? Date
    #expect(kept == time)

    try FileManager.default.removeItem(atPath: folder("my.pub"))
    _ = try folder.write("another key\n", to: "my.pub")
    // What a reader has open that came before.
    #expect(link(folder("my.pub"), folder("open")) == 0)
    #expect(try publish() == key)
    #expect(try String(contentsOfFile: folder("open"), encoding: .utf8) == "another key\n")
  }
}
