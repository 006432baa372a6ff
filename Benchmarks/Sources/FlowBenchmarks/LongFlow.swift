// Flows of any length: a sign-in that polls and polls until its push is approved, recorded by the SDK.

import Authn
import EventStore
import FlowRecording
import Foundation
import Replay
import SimulatedOrg

enum LongFlow {
  /// So many polls the SDK makes in half an hour: every five seconds for five minutes, then more and more rarely.
  static let halfAnHour = 115

  /// Records a sign-in whose push is polled so many times: every five seconds at first, every second if there are many. The SDK
  /// gives up after an hour, which is 400 polls at most, and is asked again. Time stands still in between.
  ///
  /// - Parameter path: of the recording to write.
  /// - Returns: how many events it has.
  static func record(polls: Int, to path: String) async throws -> Int {
    let folder = path + ".store"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let user = OrgUser(
      login: SignIn.login, password: SignIn.password,
      factors: [.sms(phone: "+1-555-415-1337"), .push(device: "Ann's phone")])
    let day: TimeInterval = 86_400
    let org = try await SimulatedOrg.start(
      OrgConfiguration(users: [user], stateTokenLifetime: 30 * day, challengeLifetime: 30 * day))
    let time = VirtualTime(start: Timestamp(microseconds: Int64(org.now.timeIntervalSince1970) * 1_000_000))
    let recorder = LogRecorder(directory: folder, clock: time)
    let environment = FlowEnvironment(
      recorder: recorder, clock: time, timers: time, limits: FlowLimits(requests: .max, recordedBytes: .max))
    org.answerPush(for: SignIn.login, .approve, afterPolls: polls)
    let firing = Task {
      while await time.waitForTimers() {
        guard let milliseconds = time.untilNextTimer else { continue }
        org.advanceClock(by: Double(milliseconds) / 1000)
        time.advance(milliseconds: milliseconds)
      }
    }
    defer { firing.cancel() }
    let start = OktaAuthStatusUnauthenticated(
      oktaDomain: org.url,
      responseHandler: OktaAuthStatusResponseHandler(pollInterval: polls > 700 ? 1 : 5),
      environment: environment)
    let required = try await start.authenticate(username: SignIn.login, password: SignIn.password)
    let challenge = try await SignIn.select(.push, of: required)
    var last: OktaAuthStatus?
    for _ in 0...polls / 300 where last == nil {
      last = try? await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    }
    guard last?.statusType == .success else { throw SignIn.Unexpected() }
    try recorder.close()
    await org.stop()
    let log = try LogReader(directory: folder)
    let records = try log.records(of: start.flowID)
    try SliceFile.write(records: records, source: log.identity, to: path)
    return records.count
  }
}
