// Renewals during which the application does something else with the same tokens, for the kind's tables.

import EventStore
import FlowRecording

extension LiveTrials {
  private typealias Meddling = (name: String, act: @Sendable (FlowStage, OktaAuthStateManager) -> Void)

  private static func renew(_ name: String, _ stage: FlowStage, _ manager: OktaAuthStateManager) {
    manager.renew { renewed, error in
      stage.say("\(name) \(renewed === manager) \(error.map { "\($0)" } ?? "no error")")
    }
  }

  private static let meddlings: [Meddling] = [
    ("nothing", { _, _ in }), ("renews", { stage, manager in renew("second", stage, manager) }),
    (
      "renews twice",
      { stage, manager in
        renew("second", stage, manager)
        renew("third", stage, manager)
      }
    ),
    ("stores", { _, manager in manager.writeToSecureStorage() }),
    (
      "stores and removes",
      { _, manager in
        manager.writeToSecureStorage()
        manager.clear()
      }
    ),
    (
      "stores and keeps no more",
      { _, manager in
        manager.writeToSecureStorage()
        manager.autoPersist = false
      }
    ),
    ("keeps from now on", { _, manager in manager.autoPersist = true }),
    (
      "stores and renews",
      { stage, manager in
        manager.writeToSecureStorage()
        renew("second", stage, manager)
      }
    ),
    (
      "reads",
      { stage, manager in
        stage.say("\(manager.accessToken ?? "-") \(manager.refreshToken ?? "-") \(manager.isStale)")
      }
    ),
  ]

  /// One line per action of the application and answer of the server: what callers get, the tokens, and the store.
  static var sharedRenewals: Set<String> {
    let renewed: JSON = ["access_token": "access-2", "refresh_token": "refresh-2", "expires_in": 60]
    let answers: [(status: Int, body: JSON)] = [
      (200, renewed), (200, ["access_token": "access-2"]), (400, ["error": "invalid_grant"]), (500, [:]),
    ]
    return Set(
      meddlings.flatMap { name, meddle in
        answers.enumerated().map { number, answer in
          "\(name) \(number) \(sharedRenewal(answer, meddle))"
        }
      })
  }

  private static func sharedRenewal(
    _ answer: (status: Int, body: JSON), _ meddle: @escaping @Sendable (FlowStage, OktaAuthStateManager) -> Void
  ) -> String {
    let stage = world([answer]) { $0.transport = MeddledTransport($0.transport) }
    let manager = OktaAuthStateManager(authState: OktaAuthState(tokens), environment: stage.environment)
    (stage.environment.transport as? MeddledTransport)?.duringNextRequest { meddle(stage, manager) }
    let heard = stage.run {
      do {
        let renewed = try await manager.renew()
        stage.say("first \(renewed === manager)")
      } catch {
        stage.say("first \(error)")
      }
    }
    let store = stage.environment[TokenStoreSeam.self]
    let keys = (try? store.keys()) ?? []
    let held = keys.map { key in
      let found = try? store.read(key)
      return "\(key.text) \(found?.json.text ?? "-")"
    }
    let (isStored, isRenewing) = manager.state.withLock { ($0.isStored, $0.renewal != nil) }
    let marks = [manager.autoPersist, isStored, isRenewing]
    return "\(heard) \(manager.authState.tokens.json.text) \(held) \(marks)"
  }
}
