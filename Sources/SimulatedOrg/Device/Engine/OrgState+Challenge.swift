// The org asks a device (device.md §7, §20.3).

import Foundation

extension OrgState {
  /// The keys that an issuer signs with.
  func signingKeys(_ signer: OrgSigner) -> SigningKeys {
    switch signer {
    case .organization: device.keys[signer] ?? SigningKeys(server: nil)
    case .authorizationServer(let id): device.keys[signer] ?? SigningKeys(server: id)
    }
  }

  /// The URL of an issuer.
  func issuer(_ signer: OrgSigner) -> String {
    switch signer {
    case .organization: baseURL
    case .authorizationServer(let id): baseURL + "/oauth2/" + id
    }
  }

  /// Challenges the target devices, and queues the challenges for delivery.
  mutating func challenge(_ request: OrgChallengeRequest, origin: String? = nil) -> [DeviceChallenge] {
    forgetOldChallenges()
    if configuration.devices.supersedesPending { supersede(request) }
    return targets(of: request).map { enrollment in
      var request = request
      if request.defect == nil, !device.defects.isEmpty { request.defect = device.defects.removeFirst() }
      let challenge = newChallenge(request, enrollment, origin: origin)
      device.challenges[challenge.id] = challenge
      device.deliveries.append(push(challenge, to: enrollment))
      return challenge
    }
  }

  /// Drops challenges that ended an hour ago and more, once there are many.
  private mutating func forgetOldChallenges() {
    guard device.challenges.count > 20_000 else { return }
    let limit = now + -3600
    device.challenges = device.challenges.filter { $0.value.expires > limit }
  }

  /// Active enrollments of a user that accept such a transaction, oldest first.
  func usableEnrollments(of login: String, for type: OrgTransactionType) -> [DeviceEnrollment] {
    device.enrollments.values
      .filter { $0.login == login && $0.transactionTypes.contains(type) && (try? checkStatus($0)) != nil }
      .sorted { $0.number < $1.number }
  }

  private func targets(of request: OrgChallengeRequest) -> [DeviceEnrollment] {
    switch request.target {
    case .user(let login): usableEnrollments(of: Self.key(login), for: request.transactionType)
    case .enrollment(let id): device.enrollments[id].map { [$0] } ?? []
    }
  }

  private mutating func supersede(_ request: OrgChallengeRequest) {
    guard request.transactionType == .login else { return }
    let logins = Set(targets(of: request).map(\.login))
    for old in device.challenges.values
    where old.status == .pending && old.type == .login && old.client == request.client
      && device.enrollments[old.enrollment].map({ logins.contains($0.login) }) == true
    {
      device.challenges[old.id]?.status = .superseded
    }
  }

  private mutating func newChallenge(
    _ request: OrgChallengeRequest, _ enrollment: DeviceEnrollment, origin: String?
  ) -> DeviceChallenge {
    let issued = Timestamp(milliseconds: now.seconds * 1000)
    let expires = issued + (request.lifetime ?? configuration.challengeLifetime).rounded()
    var challenge = DeviceChallenge(
      id: drawText("ft", length: 32, for: enrollment.login), number: device.next(), enrollment: enrollment.id,
      type: request.transactionType, requirement: request.requirement, mediation: request.mediation,
      client: request.client, origin: origin, nonce: drawText("", length: 32, for: enrollment.login),
      issuer: issuer(request.signer), created: now, expires: expires, payload: .null)
    let claims = claims(request, challenge, enrollment, issued: issued)
    let token = sign(claims, request)
    challenge.payload = ["payloadVersion": "IDXv1", "challenge": .string(token)]
    switch request.defect {
    case .replayed:
      let earlier = device.challenges.values.filter { $0.enrollment == enrollment.id }.max { $0.number < $1.number }
      if let earlier { challenge.payload = earlier.payload }
    case .payloadVersion(let version): challenge.payload["payloadVersion"] = version
    case .payload(let payload): challenge.payload["challenge"] = payload
    case .wrongSignature, .otherKey, .unknownKey, .unsigned, .sharedSecret, .header, .claim, .expired, .early, nil:
      break
    }
    return challenge
  }

