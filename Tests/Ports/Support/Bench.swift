import FlowRecording
import Foundation
import SimulatedOrg
import Testing

/// An org for a program to sign in at. Waits of seconds take a moment: polls follow each other at once.
struct Bench: Sendable {
  static let login = "ann@acme.example"
  static let password = "Correct-Horse-7"
  static let phone = "+1 415-555-0199"
  static let secret = "JBSWY3DPEHPK3PXP"

  let org: SimulatedOrg
  let environment: FlowEnvironment

  var url: URL { org.url }
  var issuer: URL { org.url.appendingPathComponent("oauth2/default") }
  /// The code or token that the org sent last.
  var lastCode: String { org.outbox.last?.code ?? "" }
  /// What an authenticator app shows.
  var timeCode: String { org.timeCode(secret: Bench.secret) ?? "" }

  init(_ configuration: OrgConfiguration) async throws {
    var configuration = configuration
    configuration.phoneInterval = 0
    configuration.mailInterval = 0
    org = try await SimulatedOrg.start(configuration)
    environment = FlowEnvironment(recorder: MemoryRecorder(), timers: HastyTimers(), device: nil)
  }

  /// An org with one user.
  init(
    _ factors: OrgFactor..., offers: [OrgFactorOffer] = [], policy: String? = nil,
    change: @Sendable (inout OrgUser) -> Void = { _ in }
  ) async throws {
    var user = OrgUser(login: Bench.login, password: Bench.password, factors: factors, offers: offers)
    change(&user)
    var configuration = OrgConfiguration(users: [user])
    if let policy { configuration.policy = try #require(OrgPolicy.named(policy)) }
    try await self.init(configuration)
  }

  /// Runs a body whose flows are those of this bench, and waits for what comes of it.
  func outcome(isolation: isolated (any Actor)? = #isolation, of body: (Outcome) throws -> Void) async rethrows
    -> String
  {
    let outcome = Outcome()
    try environment.run { try body(outcome) }
    return await outcome.text
  }

  /// Runs a body on a plain thread, and waits for what comes of it.
  func outcomeOnThread(of body: @escaping @Sendable (Outcome) -> Void) async -> String {
    let outcome = Outcome()
    onPlainThread { [environment] in environment.run { body(outcome) } }
    return await outcome.text
  }
}

/// Timers that fire after a moment, whatever they are asked for.
struct HastyTimers: FlowTimers {
  func schedule(milliseconds: Int, fire: @escaping @Sendable () -> Void) -> any TimerTask {
    DispatchTimers().schedule(milliseconds: min(milliseconds, 2), fire: fire)
  }
}
