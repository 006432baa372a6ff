import EventStore
import Foundation
import Testing

/// A writer that is killed at a random moment loses nothing that was promised (DESIGN §2 rule 5).
@Suite(.serialized) struct KilledStoreTests {
  /// How many kills for each number of appenders.
  private static let kills = Effort.number("KILLS", short: 15)

  @Test("killed at random moments, with one appender and with many", arguments: [1, 64])
  func killed(appenders: Int) async throws { try await Effort.onThread { try Self.kill(appenders: appenders) } }

  private static func kill(appenders: Int) throws {
    var random = SeededDraws(Effort.seed &+ appenders)
    var left = kills
    var promised = 0
    while left > 0 {
      // Some kills on one store, so that what is killed is also a writer that went on after a kill.
      let folder = try Folder()
      let key = try SigningKey.create(path: folder.path + "/key", name: "subject")
      var promises = Promises()
      for round in 0..<Swift.min(left, 5) {
        let mode = ["each", "group", "os"].randomElement(using: &random) ?? "each"
        let subject = try Subject([
          "write", folder.store, "mode=\(mode)", "appenders=\(appenders)", "segment=20000", "frame=4000",
          "from=\(round * 1_000_000)", "signing=\(folder.path)/key",
        ])
        // After some of its promises, and then some hundred microseconds later.
        subject.read(lines: Int.random(in: 1...150, using: &random))
        usleep(UInt32.random(in: 0...2_000, using: &random))
        subject.kill()
        let (lines, end) = subject.end()
        promises.hear(lines)
        left -= 1
        let context = "seed \(Effort.seed), \(kills - left)th kill, \(mode), \(appenders) appenders"
        try #require(end == .signal(SIGKILL), "\(context): \(lines.suffix(2))")
        let fault = promises.fault(of: folder.store, key: key.verifier)
        try #require(fault == nil, "\(context): \(fault ?? "")")
      }
      promised += promises.records.count
    }
    #expect(promised > kills)
    Effort.report(
      "kills: \(kills) with \(appenders) appenders, seed \(Effort.seed): all of \(promised) promised records were there"
    )
  }
}
