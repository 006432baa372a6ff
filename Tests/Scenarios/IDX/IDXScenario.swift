// The sign-ins by the Identity Engine that tests, golden recordings and benchmarks share.

import EventStore
public import FlowRecording
import Foundation
public import IDX
public import OIDC
public import SimulatedOrg

/// A sign-in by the Identity Engine from start to end, against an org made for it.
public struct IDXScenario: Sendable, CustomStringConvertible {
  /// The scenario's name, and its golden recording's.
  public var name: String
  /// The org's settings.
  public var configuration: OrgConfiguration
  /// Plays it.
  public var play: @Sendable (IDXStage) async throws -> Void

  /// Makes a scenario.
  public init(
    _ name: String, _ configuration: OrgConfiguration, play: @escaping @Sendable (IDXStage) async throws -> Void
  ) {
    self.name = name
    self.configuration = configuration
    self.play = play
  }

  /// The name.
  public var description: String { name }

  /// Plays the scenario on a stage of its own.
  @discardableResult
  public func run(
    recorder: (any Recorder)?, seed: UInt64 = 7, inspect: @Sendable (IDXStage) async throws -> Void = { _ in }
  ) async throws -> [ReceivedRequest] {
    let stage = try await IDXStage(configuration, recorder: recorder, seed: seed)
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
}

extension IDXScenario {
  /// Goes on from a response, taking the first remediation each time unless a choice says otherwise, until there are
  /// tokens or nothing is left to do.
  ///
  /// - Parameters:
  ///   - response: where to begin.
  ///   - stage: the stage.
  ///   - person: the person who signs in.
  ///   - preferring: names of remediations to take before the first one, once each.
  ///   - steps: how many steps there may be.
  ///   - seen: gets each response.
  /// - Returns: the tokens; nil if it ended without.
  @discardableResult
  public static func lead(
    from response: Response, on stage: IDXStage, as person: IDXPerson = IDXPerson(), preferring: [String] = [],
    steps: Int = 30, seen: (Response) -> Void = { _ in }
  ) async throws -> Token? {
    var response = response
    var preferring = preferring
    for _ in 0..<steps {
      seen(response)
      if response.isLoginSuccessful { return try await response.exchangeCode() }
      if response.isTerminal { return nil }
      let offered = response.remediations.filter { $0.type != .cancel && $0.href != nil && $0.type != .redirectIdp }
      let preferred = offered.first { preferring.contains($0.name) }
      guard let remediation = preferred ?? offered.first else { return nil }
      preferring.removeAll { $0 == remediation.name }
      response = try await step(remediation, of: response, on: stage, as: person)
    }
    throw Scenario.Unexpected(description: "no end after \(steps) steps; at \(response)")
  }

  /// Takes one step: fills the form in and sends it, or polls.
  public static func step(
    _ remediation: Remediation, of response: Response, on stage: IDXStage, as person: IDXPerson = IDXPerson()
  ) async throws -> Response {
    guard let pollable = remediation.pollable else {
      try person.fill(remediation, of: response, at: stage.org)
      return try await remediation.proceed()
    }
    if let number = response.authenticators.compactMap(\.numberChallenge).first.flatMap({ Int($0.correctAnswer) }) {
      stage.org.pickNumber(number, for: person.login)
    } else {
      stage.org.answerPush(for: person.login, .approve, afterPolls: 2)
    }
    return try await stage.firingTimers { try await pollable.startPolling() }
  }

  static func expect(_ condition: Bool, _ text: String) throws {
    guard condition else { throw Scenario.Unexpected(description: text) }
  }

  static func remediation(
    _ type: Remediation.RemediationType, of response: Response
  ) throws -> Remediation {
    guard let remediation = response.remediations[type] else {
      throw Scenario.Unexpected(description: "\(type) is not offered: \(response)")
    }
    return remediation
  }
}
