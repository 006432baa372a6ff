// Transactions of each status, as orgs send them, for the trials of classic sign-ins.

import EventStore
import FlowRecording
import Foundation

/// The answers of the org in trials.
enum TrialAnswers {
  static let base = "https://acme.example"
  static let url = URL(string: base) ?? URL(fileURLWithPath: "/")

  private static func json(_ text: String) -> JSON { (try? JSON(parsing: Array(text.utf8))) ?? .null }

  private static func link(_ relation: String, _ name: String = "") -> String {
    #""\#(relation)":{"href":"\#(base)/api/v1/authn/\#(relation)\#(name.isEmpty ? "" : "-" + name)""#
      + (name.isEmpty ? "" : #","name":"\#(name)""#) + #","hints":{"allow":["POST"]}}"#
  }

  private static let cancel = link("cancel")
  private static let back = link("prev")
  private static let user =
    #""user":{"id":"00u1","passwordChanged":"2025-09-08T20:14:45.000Z","profile":{"login":"ann@acme.example","firstName":"Ann","lastName":"Lee","locale":"en_US","timeZone":"America/Los_Angeles"},"recovery_question":{"question":"Who was your first friend?"}}"#
  private static let policy =
    #""policy":{"expiration":{"passwordExpireDays":5},"complexity":{"minLength":8,"minLowerCase":1,"minUpperCase":2,"minNumber":3,"minSymbol":4,"excludeUsername":true,"excludeAttributes":["firstName"]},"age":{"minAgeMinutes":6,"historyCount":7},"allowRememberDevice":true,"rememberDeviceLifetimeInMinutes":15,"rememberDeviceByDefault":false,"factorsPolicyInfo":{"f-push":{"autoPushEnabled":true}}}"#

  /// A transaction.
  private static func transaction(
    _ status: String, _ members: String = "", embedded: String = "", links: [String] = []
  ) -> JSON {
    json(
      #"{"stateToken":"00state","expiresAt":"2026-01-15T09:05:00.000Z","status":"\#(status)","relayState":"here""#
        + (members.isEmpty ? "" : "," + members)
        + #","_embedded":{\#(user)\#(embedded.isEmpty ? "" : "," + embedded)},"_links":{\#(links.joined(separator: ","))}}"#
    )
  }

  /// All kinds of factors: the word of each, its provider and other members.
  private static let kinds: [(name: String, type: String, provider: String, profile: String)] = [
    ("question", "question", "OKTA", #""question":"disliked_food","questionText":"What do you dislike?""#),
    ("sms", "sms", "OKTA", #""phoneNumber":"+1 XXX-XXX-1337""#),
    ("call", "call", "OKTA", #""phoneNumber":"+1 XXX-XXX-1338","phoneExtension":"12""#),
    (
      "push", "push", "OKTA",
      #""credentialId":"ann","deviceType":"SmartPhone","name":"Phone","platform":"IOS","version":"9""#
    ),
    ("totp", "token:software:totp", "GOOGLE", #""credentialId":"ann""#),
    ("token", "token", "RSA", #""credentialId":"ann-rsa""#),
    ("hardware", "token:hardware", "YUBICO", #""credentialId":"000123""#),
    ("web", "web", "DUO", #""credentialId":"ann-duo""#),
    ("u2f", "u2f", "FIDO", #""credentialId":"key","appId":"https://acme.example","version":"U2F_V2""#),
    ("email", "email", "OKTA", #""email":"a...n@acme.example""#),
    ("odd", "carrier:pigeon", "NOBODY", #""name":"Paul""#),
  ]

  private static func factor(_ place: Int, _ links: String, _ embedded: String = "") -> String {
    let kind = kinds[place]
    return
      #"{"id":"f-\#(kind.name)","factorType":"\#(kind.type)","provider":"\#(kind.provider)","vendorName":"V-\#(kind.name)","#
      + #""status":"NOT_SETUP","enrollment":"OPTIONAL","profile":{\#(kind.profile)},"_links":{\#(links)}"#
      + (embedded.isEmpty ? "" : #","_embedded":{\#(embedded)}"#) + "}"
  }

  private static func list(_ relation: String) -> String {
    let factors = kinds.indices.map { place in
      factor(
        place, link(relation, kinds[place].name) + (kinds[place].name == "question" ? "," + link("questions") : ""))
    }
    return #""factors":[\#(factors.joined(separator: ","))]"#
  }

  private static let activation =
    #""activation":{"timeStep":30,"sharedSecret":"JBTTEZCT2PT3ZLUZ","encoding":"base32","keyLength":16,"factorResult":"WAITING","expiresAt":"2026-01-15T09:10:00.000Z","_links":{"qrcode":{"href":"\#(base)/qr.png","type":"image/png"},"send":[{"name":"email","href":"\#(base)/api/v1/users/u/lifecycle/activate/email","hints":{"allow":["POST"]}},{"name":"sms","href":"\#(base)/api/v1/users/u/lifecycle/activate/sms","hints":{"allow":["POST"]}}]}}"#
  private static let sends =
    #""resend":[{"name":"push","href":"\#(base)/api/v1/authn/factors/f/resend","hints":{"allow":["POST"]}}]"#

  /// One factor of each kind that is set up or selected.
  private static func alone(_ status: String, _ place: Int, next: String? = nil) -> JSON {
    let isPush = kinds[place].name == "push"
    let isEnrolled = status == "MFA_CHALLENGE"
    return transaction(
      status, isPush ? #""factorResult":"WAITING""# : #""factorResult":"CHALLENGE""#,
      embedded: #""factor":"#
        + factor(
          place, link("verify", kinds[place].name),
          isEnrolled ? (isPush ? #""challenge":{"correctAnswer":42}"# : "") : activation) + "," + policy,
      links: [link("next", next ?? (isPush ? "poll" : isEnrolled ? "verify" : "activate")), cancel, back, sends])
  }

  static let required = transaction("MFA_REQUIRED", embedded: list("verify") + "," + policy, links: [cancel])
  static let pushed = alone("MFA_CHALLENGE", 3)
  static let success = json(
    #"{"expiresAt":"2026-01-15T09:05:00.000Z","status":"SUCCESS","sessionToken":"00session","recoveryType":"PASSWORD","relayState":"here","_embedded":{\#(user)}}"#
  )

  /// A push that is set up, and waits.
  static let activating = alone("MFA_ENROLL_ACTIVATE", 3)
  /// The end of a sign-in, with the result of its factor.
  static let verified = json(
    #"{"expiresAt":"2026-01-15T09:05:00.000Z","status":"SUCCESS","sessionToken":"00session","factorResult":"SUCCESS","_embedded":{\#(user)}}"#
  )
  static let questions: JSON = [
    ["question": "food", "questionText": "What do you dislike?"], ["question": "friend"], ["questionText": "Why?"], 5,
  ]

  /// Transactions by name.
  static let all: [(name: String, json: JSON)] =
    [
      ("unauthenticated", transaction("UNAUTHENTICATED", links: [link("next", "authenticate"), cancel])),
      (
        "warning",
        transaction(
          "PASSWORD_WARN", embedded: policy, links: [link("next", "changePassword"), link("skip", "skip"), cancel])
      ),
      ("expired", transaction("PASSWORD_EXPIRED", embedded: policy, links: [link("next", "changePassword"), cancel])),
      (
        "reset",
        transaction(
          "PASSWORD_RESET", #""recoveryType":"PASSWORD""#, embedded: policy,
          links: [link("next", "resetPassword"), cancel])
      ),
      (
        "recovery",
        transaction(
          "RECOVERY", #""recoveryType":"UNLOCK","recoveryToken":"00recovery""#, links: [link("next", "answer"), cancel])
      ),
      (
        "recovery challenge",
        transaction(
          "RECOVERY_CHALLENGE", #""recoveryType":"PASSWORD","factorType":"SMS","factorResult":"CHALLENGE""#,
          links: [link("next", "verify"), cancel, #""resend":{"name":"sms","href":"\#(base)/api/v1/authn/resend"}"#])
      ),
      ("enroll", transaction("MFA_ENROLL", embedded: list("enroll"), links: [link("skip", "skip"), cancel])),
      ("required", required),
      ("locked", transaction("LOCKED_OUT", links: [link("next", "unlock")])),
      // The link shows that the org must be polled, whatever the factor is.
      ("activate by a link", alone("MFA_ENROLL_ACTIVATE", 9, next: "poll")),
      ("success", success), ("odd", transaction("AWAITING_MOON", links: [link("next", "moon"), cancel, back])),
    ]
    + kinds.indices.flatMap { place in
      [
        ("challenge \(kinds[place].name)", alone("MFA_CHALLENGE", place)),
        ("activate \(kinds[place].name)", alone("MFA_ENROLL_ACTIVATE", place)),
      ]
    }

  /// An answer of the org.
  static func answer(_ json: JSON, _ status: Int = 200, _ headers: [HTTPField] = []) -> HTTPResponse {
    HTTPResponse(status: status, headers: [HTTPField("Content-Type", "application/json")] + headers, body: json.bytes)
  }

  /// The transaction without its links and those of its factors.
  static func withoutLinks(_ json: JSON) -> JSON {
    switch json {
    case .object(let object):
      .members(object.members.filter { $0.key != "_links" }.map { ($0.key, withoutLinks($0.value)) })
    case .array(let list): .array(list.map(withoutLinks))
    case .null, .bool, .number, .string: json
    }
  }
}
