// A program that signs in over and over, recorded, until it is killed. After each answer it receives, it says
// how many records its flow has: what was said must survive.

import Authn
import EventStore
import FlowRecording
import Foundation
import Scenarios
import SimulatedOrg

@main
struct CrashSubject {
  static func main() async {
    guard CommandLine.arguments.count == 3 else { exit(64) }
    var options = EventLog.Options()
    options.segmentBytes = 16 << 10
    options.durability = CommandLine.arguments[2] == "each" ? .each : .os
    let recorder = LogRecorder(directory: CommandLine.arguments[1], options: options)
    do {
      while true { try await sign(recorder) }
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(74)
    }
  }

  private static func sign(_ recorder: LogRecorder) async throws {
    let stage = try await Stage(
      Scenario.smsWrongCode.configuration, recorder: recorder, seed: .random(in: 0...UInt64.max))
    let required = try await stage.begin().authenticate(username: Scenario.login, password: Scenario.password)
    say(required)
    guard let required = required as? OktaAuthStatusFactorRequired, let factor = required.availableFactors.first,
      let challenge = try await required.selectFactor(factor) as? OktaAuthStatusFactorChallenge
    else { exit(70) }
    say(challenge)
    say(try await challenge.verifyFactor(passCode: stage.org.outbox.last?.code, answerToSecurityQuestion: nil))
    await stage.org.stop()
  }

  /// Says what the application has heard of a flow.
  private static func say(_ status: OktaAuthStatus) {
    print("\(status.flowID) \(status.object.state.current?.revision ?? 0)")
    fflush(nil)
  }
}
