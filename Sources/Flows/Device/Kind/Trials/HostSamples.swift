// Made-up values for the tables of the host side: an enrollment with its related records, and a signed challenge.

import EventStore
import FlowRecording

/// Made-up values for the tables.
enum HostSamples {
  /// The time at which the challenge arrives: one second after it was issued.
  static func time(_ seconds: Int64 = 0, microseconds: Int64 = 0) -> Timestamp {
    Timestamp(microseconds: (1_768_467_642 + seconds) * 1_000_000 + microseconds)
  }

  /// An enrollment with every member set.
  static let enrollment = StoredEnrollment(
    id: "pfd-1", orgID: "00o-1", orgURL: "https://acme.example", userID: "00u-1", userName: "ann@acme.example",
    deviceID: "guo-1", methodID: "opf-1", pendingURL: "https://acme.example/pending/1", proofOfPossessionTag: "pop-1",
    userVerificationTag: "uv-1", bioOrPinTag: "bio-1", transactionTypes: ["LOGIN", "CIBA"], clientID: "client-1",
    serverErrorCode: "E0000152", created: 1_768_467_600, updated: 1_768_467_601.5)

  /// The device record of the enrollment's org.
  static let device = StoredDevice(
    orgID: "00o-1", id: "guo-1", clientInstanceID: "instance-1", clientInstanceTag: "device-1")

  /// The org's response about the authenticator.
  static let policy: JSON = [
    "authenticatorId": "aut-1", "orgId": "00o-1", "key": "custom_app",
    "appAuthenticatorEnrollEndpoint": "https://acme.example/idp/authenticators",
    "settings": ["userVerification": "Preferred"],
    "supportedMethods": [
      ["type": "totp", "status": "ACTIVE"],
      ["type": "push", "status": "ACTIVE", "settings": ["keyProtection": "hardware"]],
    ],
  ]

  /// The org's response about an enrollment.
  static let enrolled: JSON = [
    "id": "pfd-1", "authenticatorId": "aut-1", "user": ["id": "00u-1", "username": "ann@acme.example"],
    "device": ["id": "guo-1", "status": "ACTIVE", "clientInstanceId": "instance-1"],
    "methods": ["push": ["id": "opf-1", "links": ["pending": ["href": "https://acme.example/pending/1"]]]],
  ]

  /// A claimed transaction.
  static func transaction(
    _ stage: StoredTransaction.Stage = .asked, id: String = "ft-1", fingerprint: String = "print-1",
    response: String? = nil, expiry: Double = 100
  ) -> StoredTransaction {
    StoredTransaction(
      id: id, enrollmentID: "pfd-1", fingerprint: fingerprint, stream: "device/1", stage: stage, response: response,
      responseExpiry: response == nil ? nil : 90, expiry: expiry)
  }

  /// The contents of a signed answer, with the names of `response.signed`.
  static func said(_ consent: String) -> JSON {
    [
      "keyType": "userVerification", "kid": "uv-1", "consent": .string(consent), "amr": ["pin"], "jti": "jti-1",
      "iat": 1_768_467_600,
    ]
  }

  /// A signed answer with those contents.
  static func answer(_ consent: String) -> String {
    let context: JSON = ["userConsent": .string(consent)]
    let claims = with(["consent": nil, "kid": nil, "challengeResponseContext": context], in: said(consent))
    return CompactJWS.signingInput(header: ["alg": "ES256", "kid": "uv-1"], claims: claims) + ".AAAA"
  }

  /// Returns an object in which some members are replaced; null removes a member.
  static func with(_ changes: JSON, in json: JSON) -> JSON {
    guard case .object(var object) = json else { return json }
    for change in changes.object?.members ?? [] {
      object[change.key] = change.value == .null ? JSON?.none : change.value
    }
    return .object(object)
  }

  // MARK: A challenge

  /// The header of a challenge.
  static func header(_ algorithm: String = "RS256") -> JSON {
    ["alg": .string(algorithm), "kid": "key-1", "typ": "okta-pushbind+jwt"]
  }

  /// The claims of a valid challenge.
  static let claims: JSON = [
    "iss": "https://acme.example", "aud": "okta.63c081db-1f13-5084-882f-e79e1e5e2da7", "iat": 1_768_467_641,
    "exp": 1_768_467_941, "jti": "jti-1", "orgId": "00o-1", "nonce": "nonce-1", "transactionId": "ft-1",
    "verificationUri": "https://acme.example/idp/authenticators/aut-1/transactions/ft-1/verify",
    "authenticatorEnrollmentId": "pfd-1", "methodEnrollmentId": "opf-1", "userId": "00u-1", "method": "push",
    "userVerification": "PREFERRED", "signals": ["osVersion", "udid", "nothing"],
    "integrations": [["name": "agent"], "other"], "signalProviders": ["agent", "probe"], "appInstanceName": "Shop",
    "challengeContext": [
      "transactionType": "LOGIN", "clientOS": "Linux", "clientLocation": "Berlin", "challengeTextItems": ["7", "42"],
    ],
  ]

