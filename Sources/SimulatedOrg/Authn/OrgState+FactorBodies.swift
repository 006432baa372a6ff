// Factors on the wire: in lists, as a challenge, while they are being set up (authn.md §5.2, §5.3).

extension OrgState {
  private typealias Member = OrgJSON.Member

  func rememberPolicy(_ account: Account) -> OrgJSON {
    let pushes = account.enrolments.filter { $0.factor.factorType == "push" }
    let info = pushes.map {
      Member($0.id, ["autoPushEnabled": .bool(account.autoPush[$0.id] ?? false)])
    }
    return [
      "allowRememberDevice": .bool(configuration.allowRememberDevice),
      "rememberDeviceLifetimeInMinutes": .int(configuration.rememberDeviceMinutes),
      "rememberDeviceByDefault": false, "factorsPolicyInfo": info.isEmpty ? .null : .object(info),
    ]
  }

  private func factor(_ id: String?, _ factor: OrgFactor, profile: OrgJSON) -> OrgJSON {
    var json: OrgJSON = [:]
    if let id { json["id"] = .string(id) }
    json["factorType"] = .string(factor.factorType)
    json["provider"] = .string(factor.provider)
    json["vendorName"] = .string(factor.provider)
    json["profile"] = profile
    return json
  }

  func required(_ enrolment: Enrolment, _ account: Account) -> OrgJSON {
    let profile = enrolment.factor.profile(login: account.user.login, key: enrolment.key)
    var json = factor(enrolment.id, enrolment.factor, profile: profile)
    json["_links"] = ["verify": authn("/factors/\(enrolment.id)/verify")]
    return json
  }

  func offered(_ offer: OrgFactorOffer, _ account: Account) -> OrgJSON {
    let active = account.enrolments.first { offer.covers($0.factor) }
    var json: OrgJSON = [:]
    if let active { json["id"] = .string(active.id) }
    json["factorType"] = .string(offer.factorType)
    json["provider"] = .string(offer.provider)
    json["vendorName"] = .string(offer.provider)
    json["status"] = active == nil ? "NOT_SETUP" : "ACTIVE"
    json["enrollment"] = offer.required ? "REQUIRED" : "OPTIONAL"
    if let active {
      json["profile"] = active.factor.profile(login: account.user.login, key: active.key)
      return json
    }
    var links: [OrgJSON.Member] = []
    if offer.kind == .question {
      links.append(
        Member("questions", link("/api/v1/users/\(account.id)/factors/questions", method: "GET")))
    }
    if offer.kind == .sms || offer.kind == .call, let phone = account.knownPhone {
      let known: OrgJSON = ["profile": ["phoneNumber": .string(Mask.phone(phone))], "status": "ACTIVE"]
      json["_embedded"] = ["phones": [known]]
    }
    links.append(Member("enroll", authn("/factors")))
    json["_links"] = .object(links)
    return json
  }

  func challenge(
    _ challenge: Challenge, _ transaction: Transaction, _ account: Account
  ) throws(Refusal) -> OrgJSON {
    guard let enrolment = account.enrolments.first(where: { $0.id == challenge.enrolment }) else {
      throw .internalError
    }
    let profile = enrolment.factor.profile(login: account.user.login, key: enrolment.key)
    let path = "/factors/\(enrolment.id)/verify"
    let type = enrolment.factor.factorType
    var (next, resend, result) = ("verify", [authn(path + "/resend", name: type)], String?.none)
    var json = factor(enrolment.id, enrolment.factor, profile: profile)
    switch challenge.kind {
    case .sent: break
    case .typed: resend = []
    case .signed(let nonce):
      resend = []
      json["_embedded"] = ["challenge": signing(nonce, enrolment.factor)]
      if enrolment.factor.factorType == "webauthn" { result = "CHALLENGE" }
    case .push(let push):
      result = push.result.rawValue
      if push.result == .waiting { next = "poll" } else { resend = [] }
      if enrolment.factor == .duo {
        resend = []
        json["_embedded"] = ["verification": duo(enrolment.id, push)]
      }
    }
    var links = [Member("next", authn(path, name: next)), cancelLink, previousLink]
    if !resend.isEmpty { links.append(Member("resend", .array(resend))) }
    var body = body(
      transaction, "MFA_CHALLENGE", account,
      [
        Member("factor", json),
        Member("policy", rememberPolicy(account)),
      ], links: links)
    if let result { body["factorResult"] = .string(result) }
    return body
  }

