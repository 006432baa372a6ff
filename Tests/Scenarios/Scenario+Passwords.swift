// Passwords that expire, have expired, and are set for the first time.

import Authn
import SimulatedOrg

extension Scenario {
  static let passwords: [Scenario] = [warningSkipped, warningChanged, expiredChanged, activated]

  private static func expiring(in days: Int) -> OrgConfiguration {
    OrgConfiguration(users: [OrgUser(login: login, password: password, passwordExpiresIn: days)])
  }

  private static let newPassword = "Better-Horse-8"

  /// A warning that the user puts off.
  public static let warningSkipped = Scenario("warning-skipped", expiring(in: 2)) { stage in
    let warning = try cast(try await signIn(stage), to: OktaAuthStatusPasswordWarning.self)
    try expect(warning.canSkip() && warning.canChange() && !warning.canReturn(), "skip and change")
    try expect(warning.passwordExpiration?.passwordExpireDays == 2, "two days")
    return try cast(try await warning.skipPasswordChange(), to: OktaAuthStatusSuccess.self)
  }

  /// A warning after which the user changes the password.
  public static let warningChanged = Scenario("warning-changed", expiring(in: 2)) { stage in
    let warning = try cast(try await signIn(stage), to: OktaAuthStatusPasswordWarning.self)
    return try cast(
      try await warning.changePassword(oldPassword: password, newPassword: newPassword), to: OktaAuthStatusSuccess.self)
  }

  /// An expired password: the old one mistyped, the new one too weak, then changed.
  public static let expiredChanged = Scenario("expired-changed", expiring(in: 0)) { stage in
    let expired = try cast(try await signIn(stage), to: OktaAuthStatusPasswordExpired.self)
    try expect(expired.passwordComplexity?.minLength == 8 && expired.canChange(), "the rules")
    for (old, new) in [("Wrong-Horse-1", newPassword), (password, "weak")] {
      _ = try await failure { () async throws(OktaError) in
        try await expired.changePassword(oldPassword: old, newPassword: new)
      }
    }
    return try cast(
      try await expired.changePassword(oldPassword: password, newPassword: newPassword), to: OktaAuthStatusSuccess.self)
  }

  /// A new user who comes with an activation token and sets a first password.
  public static let activated = Scenario(
    "activated",
    OrgConfiguration(users: [OrgUser(login: login, password: nil, activationToken: "activation-token-1")])
  ) { stage in
    var options = OktaAuthenticationOptions()
    options.activationToken = "activation-token-1"
    options.relayState = "/after/sign-in"
    let reset = try cast(
      try await stage.begin().authenticate(username: nil, password: nil, options: options),
      to: OktaAuthStatusPasswordReset.self)
    try expect(reset.canReset() && reset.model.relayState == "/after/sign-in", "the relay state")
    _ = try await failure { () async throws(OktaError) in try await reset.resetPassword(newPassword: "weak") }
    return try cast(try await reset.resetPassword(newPassword: newPassword), to: OktaAuthStatusSuccess.self)
  }
}
