// What lists and reports show of a classic sign-in: its statuses as attempts by factors and changes of the account.

import EventStore
import FlowRecording

enum AuthnNotes {
  static func note(_ type: String, _ data: () -> JSON, in facts: inout SignInFacts) {
    switch type {
    case CallMade.type: made(data(), in: &facts)
    case StatusChanged.type: changed(data(), in: &facts)
    case FactorUpdated.type: updated(data()["result"]?.string, in: &facts)
    default: break
    }
  }

  private static let challenges: Set<String> = [AuthnVocabulary.challenge, "FACTOR_CHALLENGE"]
  private static let recoveries: Set<String> = ["RECOVERY_CHALLENGE"]

  private static func made(_ data: JSON, in facts: inout SignInFacts) {
    let arguments = data["arguments"] ?? [:]
    let call = data["call"]?.string ?? ""
    facts.memory["call"] = call
    // Each of these pushes alerts the person.
    facts.memory["resend"] = call == "resendFactor" && facts.openTry?.factor == .push ? "push" : nil
    if let name = arguments["username"]?.string, !name.isEmpty { facts.typed = name }
    let hasProof = arguments["passCode"] != nil || arguments["answer"] != nil
    switch call {
    case "authenticate":
      facts.purpose = facts.purpose ?? .signIn
      if arguments["password"] != nil { facts.begin(.password) }
      if let address = arguments["forwardedFor"]?.string { facts.memory["address"] = address }
    case "fetchStatus": facts.purpose = facts.purpose ?? .signIn
    case "unlockAccount", "unlock": begin(.unlock, arguments, in: &facts)
    case "recoverPassword", "recoverWithToken": begin(.recovery, arguments, in: &facts)
    case "recoverWithAnswer": facts.begin(.question)
    case "selectFactor":
      if let index = arguments["factor"]?.int { choose(index, as: "factor", in: &facts) }
      if hasProof { prove(in: &facts) }
    case "verifyFactor": if hasProof { prove(in: &facts) }
    case "sendRequest":
      // A link chosen by the application: the factor is known only if there is just one.
      let offered = facts.memory["factors"] ?? ""
      let isOne = !offered.isEmpty && !offered.contains(",")
      if isOne, arguments["link"]?.string?.contains("/factors/") == true { facts.begin(FactorName(rawValue: offered)) }
    case "enrollFactor": if let index = arguments["factor"]?.int { choose(index, as: "enrolling", in: &facts) }
    case _: break
    }
  }

  private static func begin(_ purpose: SignInFacts.Purpose, _ arguments: JSON, in facts: inout SignInFacts) {
    facts.purpose = purpose
    if let type = arguments["factorType"]?.string { facts.memory["factor"] = FactorName(classicType: type).rawValue }
  }

  private static func choose(_ index: Int, as name: String, in facts: inout SignInFacts) {
    let offered = (facts.memory["factors"] ?? "").split(separator: ",")
    if offered.indices.contains(index) { facts.memory[name] = String(offered[index]) }
  }

  private static func prove(in facts: inout SignInFacts) {
    if let factor = facts.memory["factor"] { facts.begin(FactorName(rawValue: factor)) }
  }

  // MARK: Statuses

  private static func changed(_ data: JSON, in facts: inout SignInFacts) {
    let status = data["status"]?.string ?? facts.status ?? ""
    let previous = data["previous"]?.string
    let summary = data["summary"]
    if !status.isEmpty { facts.status = status }
    if let name = summary?["user"]?.string { facts.login = name }
    if summary?["sessionToken"] != nil { facts.memory["session"] = "sessionToken" }
    let factors = (summary?["factors"]?.array ?? []).compactMap { $0["type"]?.string }
      .map { FactorName(classicType: $0).rawValue }
    account(status, after: previous, in: &facts)
    if status == AuthnVocabulary.lockedOut {
      facts.fail(.locked)
    } else if challenges.contains(status) || recoveries.contains(status) {
      if facts.openTry?.factor == .password { facts.succeed() }
      let result = summary?["factorResult"]?.string
      if let factor = factors.first ?? facts.memory["factor"], !["REJECTED", "TIMEOUT"].contains(result) {
        facts.memory["factor"] = factor
        if facts.memory["resend"] == factor { facts.sendAgain(.push) }
        facts.begin(FactorName(rawValue: factor))
      }
      updated(result, in: &facts)
    } else if status == AuthnVocabulary.required, facts.openTry.map({ $0.factor != .password }) == true {
      facts.giveUp()
    } else if status == AuthnVocabulary.enrollActivate {
      if facts.openTry?.factor == .password { facts.succeed() }
    } else if status == "CANCELLED" {
      facts.giveUp()
    } else {
      facts.succeed()
    }
    facts.memory["factors"] = factors.joined(separator: ",")
    facts.memory["resend"] = nil
  }

  private static func account(_ status: String, after previous: String?, in facts: inout SignInFacts) {
    let call = facts.memory["call"]
    let isBack = ["cancel", "returnToPreviousStatus"].contains(call)
    switch previous {
    case "MFA_ENROLL_ACTIVATE" where status != previous && !isBack:
      facts.changed(.factorEnrolled, factor: facts.memory["enrolling"].map(FactorName.init(rawValue:)))
    case "MFA_ENROLL" where call == "enrollFactor" && status != "MFA_ENROLL_ACTIVATE":
      facts.changed(.factorEnrolled, factor: facts.memory["enrolling"].map(FactorName.init(rawValue:)))
    case _ where call == "changePassword": facts.changed(.passwordChanged)
    case _ where call == "resetPassword": facts.changed(.passwordReset)
    case _ where status == AuthnVocabulary.success && facts.purpose == .unlock: facts.changed(.unlocked)
    case _: break
    }
    if ["changePassword", "resetPassword"].contains(call) { facts.memory["call"] = nil }
  }

  /// The factor result reported by the org. It may be reported twice: with a status, and separately.
  private static func updated(_ result: String?, in facts: inout SignInFacts) {
    guard facts.openTry != nil else { return }
    switch result {
    case "REJECTED": facts.fail(.rejected)
    case "TIMEOUT": facts.fail(.timedOut)
    case nil, "", "WAITING", "CHALLENGE", "SUCCESS", "CANCELLED": break
    case _: facts.fail(.org)
    }
  }
}
