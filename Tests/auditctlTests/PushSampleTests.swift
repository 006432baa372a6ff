import EventStore
import Foundation
import SimulatedOrg
import Testing

/// The sample of `Examples/PushAuthenticator`, given notifications as a delivery service would.
@Suite struct PushSampleTests {
  @Test func `a push without a person at a terminal is denied, and what is none of ours is passed by`() async throws {
    let org = try await SimulatedOrg.start(
      OrgConfiguration(users: [OrgUser(login: "ann", password: "Correct-Horse-7")], clock: .system))
    let folder = try Folder()
    let token = try folder.write(try #require(org.accessToken(for: "ann")) + "\n", to: "token.txt")
    let pushes = org.pushes(to: "push-sample")

    // The first start enrolls.
    let first = try await run(["x"], org, token, folder)
    #expect(first.code == 0 && first.errors.contains("enrolled") && first.errors.contains("skipped"), "\(first)")
    #expect(org.enrollments(of: "ann").count == 1)
    #expect(org.challenge(OrgChallengeRequest(.user(login: "ann"))).count == 1)
    var iterator = pushes.makeAsyncIterator()
    let push = try #require(await iterator.next())

    // The second one finds the enrollment, and answers.
    let line = String(decoding: push.payload.encoded, as: UTF8.self)
    let second = try await run([#"{"aps":{}}"#, line], org, token, folder)
    #expect(second.code == 0 && !second.errors.contains("enrolled"), "\(second)")
    #expect(second.errors.contains("not for us") && second.errors.contains("userDenied"), "\(second)")
    #expect(org.challenges.map(\.status) == [.denied])
    let replay = try Program.run(["replay", "--store", folder("log")], in: folder)
    #expect(replay.code == 0 && replay.output.contains("0 divergences"), "\(replay)")
    await org.stop()
  }

  /// Runs the sample on some lines, in a session without a terminal.
  private func run(_ lines: [String], _ org: SimulatedOrg, _ token: String, _ folder: Folder) async throws -> Run {
    let input = try folder.write(lines.joined(separator: "\n") + "\n", to: "lines-\(lines.count)")
    let errors = folder("errors-\(lines.count)")
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
            process.arguments = [
              "--wait",
              URL(fileURLWithPath: Program.binary).deletingLastPathComponent().appendingPathComponent("push-sample")
                .path, org.url.absoluteString, folder("log"), token,
            ]
            process.environment = Program.environment(home: folder.path)
            try Data().write(to: URL(fileURLWithPath: errors))
            process.standardInput = FileHandle(forReadingAtPath: input)
            process.standardError = FileHandle(forWritingAtPath: errors)
            try process.run()
            process.waitUntilExit()
            return Run(
              code: process.terminationStatus, output: "", errors: try String(contentsOfFile: errors, encoding: .utf8))
          })
      }
    }
  }
}