  /// An unsigned challenge.
  static func token(_ changes: JSON = [:], header: JSON = [:]) -> String {
    CompactJWS.signingInput(header: with(header, in: Self.header()), claims: with(changes, in: claims)) + ".c2lnbmVk"
  }

  /// A challenge signed with `key`, using an algorithm of `signatures`.
  static func signed(_ algorithm: String = "RS256") -> String {
    CompactJWS.signingInput(header: header(algorithm), claims: claims) + "." + (signatures[algorithm] ?? "")
  }

  /// The org's key. Its private half no longer exists.
  static let key: JSON = [
    "kty": "RSA", "alg": "RS256", "use": "sig", "kid": "key-1", "n": .string(modulus), "e": "AQAB",
  ]

  /// The modulus of the key.
  static let modulus = """
    lfBBZdLrGPzT2MLsvYDK4U-Fq9pYPdG-HTTOV-7CYIt7exaGuAoID8zjUTEW-qA0nIaCbFBzbD0--7i-cNGmol1pxxO3o5ORMCBISP7TbJFP1D\
    xo4IYBnKGEBp_2XRLe86EaZr7vfNuyKz_JmTKkXyqdZU97CFnxULptbwdqxten5kFYdMgpOS6onvTGJBAxkCInI0TnGuf3btTnZRCuQoMQgko1\
    pnXjFjvuYt7X534zea926oyW71B7lYVs8F4c8jqZjsUJ5LFDT_4_yVX42I8BlwjbUe8RhpMxx2hdd3nBWoifooL24vAfFF9_-jGzmxvdbej-ks\
    ZgbTUclWBoUw
    """

  private static let signatures = [
    "RS256": """
    Zw5gvTHeUz2yqiFAAdffWhXAoBh0pDUBDIwJMpxbGomYgKDL8NN1R9eslQBoHUKg5feHnZ2UaybyCmpljj3ZM9nHg4cet9M_EwLB\
    ZtMrv9iI0SACCvGNFE4jm1lW1A1ZRGsVLqEUs1fL--4kYJpYls7VZ_BcoyqswUwQVlDgWuyxCGgaSpcWdHchEwMsBK6uJdPzpIfA\
    NsYCW3-StOtmUVX7aDaV4enUT07ekZTYdogHXaKNMKArABHnXVIficlI4ViCLY2WaNMPkjvkanVIEJtCDT60lAai-smhVUY9hYSd\
    0FfWeDKt6nJ3iy0Cio3aSF5oN7F8V_Ega2g6qJ5rew
    """,
    "RS384": """
    kL84OSrN2fS4dDlM2G-k_y8PIVBn-6WpEcO2VNXnCW3Ef-9egQxL3o-1qfwy2zMjrwBsw8fIuKPiAoNoH9-UYc8tWWpVBsQQtSDR\
    klAN4Bgc5-YNn_bvFkWkbvgJmiZxiMDY0p10nnTkBey_LLD3GjPmsZypVU2KuyvXxAMF2oM_U2TRGLYtEEibOcbxOPdm9VnVEmej\
    Rl4r4zjiI_tGOCJGvcRhenRwF9NawyjIwlUTt-qJb57X71X3hjLEm1Lhb4MZ-ea6G628aIfYdOu83nNvlSGPxqtu6LKihT9QaITl\
    cEpmSYkkE8xNmj7mwm5GqZ9gMC5Qndtk7u-9H0wKTw
    """,
    "RS512": """
    cQUVJptaT6iPm1O4j0hCKGIiKdP8bjpULTfm1iE9z89OfsVFKd-EXEVJQme1yyHYzHQABnpf1nkuZIHJEXlMafEWI1D5mjISFnTd\
    Qb13QU_IIALevfWXnIN3JmQaGqCglF1tCQa7Psa4moRTmyWqd_cwXlt0i1aOGnE-vVYhHAbyaCqV3y6HNqcf7Fy14mzV_ah634t3\
    561HaXDWg_O8w9fFvgj4b-hFa24NDpN2SjSpdzyOGpo2XUELyxXp6bQkQEqQ5gWlm9lv0N4D-KPsWikI9B1eXBcGFezhMDNhp3Xw\
    2DKUa8ETCUEoDBBGlg46qUi4aJvZLdJw9j-RepUI0w
    """,
  ]
}
