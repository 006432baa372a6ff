// An application of the Identity Engine that takes whatever response comes, and does something of what it offers.

import EventStore
import FlowRecording
import Foundation
import IDX
import OIDC
import SimulatedOrg

extension IDXScenario {
  /// A walk against the org of a scenario, with the choices of a variation.
  static func wandering(in scenario: IDXScenario, _ chance: Chance) -> IDXScenario {
    IDXScenario(scenario.name, scenario.configuration) { stage in
      try await IDXWanderer(stage: stage, chance: chance).wander()
    }
  }
}

/// Walks through a sign-in by chance.
struct IDXWanderer: Sendable {
  let stage: IDXStage
  let chance: Chance

  /// Takes some steps.
  func wander() async throws {
    let flow = stage.begin()
    let options = options
    var held: [Response] = []
    var response: Response?
    for _ in 0..<(5 + chance.number(below: 8)) {
      stage.org.answerPush(
        for: Scenario.login, chance.pick(PushAnswer.allCases) ?? .approve, afterPolls: chance.number(below: 3))
      let current = chance.isTrue(92) ? response : chance.pick(held)
      do {
        if let current {
          guard let next = try await stage.firingTimers(during: { try await act(on: current, flow) }) else { return }
          response = next
        } else {
          response = try await stage.firingTimers { try await flow.start(options: options) }
        }
        if let response { held.append(response) }
      } catch is InteractionCodeFlowError {
        if chance.isTrue(30) {
          response = try? await stage.firingTimers { try await flow.resume() }
        } else if chance.isTrue(20) {
          response = nil
        }
      }
    }
    withExtendedLifetime(flow) {}
  }

  private var options: [InteractionCodeFlow.Option: any Sendable]? {
    guard chance.isTrue(50) else { return nil }
    var options: [InteractionCodeFlow.Option: any Sendable] = [:]
    if chance.isTrue(40) { options[.state] = "state-of-the-walk" }
    if chance.isTrue(40) { options[.nonce] = "nonce-of-the-walk" }
    if chance.isTrue(40) { options[.maxAge] = chance.pick([0, 1, 3600, -1]) ?? 60 }
    if chance.isTrue(30) { options[.acrValues] = "urn:okta:loa:2fa:any" }
    if chance.isTrue(30) { options[.omitDeviceToken] = chance.isTrue(50) }
    if chance.isTrue(15) { options[.activationToken] = "activation-of-the-walk" }
    return options
  }

  /// One step; nil if nothing is left to do.
  private func act(on response: Response, _ flow: InteractionCodeFlow) async throws -> Response? {
    if response.isLoginSuccessful {
      _ = try await response.exchangeCode()
      return nil
    }
    switch chance.number(below: 100) {
    case 0..<5: return try await response.cancel()
    case 5..<10: return try await flow.resume()
    case 10..<28:
      let authenticators = Array(response.authenticators)
      if let resendable = chance.pick(authenticators.compactMap(\.resendable)) { return try await resendable.resend() }
      if let recoverable = chance.pick(authenticators.compactMap(\.recoverable)) {
        return try await recoverable.recover()
      }
      if let sendable = chance.pick(authenticators.compactMap(\.sendable)) { return try await sendable.send() }
    default: break
    }
    let offered = Array(response.remediations)
    let pollable =
      offered.compactMap(\.pollable) + response.authenticators.compactMap(\.pollable)
    if let pollable = chance.pick(pollable), chance.isTrue(60) {
      if chance.isTrue(50) { stage.org.openMagicLink(for: Scenario.login) }
      return try await pollable.startPolling()
    }
    guard let remediation = chance.isTrue(50) ? offered.first : chance.pick(offered) else { return nil }
    let person = IDXPerson(
      login: chance.isTrue(92) ? Scenario.login : chance.pick(Wandering.texts) ?? "",
      password: chance.isTrue(92) ? Scenario.password : chance.pick(Wandering.texts) ?? "",
      choices: chance.pick([["Email"], ["Phone", "SMS"], ["Security Question"], []]) ?? [])
    try person.fill(remediation, of: response, at: stage.org)
    if chance.isTrue(15) { spoil(remediation.form) }
    return try await remediation.proceed()
  }

  private func spoil(_ form: Remediation.Form) {
    let values: [any FormValue] = ["", "x", 17, true, false, -0.5, 0, "true", "17"]
    for field in form {
      if let inner = field.form { spoil(inner) }
      switch chance.number(below: 6) {
      case 0: field.value = chance.pick(values)
      case 1: field.value = chance.pick(Wandering.texts)
      case 2 where field.options != nil: field.selectedOption = chance.pick(Array(field.options ?? []))
      case 3: field.value = nil
      default: break
      }
    }
  }
}
