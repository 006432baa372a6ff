// A witness and a log, as two parties run them; and what verify may be asked beyond a log's being whole.

import EventStore
import Foundation
import Glibc
import Testing

@Suite struct WitnessTests: CommandSuite {
  let folder: Folder
  private let line = #"{"stream":"app/1","type":"t","data":{}}"#

  init() throws { folder = try Folder() }

  /// Appends a record and signs; the store's public key is then `audit.pub`.
  @discardableResult
  private func sign(_ store: String = "audit", records: Int = 1) throws -> Run {
    let input = (0..<records).map { _ in line }.joined(separator: "\n")
    _ = try run("append", "--store", folder(store), input: input)
    return try run("checkpoint", "--store", folder(store), "--signing-key", folder("audit.key"))
  }

  /// Makes a witness; its public key is then `w1.pub`.
  private func begin() throws -> String {
    let made = try run(
      "witness", "init", "--name", "example.com/w1", "--key", folder("w1.key"), "--state", folder("w1"))
    let mode = try FileManager.default.attributesOfItem(atPath: folder("w1.key"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
    return try folder.write(made.output, to: "w1.pub")
  }

  private func witnessSign(code: Int32 = 0) throws -> Run {
    try run(
      "witness", "sign", folder("request"), "--key", folder("w1.key"), "--state", folder("w1"), "--log",
      folder("audit.pub"), "-o", folder("answer"), code: code)
  }

  private func verify(
    _ store: String = "audit", _ more: String..., code: Int32, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> JSON {
    let run = try Program.run(
      ["verify", "--store", folder(store), "--public-key", folder("audit.pub"), "--json"] + more, in: folder)
    #expect(run.code == code, "\(more): \(run.output)\(run.errors)", sourceLocation: sourceLocation)
    return try JSON(parsing: Array(run.output.utf8))
  }

  @Test("through files: request, sign, add, and verify demands it; a roll-back and a fork are refused with 65")
  func files() throws {
    let key = try begin()
    try sign()
    #expect(try verify("audit", "--witness-key", key, code: 10)["verdict"]?.string == "unanchored")
    _ = try run("cosign", "request", "--store", folder("audit"), "--witness-key", key, "-o", folder("request"))
    _ = try witnessSign()
    let cosigned = try run("cosign", "add", folder("answer"), "--store", folder("audit"), "--witness-key", key)
    #expect(try SignedNote(text: cosigned.output).signatures.count == 2)
    let good = try verify("audit", "--witness-key", String(contentsOfFile: key, encoding: .utf8), code: 0)
    #expect(good["witnesses"]?.array?.first?["cosigned"]?.int == 2)
    #expect(good["witnesses"]?.array?.first?["at"]?.string != nil)
    let text = try run("verify", "--store", folder("audit"), "--public-key", folder("audit.pub"), "--witness-key", key)
    #expect(text.output.contains("cosigned example.com/w1: 2 records at "))

    try FileManager.default.copyItem(atPath: folder("audit"), toPath: folder("older"))
    try sign(records: 3)
    #expect(try verify("audit", "--witness-key", key, code: 10)["witnesses"]?.array?.first?["cosigned"]?.int == 2)
    _ = try run("cosign", "request", "--store", folder("audit"), "--witness-key", key, "-o", folder("request"))
    _ = try witnessSign()
    _ = try run("cosign", "add", folder("answer"), "--store", folder("audit"), "--witness-key", key)
    _ = try verify("audit", "--witness-key", key, code: 0)

    // The older copy: rolled back; grown by other records under the same key, without its memory: forked.
    try FileManager.default.removeItem(atPath: folder("answer"))
    _ = try run("cosign", "request", "--store", folder("older"), "--witness-key", key, "-o", folder("request"))
    #expect(try witnessSign(code: 65).errors.contains("truncated"))
    try FileManager.default.removeItem(atPath: folder("audit.key.state"))
    try sign("older", records: 3)
    _ = try run(
      "cosign", "request", "--store", folder("older"), "--witness-key", key, "--from", "5", "-o", folder("request"))
    #expect(try witnessSign(code: 65).errors.contains("forked"))
    #expect(!FileManager.default.fileExists(atPath: folder("answer")))
    let other = try run(
      "witness", "sign", folder("request"), "--key", folder("w1.key"), "--state", folder("w1"), "--log", key, code: 65)
    #expect(other.errors.contains("that of a witness"))
  }

  @Test("over HTTP: served, asked, and added; what the protocol refuses is refused")
  func served() throws {
    let key = try begin()
    try sign()
    let (server, url) = try serve()
    defer {
      server.terminate()
      server.waitUntilExit()
    }
    #expect(url.hasPrefix("http://127.0.0.1:"))
    func ask(_ store: String = "audit", code: Int32 = 0) throws -> Run {
      try run("cosign", "--store", folder(store), "--witness", url + "/", "--witness-key", key, code: code)
    }
    #expect(try SignedNote(text: ask().output).signatures.count == 2)
    _ = try verify("audit", "--witness-key", key, code: 0)
    try FileManager.default.copyItem(atPath: folder("audit"), toPath: folder("older"))
    try sign(records: 4)
    _ = try ask()
    // A store that has lost the cosignatures learns from the witness where it is.
    try FileManager.default.copyItem(atPath: folder("audit"), toPath: folder("plain"))
    for name in try FileManager.default.contentsOfDirectory(atPath: folder("plain/checkpoints")) {
      let path = folder("plain/checkpoints/" + name)
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
      let own = lines.filter { !$0.contains("example.com/w1") }.joined(separator: "\n")
      try own.write(toFile: path, atomically: true, encoding: .utf8)
    }
    #expect(try SignedNote(text: ask("plain").output).signatures.count == 2)
    #expect(try ask("older", code: 65).errors.contains("truncated"))
    try FileManager.default.removeItem(atPath: folder("audit.key.state"))
    try sign("older", records: 4)
    #expect(try ask("older", code: 1).errors.contains("forked"))

    func status(_ arguments: String) throws -> String {
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.arguments = ["-c", "curl -s -o /dev/null -w '%{http_code} %{content_type}' \(arguments)"]
      let pipe = Pipe()
      shell.standardOutput = pipe
      try shell.run()
      let said = pipe.fileHandleForReading.readDataToEndOfFile()
      shell.waitUntilExit()
      return String(decoding: said, as: UTF8.self)
    }
    _ = try run("cosign", "request", "--store", folder("plain"), "--witness-key", key, "--from", "0", "-o", folder("r"))
    #expect(try status("--data-binary @\(folder("r")) \(url)/add-checkpoint") == "409 text/x.tlog.size")
    #expect(try status("--data-binary garbage \(url)/add-checkpoint").hasPrefix("400"))
    #expect(try status("\(url)/add-checkpoint").hasPrefix("405"))
    #expect(try status("\(url)/").hasPrefix("404"))
    let foreign = try String(contentsOfFile: folder("r"), encoding: .utf8).replacingOccurrences(
      of: "flowrecorder-", with: "x-")
    _ = try folder.write(foreign, to: "f")
    #expect(try status("--data-binary @\(folder("f")) \(url)/add-checkpoint").hasPrefix("404"))
  }

  /// Starts the witness, after a command of the shell. To be ended by the caller.
  private func serve(after command: String = ":") throws -> (server: Process, url: String) {
    let server = Process()
    server.executableURL = URL(fileURLWithPath: "/bin/sh")
    server.arguments = [
      "-c", "\(command); exec \"$0\" \"$@\"", Program.binary, "witness", "serve", "--key", folder("w1.key"), "--state",
      folder("w1"), "--log", folder("audit.pub"),
    ]
    server.environment = Program.environment(home: folder.path)
    let output = Pipe()
    server.standardOutput = output
    server.standardError = FileHandle.nullDevice
    try server.run()
    return (server, output.fileHandleForReading.firstLine())
  }

  @Test("a witness that cannot answer now has not refused: 74")
  func unable() throws {
    let key = try begin()
    try sign()
    let (server, url) = try serve()
    defer {
      server.terminate()
      server.waitUntilExit()
    }
    _ = try run("cosign", "--store", folder("audit"), "--witness", url, "--witness-key", key)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder("w1")).filter { $0.hasSuffix(".checkpoint") }
    #expect(names.count == 1)
    for name in names { _ = try folder.write("garbage\n", to: "w1/" + name) }
    try sign()
    let unable = try run("cosign", "--store", folder("audit"), "--witness", url, "--witness-key", key, code: 74)
    #expect(unable.errors.contains("cannot answer now (HTTP 503)") && unable.errors.contains("try again"), "\(unable)")
    #expect(!unable.errors.contains("refuses") && !unable.errors.contains("garbage"))
  }

  @Test("more silent connections than the witness may have descriptors keep no one else from it")
  func crowd() throws {
    _ = try begin()
    try sign()
    let (server, url) = try serve(after: "ulimit -n 128")
    defer {
      server.terminate()
      server.waitUntilExit()
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) }).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let silent = (0..<200).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }
    defer { for descriptor in silent { close(descriptor) } }
    for descriptor in silent {
      let code = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      try #require(code == 0)
      _ = send(descriptor, "POST /add-ch", 12, Int32(MSG_NOSIGNAL))
    }
    let answer = try Program.shell("curl -s -m 60 -o /dev/null -w '%{http_code}' \(url)/", in: folder)
    #expect(answer.output == "404")
    #expect(server.isRunning)
  }

  @Test("a witness that cannot begin leaves no key behind, and one without its state does not go on")
  func beginnings() throws {
    let key = try begin()
    let again = try run(
      "witness", "init", "--name", "w2", "--key", folder("w2.key"), "--state", folder("w1"), code: 73)
    #expect(again.errors.contains("state") && !FileManager.default.fileExists(atPath: folder("w2.key")))
    _ = try run("witness", "init", "--name", "w2", "--key", folder("w1.key"), "--state", folder("w2"), code: 73)
    try sign()
    _ = try run("cosign", "request", "--store", folder("audit"), "--witness-key", key, "-o", folder("request"))
    try FileManager.default.removeItem(atPath: folder("w1"))
    #expect(try witnessSign(code: 66).errors.contains("new key"))
    _ = try run("cosign", "request", "--store", folder("nowhere"), "--witness-key", key, code: 66)
    for listen in ["8080", "127.0.0.1", "127.0.0.1:x", "127.0.0.01:1", "localhost:1", "127.0.0.1:65536"] {
      _ = try run(
        "witness", "serve", "--key", folder("w1.key"), "--state", folder("w1"), "--log", key, "--listen", listen,
        code: 64)
    }
  }

  @Test("without a checkpoint nothing is cosigned: 66; what is refused says what, where, and what to do")
  func messages() throws {
    let key = try begin()
    let store = folder("audit")
    _ = try run("append", "--store", store, input: line)
    let garbage = try folder.write("garbage\n", to: "garbage")
    let none = try run("cosign", "request", "--store", store, "--witness-key", key, code: 66)
    #expect(none.errors.contains("no checkpoint yet") && none.errors.contains("auditctl checkpoint"))
    _ = try run("cosign", "--store", store, "--witness", "http://127.0.0.1:1", "--witness-key", key, code: 66)
    _ = try run("cosign", "add", garbage, "--store", store, "--witness-key", key, code: 66)

    try sign()
    let away = try run(
      "cosign", "--store", store, "--witness", "http://127.0.0.1:1", "--witness-key", key, code: 74)
    #expect(away.errors.contains("http://127.0.0.1:1 does not answer: ") && away.errors.contains("; check --witness"))
    let bad = try run("cosign", "add", garbage, "--store", store, "--witness-key", key, code: 65)
    #expect(bad.errors.contains(garbage) && bad.errors.contains("auditctl witness sign"), "\(bad)")
    _ = try run("cosign", "request", "--store", store, "--witness-key", key, "-o", folder("request"))
    _ = try witnessSign()
    let made = try run(
      "witness", "init", "--name", "example.com/w2", "--key", folder("w2.key"), "--state", folder("w2"))
    let other = try folder.write(made.output, to: "w2.pub")
    let foreign = try run("cosign", "add", folder("answer"), "--store", store, "--witness-key", other, code: 77)
    for words in ["example.com/w2", folder("answer"), store, "give the key"] {
      #expect(foreign.errors.contains(words), "\(foreign)")
    }

    try sign(records: 2)
    _ = try run("cosign", "request", "--store", store, "--witness-key", key, "--from", "0", "-o", folder("request"))
    let stale = try witnessSign(code: 65)
    #expect(stale.errors.contains(folder("request")) && stale.errors.contains("cosign request --from 3"), "\(stale)")
  }

  @Test("--max-tail, --min-size and --state say more than ok, and need a pinned key")
  func demands() throws {
    try sign()
    _ = try run("append", "--store", folder("audit"), input: line + "\n" + line)
    #expect(try verify("audit", "--max-tail", "2", "--min-size", "4", code: 0)["verdict"]?.string == "ok")
    #expect(try verify("audit", "--max-tail", "1", code: 10)["verdict"]?.string == "unanchored")
    #expect(try verify("audit", "--min-size", "5", code: 21)["verdict"]?.string == "truncated")
    let words = try run(
      "verify", "--store", folder("audit"), "--public-key", folder("audit.pub"), "--max-tail", "1", code: 10
    ).output.lowercased().split { !$0.isLetter }
    #expect(!words.contains("ok") && !words.contains("pass"))
    for option in [["--max-tail", "1"], ["--state", folder("seen")], ["--witness-key", "x"]] {
      #expect(try Program.run(["verify", "--store", folder("audit")] + option, in: folder).code == 64)
    }

    // A bad verdict leaves the state alone; a good one moves it.
    #expect(try verify("audit", "--state", folder("seen"), "--max-tail", "0", code: 10)["remembered"] == .null)
    #expect(!FileManager.default.fileExists(atPath: folder("seen")))
    #expect(try verify("audit", "--state", folder("seen"), code: 0)["remembered"]?.int == 2)
    try FileManager.default.copyItem(atPath: folder("audit"), toPath: folder("older"))
    try sign()
    #expect(try verify("audit", "--state", folder("seen"), code: 0)["remembered"]?.int == 5)
    #expect(
      try String(contentsOfFile: folder("seen"), encoding: .utf8)
        == String(contentsOfFile: folder("audit/checkpoints/latest"), encoding: .utf8))
    // The whole store, put back to its older copy, is as good as ever without the state.
    _ = try verify("older", code: 0)
    #expect(try verify("older", "--state", folder("seen"), code: 21)["remembered"]?.int == 5)
    try FileManager.default.removeItem(atPath: folder("audit.key.state"))
    try sign("older", records: 3)
    #expect(try verify("older", "--state", folder("seen"), code: 22)["verdict"]?.string == "forked")
    #expect(try verify("audit", "--state", folder("seen"), code: 0)["remembered"]?.int == 5)
  }

  @Test("a log that was cut, or given a new key, is not signed: what the key remembers says why")
  func memory() throws {
    try sign()
    try FileManager.default.copyItem(atPath: folder("audit"), toPath: folder("older"))
    try sign(records: 2)
    let cut = try run(
      "checkpoint", "--store", folder("older"), "--signing-key", folder("audit.key"), code: 65)
    #expect(cut.errors.contains("truncated") && cut.errors.contains("audit.key.state") && cut.output.isEmpty)
    _ = try run("append", "--store", folder("older"), input: [line, line, line].joined(separator: "\n"))
    let forked = try run(
      "checkpoint", "--store", folder("older"), "--signing-key", folder("audit.key"), code: 65)
    #expect(forked.errors.contains("forked"))
    // Nothing that the store says of its key is left.
    let identity = folder("audit/store.json")
    let lines = try String(contentsOfFile: identity, encoding: .utf8).split(separator: "\n")
    try lines.filter { !$0.contains("publicKey") }.joined(separator: "\n").write(
      toFile: identity, atomically: true, encoding: .utf8)
    try FileManager.default.removeItem(atPath: folder("audit/checkpoints/latest"))
    let keyed = try run(
      "checkpoint", "--store", folder("audit"), "--signing-key", folder("audit.key"), code: 77)
    #expect(keyed.errors.contains("names no key"))
    #expect(
      try run(
        "checkpoint", "--store", folder("older"), "--signing-key", folder("audit.key"),
        "--signer-state", folder("elsewhere")
      ).code == 0)
  }
}
