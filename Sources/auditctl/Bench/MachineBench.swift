import Authn
import EventStore
import FlowRecording
import Foundation
import Replay
import SimulatedOrg

/// A made-up event, in the form that each side accepts.
struct BenchEvent {
  var record: NewRecord
  var revision: Int
  var streamBytes: [UInt8]
  var typeBytes: [UInt8]
  var data: [UInt8] { record.data }
}

/// Measures the log and SQLite in turns, in a separate directory.
struct MachineBench {
  private let folder: String
  private let events: [BenchEvent]
  /// A sign-in that was recorded, to be folded and replayed.
  private let signIn: [StoredRecord]
  private let recording: Recording

  /// Makes the events, and records one sign-in against the simulated org. From then on a signal ends the work between
  /// two of its steps, so that the directory can be removed.
  init(events count: Int) async throws {
    events = Self.made(count)
    folder = NSTemporaryDirectory() + "flowrecorder-bench-" + UUID().uuidString
    Interruption.atFirst {}
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    do {
      (signIn, recording) = try await Self.recorded(in: folder + "/sign-in")
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
  }

  /// Removes everything that was written.
  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  /// Does each part once.
  ///
  /// - Throws: `ExitCodes.interrupted` if a signal has come; what a part throws.
  func round() throws -> BenchRound {
    var round = BenchRound()
    let path = folder + "/log"
    let peerPath = folder + "/peer.db"
    for name in [path, peerPath, peerPath + "-wal", peerPath + "-shm"] {
      try? FileManager.default.removeItem(atPath: name)
    }
    let log = try EventLog.open(at: path, options: .init(durability: .group(milliseconds: 5)))
    round.append = try seconds {
      for (index, event) in events.enumerated() {
        if index.isMultiple(of: 1_000) { try Interruption.check() }
        _ = try log.append([event.record])
      }
      try log.sync()
    }
    try log.close()
    round.open = try seconds { try EventLog.open(at: path).close() }
    let reader = try LogReader(directory: path)
    var bytes = 0
    round.scan = try seconds {
      try reader.forEachRecord { record, _ in
        bytes += record.data.count
        return !record.position.isMultiple(of: 1_000) || !Interruption.hasCome
      }
    }
    try Interruption.check()
    let expected = events.reduce(0) { $0 + $1.data.count }
    guard bytes >= expected else {
      throw CommandFailure(.malformed, "the scan found \(bytes) bytes of the \(expected) that were written")
    }
    if let peer = SQLitePeer(path: peerPath) {
      var isDone = false
      let append = try seconds { isDone = try peer.insert(events) }
      var found: Int?
      let scan = try seconds { found = try peer.readAll() }
      if isDone, found == expected { (round.peerAppend, round.peerScan) = (append, scan) }
    }
    let times = 20
    round.fold =
      try seconds {
        for _ in 0..<times { _ = AuthnCore.folding(try EventCoding.decode(signIn)) }
      } / Double(times)
    round.replay =
      try seconds {
        for _ in 0..<times {
          guard try Replay.replay(recording).isEmpty else {
            throw CommandFailure(.finding, "the recorded sign-in diverges when it is replayed")
          }
        }
      } / Double(times)
    try Interruption.check()
    return round
  }

  private func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// A sign-in with a text message, as `demo` plays it.
  private static func recorded(in store: String) async throws -> ([StoredRecord], Recording) {
    guard let play = DemoPlay.all.first(where: { if case .sms = $0.action { true } else { false } }) else {
      throw CommandFailure(.notFound, "there is no sign-in to measure")
    }
    let recorder = LogRecorder(directory: store)
    let log = try recorder.open()
    let org = try await SimulatedOrg.start(
      OrgConfiguration(users: [play.user(password: "Pw-bench-1")], seed: 1, clock: .system, showsLockout: true))
    let take = await play.run(on: org, password: "Pw-bench-1", environment: FlowEnvironment(recorder: recorder))
    try log.flush()
    await org.stop()
    let reader = try LogReader(directory: store)
    let found = (try reader.records(of: take.stream), try Recording(flow: take.stream, of: reader))
    try recorder.close()
    return found
  }

  /// Events of 64 sign-ins side by side, the same in each run: what repeats in a log of sign-ins repeats here.
  private static func made(_ count: Int) -> [BenchEvent] {
    var state: UInt64 = 1
    func random() -> String {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return String(state >> 8, radix: 36)
    }
    let steps = ["request.sent", "response.received", "status.changed", "action.taken"]
    var events: [BenchEvent] = []
    events.reserveCapacity(count)
    var streams = (0..<64).map { _ in (name: "authn/" + random() + random(), revision: 0) }
    for index in 0..<count {
      let place = index % streams.count
      if streams[place].revision == 40 { streams[place] = ("authn/" + random() + random(), 0) }
      let (stream, revision) = streams[place]
      streams[place].revision += 1
      let type = steps[index % steps.count]
      let data = [
        "{\"call\":\"\(random())\",\"method\":\"POST\",\"path\":\"/api/v1/authn/factors/\(random())/verify\",",
        "\"headers\":{\"accept\":\"application/json\",\"content-type\":\"application/json\",\"user-agent\":",
        "\"okta-auth-swift/2.4.6 Linux/6\",\"x-okta-request-id\":\"\(random())\(random())\"},\"status\":200,",
        "\"body\":{\"stateToken\":{\"masked\":\"stateToken#\(index % 9)\"},\"status\":\"MFA_CHALLENGE\",",
        "\"expiresAt\":\"2026-11-21T08:40:00.000Z\",\"_embedded\":{\"user\":{\"id\":\"00u\(random())\",\"profile\":",
        "{\"login\":\"user\(index % 997)@acme.example\",\"locale\":\"en\",\"timeZone\":\"America/Los_Angeles\"}},",
        "\"factor\":{\"id\":\"sms\(random())\",\"factorType\":\"sms\",\"provider\":\"OKTA\",\"vendorName\":\"OKTA\"}},",
        "\"_links\":{\"next\":{\"name\":\"verify\",\"href\":\"https://acme.example/api/v1/authn/factors/verify\",",
        "\"hints\":{\"allow\":[\"POST\"]}}}}}",
      ].joined()
      let at = Timestamp(microseconds: 1_795_255_200_000_000 + Int64(index) * 997)
      events.append(
        BenchEvent(
          record: NewRecord(at: at, stream: stream, type: type, data: Array(data.utf8)), revision: revision,
          streamBytes: Array(stream.utf8), typeBytes: Array(type.utf8)))
    }
    return events
  }
}
