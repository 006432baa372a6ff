// What a push authenticator goes through, as tests and golden recordings share it.

public import DeviceAuthenticator
public import FlowRecording
public import SimulatedOrg

/// What happens to an authenticator from its enrollment on, against an org made for it.
public struct DeviceScenario: Sendable, CustomStringConvertible {
  /// The scenario's name, and its golden recording's.
  public var name: String
  /// The org's settings.
  public var configuration: OrgConfiguration
  /// What the person does when the device asks for a PIN, first to last; then what is right.
  public var verifications: [ScriptedVerifier.Answer]
  /// Whether an enrollment that the org calls suspended is deleted here when it is deleted there.
  public var deletesSuspended: Bool
  /// Plays it.
  public var play: @Sendable (DeviceStage) async throws -> Void

  /// Makes a scenario.
  public init(
    _ name: String, _ configuration: OrgConfiguration = DeviceScenario.people,
    verifications: [ScriptedVerifier.Answer] = [], deletesSuspended: Bool = true,
    play: @escaping @Sendable (DeviceStage) async throws -> Void
  ) {
    self.name = name
    self.configuration = configuration
    self.verifications = verifications
    self.deletesSuspended = deletesSuspended
    self.play = play
  }

  /// The name.
  public var description: String { name }

  /// Plays the scenario on a stage of its own.
  @discardableResult
  public func run(
    recorder: (any Recorder)?, seed: UInt64 = 7, inspect: @Sendable (DeviceStage) async throws -> Void = { _ in }
  ) async throws -> [ReceivedRequest] {
    let stage = try await DeviceStage(self, recorder: recorder, seed: seed)
    do {
      try await play(stage)
      try await inspect(stage)
    } catch {
      await stage.org.stop()
      throw error
    }
    let requests = stage.org.requests
    await stage.org.stop()
    return requests
  }

  /// An org with two people.
  public static let people = OrgConfiguration(users: [
    OrgUser(login: Scenario.login, password: Scenario.password),
    OrgUser(login: secondLogin, password: Scenario.password),
  ])

  /// The login of the second person.
  public static let secondLogin = "bob@acme.example"

  static func expect(_ condition: Bool, _ text: @autoclosure () -> String) throws {
    guard condition else { throw Scenario.Unexpected(description: text()) }
  }

  /// Expects an operation to fail with the error of this code; errors of others go on.
  static func failure(_ code: Int, of operation: () async throws -> Void) async throws {
    do {
      try await operation()
    } catch let error as DeviceAuthenticatorError {
      return try expect(error.errorCode == code, "expected error \(code), got \(error)")
    }
    throw Scenario.Unexpected(description: "the operation should have failed with \(code)")
  }
}
