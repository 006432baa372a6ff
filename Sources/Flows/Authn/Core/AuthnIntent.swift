// A call with all that its request depends on: its arguments, the transaction it was made on, the flow.

import EventStore
import FlowRecording

/// What the application requests, and what the transaction offers.
struct AuthnIntent {
  let made: CallMade
  let status: String?
  let transaction: TransactionReading
  let core: AuthnCore

  init(_ made: CallMade, on target: AuthnCore.Snapshot?, of core: AuthnCore) {
    self.made = made
    self.core = core
    status = target?.status
    transaction = TransactionReading(json: target?.body ?? [:])
  }

  // MARK: Entry points

  /// Primary authentication (§2.1): by the link of a step-up, or else by its fixed path.
  func authentication() throws(Refusal) -> RequestPlan {
    var body = taking(["username", "password", "token", "audience", "relayState"])
    body.append(
      (
        "options",
        [
          "multiOptionalFactorEnroll": made.arguments["multiOptionalFactorEnroll"] ?? true,
          "warnBeforePasswordExpired": made.arguments["warnBeforePasswordExpired"] ?? true,
        ]
      ))
    if let device = made.arguments["deviceToken"] {
      guard device.string != nil else {
        throw .invalidParameters("a device token has 1 to 32 letters, digits and +/=-_")
      }
      body.append(("context", ["deviceToken": device]))
    }
    if let token = transaction.stateToken { body.append(("stateToken", .string(token))) }
    var plan = try fixed("", body: body)
    if let link = transaction.link("next") {
      plan.url = try core.allowed(link.href, carriesEntries: true)
      try checkPost(to: link, "next")
    }
    if let fingerprint = made.arguments["deviceFingerprint"]?.string {
      plan.headers.append(HTTPField("X-Device-Fingerprint", fingerprint))
    }
    plan.headers += contextHeaders(to: plan.url)
    return plan
  }

  /// Headers that authenticate the application and describe its user (§1.2): apart from the language, they are sent
  /// only to the org's origin.
  private func contextHeaders(to url: String) -> [HTTPField] {
    var headers: [HTTPField] = []
    if let home = URLParts(core.org), URLParts(url)?.isSameOrigin(as: home) == true {
      if let token = made.arguments["apiToken"]?.string { headers.append(HTTPField("Authorization", "SSWS \(token)")) }
      if let address = made.arguments["forwardedFor"]?.string {
        headers.append(HTTPField("X-Forwarded-For", address))
      }
    }
    if let languages = made.arguments["acceptLanguage"]?.string {
      headers.append(HTTPField("Accept-Language", languages))
    }
    return headers
  }

  /// Redeems a recovery token, sending nothing else (§2, operation 11): by the link of a trusted RECOVERY, or else by
  /// its fixed path.
  func tokenRecovery() throws(Refusal) -> RequestPlan {
    var plan = try fixed("/recovery/token", ["recoveryToken", "relayState"])
    guard status == AuthnVocabulary.recovery else { return plan }
    guard let link = transaction.link("next") else { throw .missingLink("next") }
    guard link.name == nil || link.name == "recovery" else { throw .missingLink("recovery") }
    try checkPost(to: link, "next")
    plan.url = try core.allowed(link.href, carriesEntries: true)
    return plan
  }

  // MARK: The transaction

  /// LOCKED_OUT has no token: cancelling it sends an empty object (§11).
  func cancellation() throws(Refusal) -> RequestPlan {
    guard status == AuthnVocabulary.lockedOut, transaction.stateToken == nil else { return try following("cancel") }
    guard let link = transaction.link("cancel") else { throw .missingLink("cancel") }
    try checkPost(to: link, "cancel")
    return RequestPlan(url: try core.allowed(link.href), body: [:])
  }

  // MARK: Factors

  func selection() throws(Refusal) -> RequestPlan {
    let link = try factorLink("verify")
    return try following(link, "verify", taking(["passCode", "answer"]))
  }

  func verification() throws(Refusal) -> RequestPlan {
    guard let status, Self.challenges.contains(status) else { throw .missingLink("verify") }
    return try following("next", ["passCode", "answer"])
  }

  func activation() throws(Refusal) -> RequestPlan {
    guard let status, Self.activations.contains(status) else { throw .missingLink("activate") }
    return try following("next", ["passCode"])
  }

  /// Asks once for the result of a factor that is answered elsewhere.
  func check() throws(Refusal) -> RequestPlan {
    guard let status, Self.challenges.union(Self.activations).contains(status) else { throw .missingLink("poll") }
    return try following("next")
  }

  func resending() throws(Refusal) -> RequestPlan {
    guard let link = transaction.resendLink else { throw .missingLink("resend") }
    return try following(link, "resend", [])
  }

  func enrolment() throws(Refusal) -> RequestPlan {
    let factor = try factor()
    let link = try factorLink("enroll")
    let profile = taking(["phoneNumber", "phoneExtension", "question", "answer", "credentialId"]).filter { $0.1 != nil }
    var body: [(String, JSON?)] = [("factorType", factor["factorType"]), ("provider", factor["provider"])]
    if !profile.isEmpty { body.append(("profile", .members(profile))) }
    return try following(link, "enroll", body + taking(["passCode", "nextPassCode"]))
  }

