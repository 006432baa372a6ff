import EventStore
import Foundation
import Replay
import SimulatedOrg
import Testing

/// The sample of `Examples/SignIn`, typed to as a person would.
@Suite struct SampleTests {
  private static let password = "Correct-Horse-7"

  @Test("password only, and what it did is recorded and replays")
  func passwordOnly() async throws {
    let run = try await play([OrgUser(login: "ann", password: Self.password)], ["ann", "1", Self.password])
    #expect(run.code == 0)
    #expect(run.output.contains("signed in"))
    #expect(run.divergences == 0)
  }

  @Test("a text message, mistyped once")
  func sms() async throws {
    let user = OrgUser(login: "ann", password: Self.password, factors: [.sms(phone: "+1-555-415-1337")])
    let run = try await play([user], ["ann", "1", Self.password, "wrong", "CODE"])
    #expect(run.code == 0)
    #expect(run.divergences == 0)
  }

  @Test("an expired password is changed")
  func expired() async throws {
    let user = OrgUser(login: "ann", password: Self.password, passwordExpiresIn: 0)
    let run = try await play([user], ["ann", "1", Self.password, Self.password, "Another-Horse-8"])
    #expect(run.code == 0)
    #expect(run.output.contains("expired"))
    #expect(run.divergences == 0)
  }

  @Test("a forgotten password is reset by text message and question")
  func forgotten() async throws {
    let user = OrgUser(
      login: "ann", password: Self.password, recoveryPhone: "+1-555-415-1337",
      recoveryQuestion: ("First pet?", "Rex the dog"))
    let run = try await play([user], ["ann", "2", "2", "CODE", "Rex the dog", "Another-Horse-8"])
    #expect(run.code == 0)
    #expect(run.divergences == 0)
  }

  @Test("a phone is enrolled")
  func enrolment() async throws {
    let user = OrgUser(login: "ann", password: Self.password, offers: [OrgFactorOffer(.sms, required: true)])
    let run = try await play([user], ["ann", "1", Self.password, "1", "+1-555-415-1337", "CODE"])
    #expect(run.code == 0)
    #expect(run.divergences == 0)
  }

  @Test("a wrong password ends with 1, and says why")
  func refused() async throws {
    let run = try await play([OrgUser(login: "ann", password: Self.password)], ["ann", "1", "wrong"])
    #expect(run.code == 1)
    #expect(run.output.contains("Authentication failed"))
  }

  // MARK: Playing

  private struct Played {
    var code: Int32
    var output: String
    var divergences: Int
  }

  /// Types the lines, each when the program asks; `CODE` stands for the code that the org sent last.
  private func play(_ users: [OrgUser], _ lines: [String]) async throws -> Played {
    let org = try await SimulatedOrg.start(OrgConfiguration(users: users, phoneInterval: 0))
    // On a thread of its own: waiting for a program on the pool's threads would starve the org.
    let played = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try Self.play(org, lines) }) }
    }
    await org.stop()
    return played
  }

  private static func play(_ org: SimulatedOrg, _ lines: [String]) throws -> Played {
    let folder = try Folder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.binary).deletingLastPathComponent()
      .appendingPathComponent("sign-in-sample")
    process.arguments = [org.url.absoluteString, folder("audit")]
    process.environment = Program.environment(home: folder.path)
    signal(SIGPIPE, SIG_IGN)  // a program that ended early is a failed expectation, not the end of the tests
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var text = ""
    for line in lines {
      // A question ends in a colon and a space.
      while !text.hasSuffix(": ") {
        let piece = output.fileHandleForReading.availableData
        if piece.isEmpty { break }
        text += String(decoding: piece, as: UTF8.self)
      }
      let answer = line == "CODE" ? org.outbox.last?.code ?? "" : line
      text += "\n"
      try input.fileHandleForWriting.write(contentsOf: Data((answer + "\n").utf8))
    }
    try input.fileHandleForWriting.close()
    text += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let log = try LogReader(directory: folder("audit"))
    var divergences = 0
    var streams: Set<String> = []
    var cursor = try log.cursor()
    while let record = try cursor.next() {
      if record.stream.hasPrefix("authn/"), streams.insert(record.stream).inserted {
        divergences += try Replay.replay(Recording(flow: record.stream, of: log)).count
      }
    }
    #expect(streams.count == 1)
    return Played(code: process.terminationStatus, output: text, divergences: divergences)
  }
}