  private func claims(
    _ request: OrgChallengeRequest, _ challenge: DeviceChallenge, _ enrollment: DeviceEnrollment, issued: Timestamp
  ) -> OrgJSON {
    let address = baseURL + Self.enrollmentsPath + "/challenge/\(challenge.id)/verify"
    let audience = configuration.devices.audience == .client ? enrollment.client : OrgDevices.Audience.value
    let names: ([String]) -> OrgJSON = { .array($0.map { ["name": .string($0)] }) }
    var claims: OrgJSON = [
      "iss": .string(challenge.issuer), "aud": .string(audience), "exp": .int(Int(challenge.expires.seconds)),
      "iat": .int(Int(issued.seconds)), "jti": .string(challenge.id), "nonce": .string(challenge.nonce),
      "transactionId": .string(challenge.id),
      "signals": request.signals.map { .array($0.map(OrgJSON.string)) } ?? .null,
      "verificationUri": .string(address), "orgId": .string(configuration.devices.organizationID),
      "appInstanceName": .string(request.applicationName ?? configuration.devices.applicationName),
      "method": "push", "methodEnrollmentId": .string(enrollment.methodID),
      "authenticatorEnrollmentId": .string(enrollment.id),
    ]
    if let mediation = request.mediation { claims["userMediation"] = .string(mediation.rawValue) }
    if let requirement = request.requirement { claims["userVerification"] = .string(requirement.rawValue) }
    if case .authorizationServer(let id) = request.signer { claims["authorizationServerId"] = .string(id) }
    if !request.integrations.isEmpty { claims["integrations"] = names(request.integrations) }
    if !request.signalProviders.isEmpty { claims["signalProviders"] = names(request.signalProviders) }
    claims["challengeContext"] = context(request, issued: issued)
    claims["userId"] = .string(enrollment.userID)
    claims["ver"] = 0
    return claims
  }

  private func context(_ request: OrgChallengeRequest, issued: Timestamp) -> OrgJSON {
    var context: OrgJSON = [
      "clientOS": "UNKNOWN", "clientLocation": .string(configuration.devices.clientLocation),
      "transactionTime": .string(issued.iso8601), "transactionType": .string(request.transactionType.rawValue),
      "showUserLocationInNotification": false, "riskLevel": "NONE",
    ]
    if let message = request.bindingMessage { context["bindingMessage"] = .string(message) }
    if !request.textItems.isEmpty { context["challengeTextItems"] = .array(request.textItems.map(OrgJSON.string)) }
    for (name, value) in request.context.sorted(by: { $0.key < $1.key }) {
      context[name] = value == .null ? nil : value
    }
    return context
  }

  /// The challenge JWT, with the requested defect.
  private func sign(_ claims: OrgJSON, _ request: OrgChallengeRequest) -> String {
    let signer = signingKeys(request.signer).signer
    let header: OrgJSON = ["kid": .string(signer.id), "typ": "okta-pushbind+jwt", "alg": .string(signer.algorithm)]
    return signer.token(header, claims, request.defect, at: now)
  }

  /// The challenges that wait for an answer, for a device that asks (device.md §4.6).
  mutating func pendingChallenges(_ id: String, _ call: DeviceCall) throws(Refusal) -> IDXReply {
    let enrollment = try enrollment(id, call, scope: .watch)
    return .device(.array(pending(enrollment.id).map(\.payload)))
  }

  /// The challenges of an enrollment that wait, oldest first.
  func pending(_ enrollment: String) -> [DeviceChallenge] {
    let now = now
    return device.challenges.values
      .filter { $0.enrollment == enrollment && $0.status(at: now) == .pending }
      .sorted { $0.number < $1.number }
  }
}