  /// Sends the link that activates a push (§2, operations 19, 20).
  func activationLink() throws(Refusal) -> RequestPlan {
    let channel = made.arguments["channel"]?.string
    let links = TransactionReading.links(try factor()["_embedded"]?["activation"]?["_links"]?["send"])
    guard let link = links.first(where: { $0.name?.lowercased() == channel }) else { throw .missingLink("send") }
    try checkPost(to: link, "send")
    // The link itself is a secret, so the caller names its target.
    let profile = made.arguments["phoneNumber"].map { JSON.members([("phoneNumber", $0)]) }
    _ = try core.allowed(made.arguments["link"]?.string ?? "", carriesEntries: profile != nil)
    guard let token = transaction.stateToken else { throw .noStateToken }
    return RequestPlan(
      url: link.href, body: .members([("profile", profile), ("stateToken", .string(token))]))
  }

  /// Sends Duo's signed answer to the org (§2, operation 25): a form, to the link that the activation or the challenge
  /// contains.
  func signedResponse() throws(Refusal) -> RequestPlan {
    let factor = try factor()
    let parts = ["activation", "verification"].map { factor["_embedded"]?[$0]?["_links"]?["complete"] }
    guard let link = parts.flatMap({ TransactionReading.links($0) }).first else { throw .missingLink("complete") }
    var plan = try following(link, "complete", [("id", factor["id"]), ("sig_response", made.arguments["sigResponse"])])
    plan.encoding = .form
    plan.contentType = "application/x-www-form-urlencoded"
    return plan
  }

  /// Lists the security questions: the only GET (§2, operation 26).
  func questions() throws(Refusal) -> RequestPlan {
    let link = try factorLink("questions")
    return RequestPlan(method: "GET", url: try core.allowed(link.href), body: nil)
  }

  /// Sends a payload of the application's choice to a link of its choice.
  func arbitrary() throws(Refusal) -> RequestPlan {
    guard case .object(let payload) = made.arguments["payload"] else {
      throw .invalidParameters("the payload holds a value that JSON has no form for")
    }
    let allow = (made.arguments["allow"]?.array ?? []).compactMap(\.string)
    guard let href = made.arguments["link"]?.string else { throw .malformedURL }
    let link = AuthnLink(href: href, name: nil, allow: allow)
    let token = made.arguments["stateToken"] ?? transaction.stateToken.map(JSON.string)
    return try sending(to: link, "link", payload.members.map { ($0.key, $0.value) } + [("stateToken", token)])
  }

  // MARK: Parts

  private static let challenges: Set<String> = [
    AuthnVocabulary.challenge, AuthnVocabulary.recoveryChallenge, "FACTOR_CHALLENGE",
  ]
  /// Members of bodies that are not secret to the org.
  private static let ownMembers: Set<String> = ["stateToken", "factorType", "provider", "id"]
  private static let activations: Set<String> = [AuthnVocabulary.enrollActivate, "FACTOR_ENROLL_ACTIVATE"]

  private func factor() throws(Refusal) -> JSON {
    let factors = transaction.factors
    guard let index = made.arguments["factor"]?.int, factors.indices.contains(index) else {
      throw .invalidParameters("the factor is not one of this status")
    }
    return factors[index]
  }

  private func factorLink(_ relation: String) throws(Refusal) -> AuthnLink {
    guard let link = TransactionReading.links(try factor()["_links"]?[relation]).first else {
      throw .missingLink(relation)
    }
    return link
  }

  /// The arguments with these names, if present.
  private func taking(_ names: [String]) -> [(String, JSON?)] {
    names.map { ($0, made.arguments[$0] == .null ? nil : made.arguments[$0]) }
  }

  /// A request with these arguments to a fixed path, which replaces the path of the org URL (§1.1).
  func fixed(_ path: String, _ names: [String]) throws(Refusal) -> RequestPlan {
    try fixed(path, body: taking(names))
  }

  private func fixed(_ path: String, body: [(String, JSON?)]) throws(Refusal) -> RequestPlan {
    guard let parts = URLParts(core.org) else { throw .malformedURL }
    return RequestPlan(url: parts.origin + "/api/v1/authn" + path, body: .members(body))
  }

  /// A request to a link of the transaction, with these arguments and the state token.
  func following(_ relation: String, _ names: [String] = []) throws(Refusal) -> RequestPlan {
    guard let link = transaction.link(relation) else { throw .missingLink(relation) }
    return try following(link, relation, taking(names))
  }

  private func following(
    _ link: AuthnLink, _ relation: String, _ body: [(String, JSON?)]
  ) throws(Refusal) -> RequestPlan {
    guard let token = transaction.stateToken else { throw .noStateToken }
    return try sending(to: link, relation, body + [("stateToken", .string(token))])
  }

  /// Nothing is posted to a link that is meant for a browser (§4).
  private func checkPost(to link: AuthnLink, _ relation: String) throws(Refusal) {
    guard link.takesPost else { throw .browserLink(relation) }
  }

  private func sending(
    to link: AuthnLink, _ relation: String, _ body: [(String, JSON?)]
  ) throws(Refusal) -> RequestPlan {
    try checkPost(to: link, relation)
    let carriesEntries = body.contains { $0.1 != nil && !Self.ownMembers.contains($0.0) }
    let allowed = try core.allowed(link.href, carriesEntries: carriesEntries)
    let url = AuthnQueryItem.merge(AuthnQueryItem.items(of: made), into: allowed)
    return RequestPlan(url: url, body: .members(body))
  }
}
