import EventStore
import Foundation
import Testing

/// `auditctl statement`: what a log says of itself over a time, signed.
@Suite struct StatementTests {
  private func append(_ folder: Folder, _ lines: [String], to store: String = "audit") throws {
    let run = try Program.run(["append", "--store", folder(store)], input: lines.joined(separator: "\n"), in: folder)
    #expect(run.code == 0, "\(run.errors)")
  }

  private func own(_ type: String, at time: String, _ data: String = "{}") -> String {
    #"{"stream":"log","type":"\#(type)","at":"\#(time)","data":\#(data)}"#
  }

  private func run(_ folder: Folder, _ arguments: String...) throws -> Run { try Program.run(arguments, in: folder) }

  /// A log of two days that a recorder was stopped and died in, signed.
  private func signed(_ folder: Folder) throws -> (key: String, publicKey: String) {
    try append(
      folder,
      [
        own("recorder.started", at: "2026-03-01T08:00:00Z", #"{"sdk":"x","heartbeat":900000}"#),
        own("recorder.stopped", at: "2026-03-01T20:00:00Z"),
        own("recorder.started", at: "2026-03-02T06:00:00Z", #"{"sdk":"x","heartbeat":900000}"#),
        own("log.gap", at: "2026-03-02T06:10:00Z", #"{"lost":3,"flows":[],"reason":"x"}"#),
        #"{"stream":"app/1","type":"note","at":"2026-03-02T06:20:00Z","data":{"text":"hello"}}"#,
        own("recorder.started", at: "2026-03-02T09:00:00Z", #"{"sdk":"x","heartbeat":900000}"#),
        // So that the time is over, whatever day it is here.
        own("recorder.started", at: "2026-03-05T09:00:00Z", #"{"sdk":"x","heartbeat":900000}"#),
      ])
    let key = folder("audit.key")
    #expect(try run(folder, "checkpoint", "--store", folder("audit"), "--signing-key", key).code == 0)
    return (key, folder("audit.pub"))
  }

  @Test("it counts what happened in the time, names outages, and verifies; what comes later changes nothing")
  func period() throws {
    let folder = try Folder()
    let (key, publicKey) = try signed(folder)
    func make(_ since: String, _ until: String) throws -> [String] {
      let made = try run(
        folder, "statement", "--store", folder("audit"), "--signing-key", key, "--since", since, "--until", until, "-o",
        folder("s.txt"))
      #expect(made.code == 0, "\(made.errors)")
      return try String(contentsOfFile: folder("s.txt"), encoding: .utf8).split(separator: "\n").map(String.init)
    }
    let lines = try make("2026-03-02", "2026-03-02")
    #expect(lines.first == "flowrecorder statement v1")
    #expect(lines.contains("since 2026-03-02T00:00:00.000000Z") && lines.contains("until 2026-03-02T23:59:59.999999Z"))
    #expect(lines.contains { $0.hasPrefix("before 3 ") } && lines.contains { $0.hasPrefix("with 7 ") }, "\(lines)")
    #expect(lines.contains("events recorder.started 2") && lines.contains("events recorder.stopped 0"))
    #expect(lines.contains("events log.gap 1") && lines.contains("lost 3"))
    #expect(lines.contains("record 4 2026-03-02T06:10:00.000000Z log.gap"))
    #expect(
      lines.filter { $0.hasPrefix("outage ") } == [
        "outage 2026-03-01T20:00:00.000000Z 2026-03-02T06:00:00.000000Z stopped",
        "outage 2026-03-02T06:20:00.000000Z 2026-03-02T09:00:00.000000Z died",
        "outage 2026-03-02T09:00:00.000000Z 2026-03-02T23:59:59.999999Z died",
      ])
    // A time that ends within an outage, and one that lies in it.
    let short = try make("2026-03-02T06:15", "2026-03-02T06:30")
    #expect(short.contains("outage 2026-03-02T06:20:00.000000Z 2026-03-02T06:30:59.999999Z died"), "\(short)")
    let within = try make("2026-03-02T07:00", "2026-03-02T08:00:00")
    #expect(within.contains { $0.hasPrefix("before 6 ") } && within.contains { $0.hasPrefix("with 6 ") }, "\(within)")
    #expect(within.contains("outage 2026-03-02T06:20:00.000000Z 2026-03-02T08:00:00.999999Z died"), "\(within)")
    let again = try make("2026-03-02", "2026-03-02")
    #expect(lines == again)

    try append(
      folder, [own("recorder.stopped", at: "2026-03-02T09:30:00Z"), own("log.gap", at: "2026-03-02T09:00:00Z")])
    for arguments in [["--public-key", publicKey], []] {
      let check = try Program.run(
        ["statement", "verify", folder("s.txt"), "--store", folder("audit"), "--json"] + arguments, in: folder)
      #expect(check.code == (arguments.isEmpty ? 10 : 0) && check.errors.isEmpty, "\(check.output)")
    }
    let future = try run(
      folder, "statement", "--store", folder("audit"), "--signing-key", key, "--until", "2999-01-01")
    #expect(future.code == 64 && future.errors.contains("has not come yet"), "\(future.errors)")
    #expect(try make("2026-03-01", "2026-03-01").contains("events log.gap 0"))
    #expect(try make("2025-01-01", "2025-01-02").contains("events recorder.started 0"))
  }

  @Test("one that was made before the recorder was started again still holds")
  func early() throws {
    let folder = try Folder()
    try append(
      folder,
      [
        own("recorder.started", at: "2026-03-01T08:00:00Z", #"{"sdk":"x","heartbeat":900000}"#),
        #"{"stream":"app/1","type":"note","at":"2026-03-01T08:20:00Z","data":{"text":"hello"}}"#,
      ])
    let key = folder("audit.key")
    #expect(try run(folder, "checkpoint", "--store", folder("audit"), "--signing-key", key).code == 0)
    let made = try run(
      folder, "statement", "--store", folder("audit"), "--signing-key", key, "--until", "2026-03-01T08:30")
    #expect(made.code == 0 && !made.output.contains("outage"), "\(made)")
    try made.output.write(toFile: folder("s.txt"), atomically: false, encoding: .utf8)
    try append(folder, [own("recorder.started", at: "2026-03-01T09:00:00Z", #"{"sdk":"x","heartbeat":900000}"#)])
    let check = try run(
      folder, "statement", "verify", folder("s.txt"), "--store", folder("audit"), "--public-key", folder("audit.pub"))
    #expect(check.code == 0, "\(check.output)")
  }

  @Test("a statement that was changed, is of another log, or says what the log does not, is found")
  func wrong() throws {
    let folder = try Folder()
    let (key, publicKey) = try signed(folder)
    let made = try run(folder, "statement", "--store", folder("audit"), "--signing-key", key)
    #expect(made.code == 0, "\(made.errors)")
    func check(_ text: String, _ store: String = "audit", _ pinned: String? = nil) throws -> Run {
      try text.write(toFile: folder("t.txt"), atomically: false, encoding: .utf8)
      return try run(
        folder, "statement", "verify", folder("t.txt"), "--store", folder(store), "--public-key", pinned ?? publicKey)
    }
    #expect(try check(made.output).code == 0)
    // Any changed letter is no longer signed, or no statement.
    let bytes = Array(made.output.utf8)
    for place in stride(from: 0, to: bytes.count, by: 7) {
      var changed = bytes
      changed[place] = changed[place] == UInt8(ascii: "1") ? UInt8(ascii: "2") : UInt8(ascii: "1")
      let code = try check(String(decoding: changed, as: UTF8.self)).code
      #expect([23, 65].contains(code), "byte \(place)")
    }
    // A log that says something else, of the same key's name.
    try append(folder, [own("recorder.started", at: "2026-03-01T08:00:00Z")], to: "other")
    #expect(try run(folder, "checkpoint", "--store", folder("other"), "--signing-key", folder("other.key")).code == 0)
    #expect(try check(made.output, "other").code == 22)
    #expect(try check(made.output, "audit", folder("other.pub")).code == 23)
    // One whose end was cut off, and one that was put back, is not spoken for by the key that knows better.
    try FileManager.default.copyItem(atPath: folder("audit"), toPath: folder("old"))
    try append(folder, [own("log.gap", at: "2026-03-03T09:00:00Z")])
    #expect(try run(folder, "checkpoint", "--store", folder("audit"), "--signing-key", key).code == 0)
    let later = try run(folder, "statement", "--store", folder("audit"), "--signing-key", key)
    try FileManager.default.removeItem(atPath: folder("audit"))
    try FileManager.default.moveItem(atPath: folder("old"), toPath: folder("audit"))
    #expect(try check(later.output).code == 21)
    let refused = try run(folder, "statement", "--store", folder("audit"), "--signing-key", key)
    #expect(refused.code == 65 && refused.errors.contains("truncated"), "\(refused.errors)")
  }

  @Test("a liar with the key is found by the log")
  func liar() throws {
    let folder = try Folder()
    _ = try signed(folder)
    let log = try LogReader(directory: folder("audit"))
    let key = try SigningKey(
      text: try String(contentsOfFile: folder("audit.key"), encoding: .utf8).split(separator: "\n").last.map(
        String.init) ?? "")
    let made = try run(folder, "statement", "--store", folder("audit"), "--signing-key", folder("audit.key")).output
    let body = (made.components(separatedBy: "\n\n").first ?? "") + "\n"
    for (said, instead) in [
      ("lost 3", "lost 0"), ("events log.gap 1", "events log.gap 0"), ("pruned 0", "pruned 9"),
    ] {
      let text = try log.signedText(body.replacing(said, with: instead), by: key).text
      try text.write(toFile: folder("t.txt"), atomically: false, encoding: .utf8)
      let check = try run(
        folder, "statement", "verify", folder("t.txt"), "--store", folder("audit"), "--public-key", folder("audit.pub"))
      #expect(check.code == 20, "\(check.output)")
      #expect(said == "pruned 0" || check.output.contains(instead) && check.output.contains(said), "\(check.output)")
    }
    // The log's key never signs what would be a checkpoint.
    #expect(throws: StoreError.self) { try log.signedText("\(log.identity.origin)\n9\nx\n", by: key) }
  }

  @Test("what cannot be: no store, a store without a checkpoint, a malformed file")
  func refusals() throws {
    let folder = try Folder()
    try append(folder, [own("recorder.started", at: "2026-03-01T08:00:00Z")])
    let unsigned = try run(folder, "statement", "--store", folder("audit"))
    #expect(unsigned.code == 66 && unsigned.errors.contains("has no checkpoint yet"), "\(unsigned.errors)")
    #expect(try run(folder, "statement", "--store", folder("nothing")).code == 66)
    try "x".write(toFile: folder("t.txt"), atomically: false, encoding: .utf8)
    #expect(try run(folder, "statement", "verify", folder("t.txt"), "--store", folder("audit")).code == 65)
    #expect(try run(folder, "statement", "verify", folder("none.txt"), "--store", folder("audit")).code == 66)
    let state = try run(folder, "checkpoint", "--store", folder("audit"), "--signer-state", folder("audit") + "/x")
    #expect(state.code == 73 && state.errors.contains("lies in the store"), "\(state.errors)")
    #expect(try run(folder, "checkpoint", "--store", folder("audit")).code == 0)
    let inStore = try run(folder, "statement", "--store", folder("audit"), "-o", folder("audit") + "/s.txt")
    #expect(inStore.code == 65 || inStore.code == 73)
  }

  @Test("a statement that was changed is said to be changed; another key's statement is not")
  func changed() throws {
    let folder = try Folder()
    let (key, publicKey) = try signed(folder)
    let made = try run(
      folder, "statement", "--store", folder("audit"), "--signing-key", key, "--until", "2026-03-02", "-o",
      folder("s.txt"))
    #expect(made.code == 0, "\(made.errors)")
    let text = try String(contentsOfFile: folder("s.txt"), encoding: .utf8)
    let other = try folder.write(text.replacing("\nlost 3\n", with: "\nlost 0\n"), to: "other.txt")
    #expect(text.contains("\nlost 3\n"))
    for arguments in [["--public-key", publicKey], []] {
      let check = try Program.run(
        ["statement", "verify", other, "--store", folder("audit"), "--json"] + arguments, in: folder)
      let says = "it was not made by the key that it names, or was changed"
      #expect(check.code == 23 && check.output.contains(says), "\(check)")
      #expect(!check.output.contains("it was not signed by"), "\(check)")
    }
    try append(folder, [own("recorder.started", at: "2026-03-01T08:00:00Z")], to: "two")
    let second = folder("two.key")
    #expect(try run(folder, "checkpoint", "--store", folder("two"), "--signing-key", second).code == 0)
    let foreign = try run(
      folder, "statement", "verify", folder("s.txt"), "--store", folder("audit"), "--public-key", folder("two.pub"))
    #expect(foreign.code == 23 && foreign.output.contains("it was not signed by the pinned key"), "\(foreign)")
  }
}
