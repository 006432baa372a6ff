// A sign-in that a signal interrupts has its end in the log.

import EventStore
import Foundation
import Glibc
import SimulatedOrg
import Testing

@Suite struct InterruptionTests {
  private static let user = OrgUser(
    login: "ann@acme.example", password: "Right-horse-7", factors: [.push(device: "Ann's phone")])

  private static func org(_ decorate: @escaping @Sendable (OrgJSON) -> Void = { _ in }) async throws -> SimulatedOrg {
    try await SimulatedOrg.start(
      OrgConfiguration(
        users: [user], clock: .system,
        decorate: { _, body in
          decorate(body)
          return body
        }, policy: OrgPolicy.named("two-factors") ?? .standard))
  }

  /// Runs a sign-in, sends it a signal once `isReady` returns, and waits for its end; on a thread of its own, since the org
  /// of this process needs those of asynchronous code.
  private static func run(
    _ api: String, at org: SimulatedOrg, signals: [Int32], in folder: Folder, under program: [String] = [],
    isReady: @escaping @Sendable (FileHandle) -> Void, between: @escaping @Sendable (Process) -> Void = { _ in }
  ) async throws -> (code: Int32, reason: Process.TerminationReason, errors: String) {
    let file = try folder.write("Right-horse-7\n", to: "password.txt")
    let arguments = [
      "sign-in", "--org", org.url.absoluteString, "--username", "ann@acme.example", "--store", folder("audit"), "--api",
      api, "--factor", "push", "--poll-interval", "1", "--password-file", file,
    ]
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let process = Process()
            let command = program + [Program.binary] + arguments
            process.executableURL = URL(fileURLWithPath: command[0])
            process.arguments = Array(command.dropFirst())
            process.environment = Program.environment(home: folder.path)
            let (input, errors) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = FileHandle.nullDevice
            process.standardError = errors
            try process.run()
            isReady(errors.fileHandleForReading)
            for (index, number) in signals.enumerated() {
              if index > 0 { between(process) }
              kill(process.processIdentifier, number)
            }
            process.waitUntilExit()
            let rest = errors.fileHandleForReading.readDataToEndOfFile()
            return (process.terminationStatus, process.terminationReason, String(decoding: rest, as: UTF8.self))
          })
      }
    }
  }

  /// Reads what a program says until it says so.
  @Sendable private static func wait(for words: String, from handle: FileHandle) {
    var text = ""
    while !text.contains(words) {
      let more = handle.availableData
      guard !more.isEmpty else { return }
      text += String(decoding: more, as: UTF8.self)
    }
  }

  private static func checkEnd(
    of run: (code: Int32, reason: Process.TerminationReason, errors: String), in folder: Folder,
    sourceLocation: SourceLocation = #_sourceLocation
  )
    throws
  {
    #expect(run.reason == .exit && run.code == 130, "\(run.code) \(run.errors)", sourceLocation: sourceLocation)
    #expect(run.errors.contains("is recorded with its end"), "\(run.errors)", sourceLocation: sourceLocation)
    let flows = try Program.run(["flows", "--json", "--store", folder("audit")], in: folder).lines
    #expect(
      try flows.map { try JSON(parsing: Array($0.utf8))["outcome"]?.string } == ["abandoned"],
      sourceLocation: sourceLocation)
    let replay = try Program.run(["replay", "--store", folder("audit")], in: folder)
    #expect(replay.code == 0, "\(replay.output)\(replay.errors)", sourceLocation: sourceLocation)
    let verify = try Program.run(["verify", "--store", folder("audit")], in: folder)
    #expect(verify.code == 10, "\(verify.output)", sourceLocation: sourceLocation)
  }

  @Test("while a push waits", arguments: [("authn", SIGINT), ("idx", SIGINT), ("authn", SIGTERM), ("idx", SIGTERM)])
  func push(api: String, signal: Int32) async throws {
    let org = try await Self.org()
    let folder = try Folder()
    let run = try await Self.run(api, at: org, signals: [signal], in: folder) { Self.wait(for: "Waiting", from: $0) }
    await org.stop()
    try Self.checkEnd(of: run, in: folder)
  }

  @Test("a terminal that goes away sends SIGHUP more than once: the flow has its end all the same")
  func hangup() async throws {
    let org = try await Self.org()
    let folder = try Folder()
    let run = try await Self.run("authn", at: org, signals: [SIGHUP, SIGHUP, SIGHUP], in: folder) {
      Self.wait(for: "Waiting", from: $0)
    }
    await org.stop()
    try Self.checkEnd(of: run, in: folder)
  }

  @Test("under nohup, SIGHUP is ignored: the push is polled for until another signal comes")
  func nohup() async throws {
    let asked = DispatchSemaphore(value: 0)
    let org = try await Self.org { _ in asked.signal() }
    let folder = try Folder()
    let run = try await Self.run(
      "authn", at: org, signals: [SIGHUP, SIGINT], in: folder, under: ["/usr/bin/nohup"],
      isReady: {
        Self.wait(for: "Waiting", from: $0)
        while asked.wait(timeout: .now()) == .success {}
      },
      // The polls after the first signal: the first of them may have been under way.
      between: { process in
        for _ in 0..<2 { while asked.wait(timeout: .now() + 0.1) != .success, process.isRunning {} }
      })
    await org.stop()
    try Self.checkEnd(of: run, in: folder)
  }

  @Test("while the org does not answer", arguments: ["authn", "idx"])
  func hangingOrg(api: String) async throws {
    let asked = DispatchSemaphore(value: 0)
    let org = try await Self.org { _ in asked.signal() }
    org.inject(Fault(.latency(seconds: 600), path: api == "idx" ? "/introspect" : "/authn"))
    let folder = try Folder()
    let run = try await Self.run(api, at: org, signals: [SIGINT], in: folder) { _ in
      for _ in 0..<(api == "idx" ? 2 : 1) { asked.wait() }
    }
    await org.stop()
    try Self.checkEnd(of: run, in: folder)
  }

  @Test("while a FIFO has no writer: the first signal ends the command")
  func passwordFile() throws {
    let folder = try Folder()
    #expect(mkfifo(folder("password"), 0o600) == 0)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.binary)
    process.arguments = [
      "sign-in", "--org", "http://127.0.0.1:1", "--username", "ann@acme.example", "--store", folder("audit"),
      "--password-file", folder("password"),
    ]
    process.environment = Program.environment(home: folder.path)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    // Opening the FIFO for writing waits until the program has it open for reading; nothing is written. If the program
    // ends before that, this reader ends the wait.
    let fifo = folder("password")
    process.terminationHandler = { _ in _ = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    try process.run()
    let writer = open(fifo, O_WRONLY | O_CLOEXEC)
    #expect(writer >= 0)
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    close(writer)
    #expect(process.terminationReason == .exit && process.terminationStatus == 130)
  }

  @Test("while the command of minimise looks at a recording: the file is removed", arguments: [SIGINT, SIGTERM])
  func candidate(signal: Int32) throws {
    let folder = try Folder()
    #expect(mkfifo(folder("hold"), 0o600) == 0)
    // The command reads until this is closed.
    let hold = open(folder("hold"), O_RDWR | O_CLOEXEC)
    #expect(hold >= 0)
    defer { close(hold) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.binary)
    process.arguments = [
      "minimise", GoldenPath.file("push-approved"), "-o", "small.ndjson.lz4", "--exec",
      "f() { exec 3<hold; test -s \"$1\" && echo ready >&2; read line <&3; }; f",
    ]
    process.environment = Program.environment(home: folder.path)
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    let errors = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    Self.wait(for: "ready", from: errors.fileHandleForReading)
    func candidates() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains("candidate") }
    }
    #expect(try candidates().count == 1)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 130)
    #expect(try candidates() == [])
  }

  @Test("before there is a password: nothing is recorded, the terminal echoes again, the store can be written to")
  func prompt() throws {
    let folder = try Folder()
    let terminal = try PseudoTerminal(columns: 80)
    #expect(terminal.echoes)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.binary)
    process.arguments = [
      "sign-in", "--org", "http://127.0.0.1:1", "--username", "ann@acme.example", "--store", folder("audit"),
    ]
    process.environment = Program.environment(home: folder.path)
    let errors = Pipe()
    process.standardInput = terminal.program
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    Self.wait(for: "Password for", from: errors.fileHandleForReading)
    #expect(!terminal.echoes)
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 130)
    #expect(terminal.echoes)
    #expect(try Program.run(["flows", "--json", "--store", folder("audit")], in: folder).output.isEmpty)
    #expect(try Program.run(["append", "--store", folder("audit")], input: "\n", in: folder).code == 0)
  }
}