  func activation(_ activation: Activation, _ transaction: Transaction, _ account: Account) -> OrgJSON {
    let path = "/factors/\(activation.id)/lifecycle"
    let known = activation.factor.profile(login: account.user.login, key: [])
    let profile: OrgJSON = Self.isProfiledLater(activation.factor) ? [:] : known
    var json = factor(activation.id, activation.factor, profile: profile)
    var links = [Member("next", authn(path + "/activate", name: "activate")), cancelLink, previousLink]
    var result: String?
    switch activation.kind {
    case .sent:
      let resend = authn(path + "/resend", name: activation.factor.factorType)
      links.append(Member("resend", [resend]))
    case .totp(let secret, let scan):
      json["_embedded"] = [
        "activation": [
          "timeStep": .int(Int(TimePasscode.stepSeconds)), "sharedSecret": .string(secret), "encoding": "base32",
          "keyLength": 6, "_links": ["qrcode": qrCode(activation.id, scan, account)],
        ]
      ]
    case .signed(let nonce):
      json["_embedded"] = ["activation": creation(nonce, activation.factor, account)]
    case .push(let push, _) where activation.factor == .duo:
      result = push.result.rawValue
      if push.result == .waiting { links[0] = Member("next", authn(path + "/activate/poll", name: "poll")) }
      json["_embedded"] = ["activation": duo(activation.id, push)]
    case .push(let push, let scan):
      result = push.result.rawValue
      if push.result == .waiting { links[0] = Member("next", authn(path + "/activate/poll", name: "poll")) }
      json["_embedded"] = ["activation": pushActivation(activation.id, push, scan, account)]
    }
    var body = body(transaction, "MFA_ENROLL_ACTIVATE", account, [Member("factor", json)], links: links)
    if let result { body["factorResult"] = .string(result) }
    return body
  }

  /// A code to scan while the org waits for the phone; afterward, the link to a new one.
  private func pushActivation(_ id: String, _ push: PushChallenge, _ scan: String, _ account: Account) -> OrgJSON {
    let path = "/factors/\(id)/lifecycle/activate"
    let send: OrgJSON = [authn(path + "/email", name: "email"), authn(path + "/sms", name: "sms")]
    guard push.result == .waiting else {
      return ["factorResult": "TIMEOUT", "_links": ["activate": authn(path), "send": send]]
    }
    return [
      "expiresAt": .string((push.sent + configuration.challengeLifetime).iso8601), "factorResult": "WAITING",
      "_links": ["qrcode": qrCode(id, scan, account), "send": send],
    ]
  }

  private func qrCode(_ factor: String, _ secret: String, _ account: Account) -> OrgJSON {
    let path = "/api/v1/users/\(account.id)/factors/\(factor)/qr/\(secret)"
    return ["href": .string(baseURL + path), "type": "image/png"]
  }

  /// Factors that have nothing to show before a device has reported in.
  private static func isProfiledLater(_ factor: OrgFactor) -> Bool {
    ["push", "u2f", "webauthn"].contains(factor.factorType)
  }

  /// What Duo's widget needs.
  private func duo(_ id: String, _ push: PushChallenge) -> OrgJSON {
    let script: OrgJSON = ["href": .string(baseURL + "/js/sections/duo/Duo-Web-v2.js"), "type": "text/javascript"]
    return [
      "expiresAt": .string((push.sent + configuration.challengeLifetime).iso8601), "host": "api-0000.duosecurity.com",
      "signature": .string("TX|\(id)|\(push.sent.seconds):APP|\(id)"),
      "factorResult": .string(push.result.rawValue),
      "_links": ["complete": authn("/factors/\(id)/lifecycle/duoCallback"), "script": script],
    ]
  }

  /// What a key signs to sign in.
  private func signing(_ nonce: String, _ factor: OrgFactor) -> OrgJSON {
    if factor == .u2f { return ["nonce": .string(nonce), "timeoutSeconds": 20] }
    return ["challenge": .string(nonce), "userVerification": "preferred", "extensions": [:]]
  }

  /// What a key signs to be set up.
  private func creation(_ nonce: String, _ factor: OrgFactor, _ account: Account) -> OrgJSON {
    if factor == .u2f {
      return ["version": "U2F_V2", "appId": .string(baseURL), "nonce": .string(nonce), "timeoutSeconds": 20]
    }
    let user = account.user
    return [
      "rp": ["name": "Acme"],
      "user": [
        "id": .string(account.id), "name": .string(user.login),
        "displayName": .string("\(user.firstName) \(user.lastName)"),
      ],
      "challenge": .string(nonce),
      "pubKeyCredParams": [["type": "public-key", "alg": -7], ["type": "public-key", "alg": -257]],
      "authenticatorSelection": ["userVerification": "preferred", "requireResidentKey": false],
      "excludeCredentials": [], "attestation": "direct", "u2fParams": ["appid": .string(baseURL)],
    ]
  }
}
