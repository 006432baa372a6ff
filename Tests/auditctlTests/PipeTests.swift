// Files that are pipes: what a shell makes of <(...), and /dev/stdin.

import Foundation
import Testing

@Suite struct PipeTests {
  /// Runs a line of the shell in which `auditctl` is the program.
  private func shell(_ line: String, in folder: Folder) throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "auditctl() { \"$AUDITCTL\" \"$@\"; }\n" + line + " > out 2> err"]
    process.environment = Program.environment(home: folder.path).merging(["AUDITCTL": Program.binary]) { $1 }
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    try process.run()
    process.waitUntilExit()
    return Run(
      code: process.terminationStatus, output: try String(contentsOfFile: folder("out"), encoding: .utf8),
      errors: try String(contentsOfFile: folder("err"), encoding: .utf8))
  }

  @Test("a key and a checkpoint from pipes are pinned")
  func pinned() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let store = recorded.store
    let key = try shell("auditctl verify --store \(store) --public-key <(cat \(recorded.publicKey))", in: folder)
    #expect(key.code == 0, "\(key.errors)")
    let note = try shell(
      "cat \(store)/checkpoints/* | tail -n 5 > note; "
        + "auditctl verify --store \(store) --public-key /dev/stdin --checkpoint <(cat note) < \(recorded.publicKey)",
      in: folder)
    #expect(note.code == 0, "\(note.errors)")
  }

  @Test("a recording from a pipe is replayed; one that is cut off is named")
  func recording() throws {
    let recorded = try Recorded.once()
    let folder = try Folder()
    let flow = try recorded.flow(of: "ann@acme.example")
    let file = folder("ann.ndjson.lz4")
    #expect(try recorded.run("export", flow, "--as", "recording", "-o", file).code == 0)
    let pipe = try shell("auditctl replay <(cat \(file)) \(file)", in: folder)
    #expect(pipe.code == 0 && pipe.output.contains("2 recordings"), "\(pipe.errors)")
    let input = try shell("cat \(file) | auditctl replay /dev/stdin", in: folder)
    #expect(input.code == 0 && input.output.contains("1 recording,"), "\(input.errors)")
    let cut = try shell("head -c 900 \(file) | auditctl replay /dev/stdin", in: folder)
    #expect(cut.code == 65 && cut.errors.contains("/dev/stdin"), "\(cut.errors)")
  }

  @Test("a response, users and a password from pipes")
  func others() throws {
    let folder = try Folder()
    let body = #"{"status":"SUCCESS","sessionToken":"x"}"#
    let explain = try shell("auditctl explain <(echo '\(body)')", in: folder)
    #expect(explain.code == 0 && explain.output.contains("SUCCESS"), "\(explain.errors)")
    let fifo = try shell("mkfifo pipe; echo '\(body)' > pipe & auditctl explain pipe", in: folder)
    #expect(fifo.code == 0 && fifo.output.contains("SUCCESS"), "\(fifo.errors)")
    let users = try shell("auditctl simulate --users <(echo '{}')", in: folder)
    #expect(users.code == 65 && users.errors.contains("no JSON array"), "\(users.errors)")
    let password = try shell(
      "auditctl sign-in --org http://127.0.0.1:1 --username u --store audit --password-file <(echo x)", in: folder)
    #expect(password.code == 74, "\(password.errors)")
  }

  @Test(
    "what never ends is not read for ever", arguments: ["explain /dev/zero", "verify --store . --public-key /dev/zero"])
  func endless(command: String) throws {
    let run = try shell("auditctl \(command)", in: Folder())
    #expect(run.code == 65 && run.errors.contains("/dev/zero has more than"), "\(run.errors)")
  }
}
