// Random walks of a client of a provider, by its public API, and sign-ins whose session token is a word of the provider's.

import EventStore
import FlowRecording
import FlowTestKit
import Foundation
import OIDC
import Scenarios
import Testing

@Suite struct OIDCWalkTests {
  private static let seed = UInt64(ProcessInfo.processInfo.environment["FLOWRECORDER_SEED"] ?? "") ?? 20_261_123

  @Test(arguments: 0..<4)
  func `two hundred random walks: no token of a wrong answer is handed out or stored, whole logs, no secret`(
    part: Int
  ) async {
    let seed = Self.seed &+ UInt64(part * 50)
    print("seeds \(seed) to \(seed + 49)")
    #expect(await FlowBattery(OIDCKind.self).walks(50, seed: seed) { FlowScenario(tokensOf: $0) } == [])
  }

  @Test func `a session token that is a word of the provider's answers changes nothing else`() async {
    var scenario = FlowScenario("words", password: "session-canary") { sessionToken in
      let time = HurriedTime(start: Timestamp(microseconds: 1_767_225_600_000_000))
      let provider = SigningProvider { Int(time.now().microseconds / 1_000_000) }
      return FlowScenario.Stand(transport: provider.transport(), time: time) { environment in
        let stage = try OIDCStage(environment)
        let manager = try await stage.auth.authenticate(withSessionToken: sessionToken)
        try manager.writeToSecureStorageOrThrow()
        try await manager.renew()
        _ = try await manager.introspect(token: manager.accessToken)
      }
    }
    // Where an address leads that is a secret as a whole cannot be checked: refused before anything is sent there.
    scenario.mayRefuse = { word, error in word.contains("://") && error is OktaError }
    for finding in await FlowBattery(OIDCKind.self, [scenario]).everyWord(atLeast: 60) { Issue.record("\(finding)") }
  }
}

extension FlowScenario {
  fileprivate init(tokensOf dice: Dice) {
    self.init("walk", secrets: ["session-canary", "access-canary", "refresh-canary", "subject-canary"], password: "") {
      _ in
      let time = VirtualTime(start: Timestamp(microseconds: 1_767_225_600_000_000))
      let provider = SigningProvider { Int(time.now().microseconds / 1_000_000) }
      let findings = Locked<[String]>([])
      return Stand(
        transport: provider.transport(), time: time,
        play: { environment in
          var walk = TokenWalk(stage: try OIDCStage(environment), provider: provider, time: time, dice: dice)
          for _ in 0..<14 { await walk.step() }
          let found = walk.findings
          findings.withLock { $0 = found }
        }, inspect: { _ in findings.withLock { $0 } })
    }
  }
}

/// One walk: the managers that an application holds.
private struct TokenWalk {
  let stage: OIDCStage
  let provider: SigningProvider
  let time: VirtualTime
  let dice: Dice
  private var managers: [OktaAuthStateManager] = []
  private(set) var findings: [String] = []

  init(stage: OIDCStage, provider: SigningProvider, time: VirtualTime, dice: Dice) {
    (self.stage, self.provider, self.time, self.dice) = (stage, provider, time, dice)
  }

  /// Takes a step in some direction. The errors of the SDK are ends like any other.
  mutating func step() async {
    do {
      try await go()
    } catch is OktaError {
    } catch {
      findings.append("an error of another kind: \(error)")
    }
    for manager in managers { check(manager.authState.tokens.accessToken, "handed out") }
    let stored = try? OktaAuthStateManager.readFromSecureStorageOrThrow(
      for: stage.configuration, environment: stage.environment)
    if let stored { check(stored.authState.tokens.accessToken, "stored") }
  }

  private mutating func check(_ token: String?, _ what: String) {
    guard let token, !provider.good.contains(token) else { return }
    findings.append("a token of a wrong answer is \(what)")
  }

  private mutating func go() async throws {
    guard let manager = dice.pick(managers), !dice.chance(25) else {
      return managers.append(try await stage.signIn())
    }
    switch dice.number(below: 12) {
    case 0...3: try await manager.renew()
    case 4, 5: try manager.writeToSecureStorageOrThrow()
    case 6: try await look(manager)
    case 7:
      let read = try OktaAuthStateManager.readFromSecureStorageOrThrow(
        for: stage.configuration, environment: stage.environment)
      if let read { managers.append(read) }
    case 8: _ = await stage.auth.signOut(manager, options: [.revokeTokensOptions, .removeTokensFromStorage])
    case 9: time.advance(milliseconds: (dice.pick([1_000, 60_000, 4_000_000]) ?? 0))
    default: if let fault = dice.pick(SigningProvider.Fault.allCases) { provider.spoil(fault) }
    }
  }

  private func look(_ manager: OktaAuthStateManager) async throws {
    switch dice.number(below: 3) {
    case 0: _ = try await manager.introspect(token: manager.refreshToken)
    case 1: _ = try await manager.getUser()
    default: try await manager.revoke(manager.accessToken)
    }
  }
}
