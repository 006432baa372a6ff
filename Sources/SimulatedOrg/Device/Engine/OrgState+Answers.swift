// A device answers a challenge (device.md §4.7, §10, §20.4). The checks are in the order of the specification; each has
// its own reason.

extension OrgState {
  /// Takes a signed answer.
  mutating func takeAnswer(to id: String, _ call: DeviceCall) throws(Refusal) -> IDXReply {
    let body = try DeviceFields(call.body, path: "")
    guard try body.text("method") == "push" else { throw body.wrong("method", "must be push") }
    let text = try body.text("challengeResponse")
    guard var challenge = device.challenges[id] else { throw .noSuchResource("\(id) (Challenge)") }
    guard let token = CompactJWS(text) else { throw .answer("is no signed JWT") }
    guard token.header["typ"]?.string?.lowercased() == "okta-pushbind+jwt" else { throw .answer("typ is another one") }
    guard let enrollment = device.enrollments[challenge.enrollment] else { throw .enrollmentDeleted }
    try checkStatus(enrollment)
    try checkSignature(token, enrollment)
    try checkClaims(token, challenge, enrollment)
    if let earlier = challenge.answer, earlier.token.text == token.text { return .bare(earlier.status) }
    if challenge.status(at: now) == .expired { throw .answer("the challenge expired") }
    guard let jti = token.text("jti"), !jti.isEmpty else { throw .answer("jti is missing") }
    if device.spent[enrollment.id + " " + jti] != nil { throw .answer("jti was used before") }
    guard challenge.status == .pending else { throw .answer("the challenge is over") }
    try checkDevice(token, enrollment)
    let consent = try consent(in: token)
    guard token.claims["challengeResponseContext"]?["transactionType"]?.string == challenge.type.rawValue else {
      throw .answer("transactionType is another one")
    }
    _ = spend(token, of: enrollment.id)
    challenge.status = consent.verdict(on: challenge, keyType: token.text("keyType") ?? "")
    let status = challenge.status == .denied ? 204 : 200
    challenge.answer = DeviceChallenge.Answer(token: token, status: status, at: now)
    device.challenges[id] = challenge
    if let origin = challenge.origin { withdraw(origin) }
    return .bare(status)
  }

  private func checkSignature(_ token: CompactJWS, _ enrollment: DeviceEnrollment) throws(Refusal) {
    guard let (type, key) = enrollment.key(token.header["kid"]?.string) else {
      throw .answer("kid is no key of the enrollment")
    }
    guard key.signed(token) else { throw .answer("the signature is wrong") }
    guard token.text("keyType") == type else { throw .answer("keyType is not that of the key") }
  }

  private func checkClaims(
    _ token: CompactJWS, _ challenge: DeviceChallenge, _ enrollment: DeviceEnrollment
  ) throws(Refusal) {
    let wanted = [
      ("iss", enrollment.id), ("sub", enrollment.userID), ("aud", challenge.issuer), ("tx", challenge.id),
      ("nonce", challenge.nonce), ("methodEnrollmentId", enrollment.methodID),
    ]
    for (name, value) in wanted where token.text(name) != value { throw .answer("\(name) is another one") }
    guard token.isTimely(at: now) else { throw .answer("iat, nbf or exp does not hold now") }
  }

  private func checkDevice(_ token: CompactJWS, _ enrollment: DeviceEnrollment) throws(Refusal) {
    let signals = token.claims["deviceSignals"]
    guard signals?["id"]?.string == enrollment.deviceID else { throw .answer("deviceSignals.id is another one") }
    guard signals?["clientInstanceId"]?.string == device.devices[enrollment.deviceID]?.clientInstanceID else {
      throw .answer("deviceSignals.clientInstanceId is another one")
    }
  }

  private func consent(in token: CompactJWS) throws(Refusal) -> DeviceConsent {
    guard let text = token.claims["challengeResponseContext"]?["userConsent"]?.string,
      let consent = DeviceConsent(rawValue: text)
    else { throw .answer("userConsent is unknown") }
    return consent
  }
}

/// The person's decision, and why user verification is missing (device.md §9.4).
enum DeviceConsent: String, CaseIterable {
  case approved = "APPROVED_CONSENT_PROMPT"
  case denied = "DENIED_CONSENT_PROMPT"
  case verified = "APPROVED_USER_VERIFICATION"
  case cancelledVerification = "CANCELLED_USER_VERIFICATION"
  case temporarilyUnavailable = "UV_TEMPORARILY_UNAVAILABLE"
  case permanentlyUnavailable = "UV_PERMANENTLY_UNAVAILABLE"
  case none = "NONE"

  /// The outcome of a challenge after a valid answer (device.md §20.4).
  func verdict(on challenge: DeviceChallenge, keyType: String) -> OrgChallengeStatus {
    switch self {
    case .denied: return .denied
    case .none where challenge.mediation != OrgUserMediation.none && challenge.mediation != .optional:
      return .rejected
    case .approved, .verified, .cancelledVerification, .temporarilyUnavailable, .permanentlyUnavailable, .none:
      return challenge.requirement == .required && keyType != "userVerification" ? .rejected : .approved
    }
  }
}

extension Refusal {
  /// `E0000001` about a signed answer.
  fileprivate static func answer(_ why: String) -> Self { .invalidField("challengeResponse", why) }
}
