// How lists and reports summarize an Identity Engine sign-in: forms and messages as factor attempts and account
// changes.

import EventStore
import FlowRecording
import OIDC

enum IDXNotes {
  static func note(_ type: String, _ data: () -> JSON, in facts: inout SignInFacts) {
    switch type {
    case CallMade.type: made(data(), in: &facts)
    case RemediationChanged.type: offered(data(), in: &facts)
    case MessageShown.type: shown(data(), in: &facts)
    case TokenRefused.type: facts.status = data()["error"]?.string
    default: break
    }
  }

  /// The forms that submit a factor's answer.
  private static let answers: Set<String> = ["challenge-authenticator", "authenticator-verification-data"]

  private static func made(_ data: JSON, in facts: inout SignInFacts) {
    let arguments = data["arguments"] ?? [:]
    facts.purpose = facts.purpose ?? (arguments["recovery_token"] == nil ? .signIn : .recovery)
    guard let form = arguments["name"]?.string else { return }
    var hasProof = false
    for field in arguments["fields"]?.array ?? [] {
      guard let name = field["name"]?.string else { continue }
      if name == "identifier", let login = field["value"]?.string, !login.isEmpty { facts.typed = login }
      if name.hasPrefix("credentials.") { hasProof = true }
    }
    switch form {
    case "recover", "currentAuthenticator-recover": facts.purpose = .recovery
    case "unlock-account": facts.purpose = .unlock
    case "select-enroll-profile", "enroll-profile": facts.purpose = .registration
    case "identify": if hasProof { facts.begin(.password) }
    case _ where answers.contains(form): if hasProof, let factor = current(facts) { facts.begin(factor) }
    case _: break
    }
  }

  private static func current(_ facts: SignInFacts, isPolled: Bool = false) -> FactorName? {
    facts.memory["current"].map { FactorName(authenticator: $0, isPolled: isPolled) }
  }

  // MARK: Responses

  private static func offered(_ data: JSON, in facts: inout SignInFacts) {
    let summary = data["summary"]
    let offered = (data["offered"]?.array ?? []).compactMap(\.string)
    let chosen = data["chosen"]?.string
    let current = summary?["current"]?.string
    let isOver = summary?["success"] == true
    if let name = summary?["user"]?.string { facts.login = name }
    if isOver {
      facts.status = "success"
    } else if summary?["terminal"] == true {
      facts.status = "terminal"
    } else {
      facts.status = offered.first ?? facts.status
    }
    account(chosen, current, in: &facts)
    if summary?["answered"]?.string != nil || isOver {
      facts.succeed()
    } else if chosen == "select-authenticator-authenticate" {
      facts.giveUp()
    } else if ["identify", "select-authenticator-enroll"].contains(chosen), facts.openTry?.factor == .password,
      current != "okta_password"
    {
      facts.succeed()
    }
    facts.memory["current"] = current
    challenge(current, offered, chosen, in: &facts)
  }

  /// Something sent to the person counts as an attempt once it is sent; something typed counts once it is submitted.
  private static func challenge(_ current: String?, _ offered: [String], _ chosen: String?, in facts: inout SignInFacts)
  {
    guard let current else { return }
    if offered.contains("challenge-poll"), FactorName(authenticator: current, isPolled: true) == .push {
      // Each push notifies the person.
      if ["resend", "resend-challenge"].contains(chosen) { facts.sendAgain(.push) }
      facts.begin(.push)
    } else if chosen == "select-authenticator-authenticate" {
      let factor = FactorName(authenticator: current, isPolled: false)
      if [.email, .phone].contains(factor), facts.purpose != .registration { facts.begin(factor) }
    }
  }

  private static func account(_ chosen: String?, _ current: String?, in facts: inout SignInFacts) {
    switch chosen {
    case "select-authenticator-enroll": facts.memory["enrolling"] = current
    case "enroll-authenticator" where current == nil || current != facts.memory["enrolling"]:
      let enrolled = facts.memory["enrolling"].map { FactorName(authenticator: $0, isPolled: false) }
      facts.changed(.factorEnrolled, factor: enrolled)
      facts.memory["enrolling"] = nil
    case "reset-authenticator" where current != "okta_password": facts.changed(.passwordReset)
    case "reenroll-authenticator" where current != "okta_password": facts.changed(.passwordChanged)
    case "enroll-profile": facts.changed(.registered)
    case _: break
    }
  }

  // MARK: Messages

  private static func shown(_ data: JSON, in facts: inout SignInFacts) {
    let key = data["key"]?.string ?? ""
    if key.hasPrefix("oie.selfservice.unlock_user.") { facts.changed(.unlocked) }
    guard data["class"]?.string == "ERROR" else { return }
    let code = key.hasPrefix("errors.") ? String(key.dropFirst("errors.".count)) : key
    facts.fail(FailureReason(messageKey: key, isPassword: facts.isPassword), code: code.isEmpty ? "unknown" : code)
  }
}
