// The sign-ins that tests, golden recordings and benchmarks share.

public import Authn
public import FlowRecording
import Foundation
public import SimulatedOrg

/// A sign-in from start to end, against an org made for it.
public struct Scenario: Sendable {
  /// The scenario's name, and its golden recording's.
  public var name: String
  /// The org's settings.
  public var configuration: OrgConfiguration
  /// Plays it and answers with the status object it ended with.
  public var play: @Sendable (Stage) async throws -> OktaAuthStatus?

  /// Makes a scenario.
  public init(
    _ name: String, _ configuration: OrgConfiguration,
    play: @escaping @Sendable (Stage) async throws -> OktaAuthStatus?
  ) {
    self.name = name
    self.configuration = configuration
    self.play = play
  }

  /// A scenario whose sign-in took a turn that it should not.
  public struct Unexpected: Error, CustomStringConvertible {
    /// What was expected.
    public var description: String
  }

  /// Plays the scenario on a stage of its own.
  @discardableResult
  public func run(
    recorder: (any Recorder)?, seed: UInt64 = 7,
    inspect: @Sendable (Stage, OktaAuthStatus?) async throws -> Void = { _, _ in }
  ) async throws -> [ReceivedRequest] {
    let stage = try await Stage(configuration, recorder: recorder, seed: seed)
    do {
      let last = try await play(stage)
      try await inspect(stage, last)
    } catch {
      await stage.org.stop()
      throw error
    }
    let requests = stage.org.requests
    await stage.org.stop()
    return requests
  }

  /// The login of the user of every scenario.
  public static let login = "ann@acme.example"
  /// The user's password.
  public static let password = "Correct-Horse-7"

  static func user(_ factors: [OrgFactor] = [], password: String = Scenario.password) -> OrgUser {
    OrgUser(login: login, password: password, factors: factors)
  }

  static let push = OrgFactor.push(device: "Ann's phone")
  static let sms = OrgFactor.sms(phone: "+1-555-415-1337")

  /// Expects an operation to fail, and gives the error.
  static func failure<Result: Sendable>(
    of operation: () async throws(OktaError) -> Result
  ) async throws -> OktaError {
    do throws(OktaError) {
      _ = try await operation()
    } catch {
      return error
    }
    throw Unexpected(description: "the operation should have failed")
  }

  static func cast<Status>(_ status: OktaAuthStatus?, to type: Status.Type) throws -> Status {
    guard let status = status as? Status else {
      throw Unexpected(description: "expected \(type), got \(status.map { "\($0.statusType)" } ?? "nothing")")
    }
    return status
  }
}
