// Statuses that the SDK does not model, step-up, and transactions that are taken up again.

import Authn
import FlowRecording
import Foundation
import SimulatedOrg

extension Scenario {
  static let others: [Scenario] = [sequenced, stepUp, takenUp, lockedOutCancelled]

  /// Factor sequencing: the SDK does not model its statuses, and goes through them by their links.
  public static let sequenced = Scenario(
    "sequenced",
    OrgConfiguration(users: [
      OrgUser(login: login, password: password, factors: [.totp(secret: "JBSWY3DPEHPK3PXP")], factorSequencing: true)
    ])
  ) { stage in
    let start = stage.begin()
    let error = try await failure { () async throws(OktaError) in
      try await start.authenticate(username: login, password: password)
    }
    guard case .unknownStatus(let response) = error, let status = response.basicStatus,
      let link = status.factors.first?.links?.verify,
      let code = stage.org.timeCode(secret: "JBSWY3DPEHPK3PXP")
    else { throw Unexpected(description: "expected an unknown status") }
    try expect(status.statusType == .unknown("FACTOR_REQUIRED") && status.canCancel(), "FACTOR_REQUIRED")
    return try cast(
      try await status.sendRequest(with: link, keyValuePayload: ["passCode": code]),
      to: OktaAuthStatusSuccess.self)
  }

  /// A sign-in that the org asks for: its token goes along with the credentials.
  public static let stepUp = Scenario("step-up", OrgConfiguration(users: [user()])) { stage in
    let environment = stage.environment
    guard let url = URL(string: Stage.orgURL) else { throw Unexpected(description: "no URL") }
    let status = try await OktaAuthSdk.fetchStatus(
      with: stage.org.beginStepUp(), using: url, environment: environment)
    let unauthenticated = try cast(status, to: OktaAuthStatusUnauthenticated.self)
    try expect(unauthenticated.stateToken != nil && unauthenticated.model.embedded?.target?.label != nil, "a target")
    let success = try cast(
      try await unauthenticated.authenticate(username: login, password: password), to: OktaAuthStatusSuccess.self)
    try expect(success.sessionToken == nil && success.links?.next?.name == "original", "a link for the browser")
    return success
  }

  /// A transaction whose token goes to another process.
  public static let takenUp = Scenario("taken-up", OrgConfiguration(users: [user([sms])])) { stage in
    let challenge = try await challenge(stage, factor: OktaFactorSms.self)
    let token = challenge.stateToken
    guard let url = URL(string: Stage.orgURL) else {
      throw Unexpected(description: "no URL")
    }
    let status = try await OktaAuthSdk.fetchStatus(with: token, using: url, environment: stage.environment)
    let again = try cast(status, to: OktaAuthStatusFactorChallenge.self)
    return try cast(
      try await again.verifyFactor(passCode: try lastCode(stage), answerToSecurityQuestion: nil),
      to: OktaAuthStatusSuccess.self)
  }

  /// A locked account that the user gives up on.
  public static let lockedOutCancelled = Scenario(
    "locked-out-cancelled",
    OrgConfiguration(users: [OrgUser(login: login, password: password, lockedOut: true)], showsLockout: true)
  ) { stage in
    let locked = try cast(try await signIn(stage), to: OktaAuthStatusLockedOut.self)
    try await locked.cancel()
    return locked
  }
}
