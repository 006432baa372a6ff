// An org that says all that the classic API has words for, page by page: factors, rules, results, errors.

import Authn
import EventStore
import FlowRecording
import Foundation
import SimulatedOrg

extension Scenario {
  static let pages: [Scenario] = [
    showing("page-of-factors", factorPages), showing("page-of-activations", activationPages),
    showing("page-of-results", resultPages), showing("page-of-rules", rulePages),
    showing("page-of-recoveries", recoveryPages), showing("page-of-successes", successPages),
    showing("page-of-errors", errorPages), showing("page-of-incomplete-answers", incompletePages),
    showing("page-varied-factors") { varied(factorPages() + activationPages(), 64, "factors") },
    showing("page-varied-results") { varied(resultPages() + recoveryPages() + successPages(), 64, "results") },
    showing("page-varied-rules") { varied(rulePages(), 48, "rules") },
  ]

  /// What the org answers: an HTTP status and a body.
  typealias Page = (status: Int, body: String)

  /// Asks for the status of a transaction again and again, each time of another one.
  static func showing(_ name: String, _ pages: @escaping @Sendable () -> [Page]) -> Scenario {
    Scenario(name, OrgConfiguration(users: [user()])) { stage in
      let pages = pages()
      let shown = Locked(0)
      let stage = changing(stage) { _, _ in
        let number = shown.withLock { shown in
          defer { shown += 1 }
          return shown
        }
        let page = pages[min(number, pages.count - 1)]
        return .answer(
          HTTPResponse(
            status: page.status,
            headers: [
              HTTPField("Content-Type", "application/json"), HTTPField("Date", "Thu, 15 Jan 2026 09:00:07 GMT"),
              HTTPField("X-Okta-Request-Id", "req-of-page-\(number)"),
            ], body: Array(page.body.utf8)))
      }
      guard let org = URL(string: Stage.orgURL) else { return nil }
      for number in pages.indices {
        do throws(OktaError) {
          let status = try await OktaAuthSdk.fetchStatus(
            with: "token-of-page-\(number)", using: org, environment: stage.environment)
          if status.canCancel() { try await status.cancel() }
        } catch {
          // An error is what such a page is about.
          continue
        }
      }
      return nil
    }
  }

  /// So many pages that differ from some in a few places each.
  private static func varied(_ pages: [Page], _ count: Int, _ name: String) -> [Page] {
    VariedPages.of(pages.map(\.body), count, named: name).map { (200, $0) }
  }

  /// A transaction in a status, with more members.
  static func transaction(_ status: String, _ more: String = "", embedded: String = "", links: String = "")
    -> Page
  {
    let user = """
      "user":{"id":"00ub0oNGTSWTBKOLGLNR","passwordChanged":"2025-12-01T08:00:00.000Z",\
      "profile":{"login":"ann@acme.example","firstName":"Ann","lastName":"Archer","locale":"en_US",\
      "timeZone":"America/Los_Angeles"}}
      """
    return (
      200,
      """
      {"status":"\(status)","stateToken":"state-of-\(status.lowercased())","expiresAt":"2026-01-15T10:15:30.250Z"\
      \(more.isEmpty ? "" : "," + more),"_embedded":{\(user)\(embedded.isEmpty ? "" : "," + embedded)},\
      "_links":{"prev":\(link("previous"))\(links.isEmpty ? "" : "," + links)}}
      """
    )
  }

  static func link(_ path: String, name: String? = nil) -> String {
    let name = name.map { "\"name\":\"\($0)\"," } ?? ""
    return "{\(name)\"href\":\"\(Stage.orgURL)/api/v1/authn/\(path)\",\"hints\":{\"allow\":[\"POST\"]}}"
  }

  static let kinds = [
    ("question", "OKTA"), ("sms", "OKTA"), ("call", "OKTA"), ("push", "OKTA"), ("token:software:totp", "GOOGLE"),
    ("token", "RSA"), ("token", "SYMANTEC"), ("token:hardware", "YUBICO"), ("web", "DUO"), ("u2f", "FIDO"),
    ("email", "OKTA"), ("claims_provider", "GENERIC_SAML"),
  ]

  /// Each member of a profile says something else.
  static func factor(_ number: Int, _ kind: (String, String), links: String, more: String = "") -> String {
    """
    {"id":"fac\(number)GFCbsLPOVAWHMDZ","factorType":"\(kind.0)","provider":"\(kind.1)","vendorName":"Vendor \(number)",\
    "status":"\(number % 2 == 0 ? "NOT_SETUP" : "ACTIVE")","enrollment":"\(number % 3 == 0 ? "REQUIRED" : "OPTIONAL")",\
    "profile":{"name":"Name \(number)","phoneNumber":"+1 XXX-XXX-13\(number)","phoneExtension":"77\(number)",\
    "question":"disliked_food","questionText":"What is the food number \(number)?","credentialId":"ann\(number)@acme",\
    "email":"a\(number)...e@acme.example","deviceType":"SmartPhone_IPhone","platform":"IOS","version":"9.\(number)"},\
    "_links":{\(links)}\(more.isEmpty ? "" : "," + more)}
    """
  }

  @Sendable private static func factorPages() -> [Page] {
    func all(_ links: String) -> String {
      "\"factors\":[" + kinds.enumerated().map { factor($0.offset, $0.element, links: links) }.joined(separator: ",")
        + "]"
    }
    let enroll = "\"enroll\":\(link("factors")),\"questions\":\(link("questions"))"
    return [
      transaction("MFA_ENROLL", embedded: all(enroll), links: "\"skip\":\(link("skip"))"),
      transaction("MFA_ENROLL", embedded: all("\"activate\":\(link("activate"))")),
      transaction("MFA_REQUIRED", embedded: all("\"verify\":\(link("verify", name: "verify"))")),
      transaction(
        "MFA_REQUIRED",
        embedded: all("\"verify\":\(link("verify"))") + """
          ,"policy":{"allowRememberDevice":"TRUE","rememberDeviceByDefault":"False",\
          "rememberDeviceLifetimeInMinutes":"90","factorsPolicyInfo":{"ost2bDLUOVJWXjMzy1d8":{"autoPushEnabled":true}}}
          """),
    ]
  }

  @Sendable private static func activationPages() -> [Page] {
    kinds.enumerated().map { number, kind in
      let activation = """
        "_embedded":{"activation":{"expiresAt":"2026-01-15T09:1\(number % 10):00.750Z","factorResult":"WAITING",\
        "timeStep":30,"sharedSecret":"secret-of-activation-\(number)","encoding":"base32","keyLength":16,\
        "_links":{"send":[{"name":"email","href":"\(Stage.orgURL)/send/email/\(number)"},\
        {"name":"sms","href":"\(Stage.orgURL)/send/sms/\(number)"}],\
        "qrcode":{"href":"\(Stage.orgURL)/qr/\(number)","type":"image/png"}}}}
        """
      return transaction(
        "MFA_ENROLL_ACTIVATE", "\"factorResult\":\"WAITING\"",
        embedded: "\"factor\":" + factor(number, kind, links: "\"questions\":\(link("questions"))", more: activation),
        links: "\"next\":\(link("activate", name: "activate")),\"resend\":\(link("resend", name: kind.0))")
    }
  }

  @Sendable private static func resultPages() -> [Page] {
    let results = [
      "WAITING", "SUCCESS", "ACTIVE", "PENDING_ACTIVATION", "CANCELLED", "REJECTED", "TIMEOUT", "TIME_WINDOW_EXCEEDED",
      "PASSCODE_REPLAYED", "ERROR", "SOMETHING_NEW",
    ]
    return results.enumerated().map { number, result in
      let kind = kinds[number % kinds.count]
      let resend = "[\(link("resend/call", name: "call")),\(link("resend/sms", name: "sms"))]"
      return transaction(
        "MFA_CHALLENGE", "\"factorResult\":\"\(result)\",\"factorResultMessage\":\"The result is \(result).\"",
        embedded: "\"factor\":" + factor(number, kind, links: "\"verify\":\(link("verify"))"),
        links: number % 2 == 0
          ? "\"next\":\(link("verify", name: number % 4 == 0 ? "poll" : "verify")),\"resend\":\(resend)"
          : "\"next\":\(link("verify", name: "verify"))")
    }
  }

  @Sendable private static func rulePages() -> [Page] {
    let policy = """
      "policy":{"expiration":{"passwordExpireDays":5},"complexity":{"minLength":8,"minLowerCase":1,"minUpperCase":2,\
      "minNumber":3,"minSymbol":4,"excludeUsername":"TRUE","excludeAttributes":["firstName","lastName"]},\
      "age":{"minAgeMinutes":7,"historyCount":6}}
      """
    let next = "\"next\":\(link("credentials/change_password", name: "changePassword"))"
    return [
      transaction("PASSWORD_WARN", embedded: policy, links: next + ",\"skip\":\(link("skip"))"),
      transaction("PASSWORD_WARN", embedded: policy, links: "\"skip\":\(link("skip"))"),
      transaction("PASSWORD_EXPIRED", embedded: policy, links: next),
      transaction("PASSWORD_EXPIRED", embedded: policy),
      transaction("PASSWORD_RESET", "\"recoveryType\":\"PASSWORD\"", embedded: policy, links: next),
      transaction("PASSWORD_RESET", "\"recoveryType\":\"ACCOUNT_ACTIVATION\"", embedded: policy),
    ]
      // One rule alone.
      + [
        #""expiration":{"passwordExpireDays":9}"#, #""complexity":{"minLength":10}"#, #""age":{"historyCount":4}"#,
        #""age":null,"complexity":{}"#, #""rememberDeviceLifetimeInMinutes":15"#,
      ].map { transaction("PASSWORD_EXPIRED", embedded: "\"policy\":{\($0)}", links: next) }
  }

  @Sendable private static func recoveryPages() -> [Page] {
    let recovering = """
      {"status":"RECOVERY","recoveryToken":"token-of-recovery","recoveryType":"UNLOCK","relayState":"/myapp",\
      "_embedded":{"user":{"id":"00u","profile":{"login":"ann@acme.example"},\
      "recovery_question":{"question":"Who was the first?"}}},"_links":{"next":\(link("recovery/token", name: "recovery"))}}
      """
    return ["PASSWORD", "UNLOCK", "ACCOUNT_ACTIVATION"].flatMap { type in
      ["SMS", "EMAIL", "CALL", "sms", "email", "call"].map { kind in
        transaction(
          "RECOVERY_CHALLENGE", "\"recoveryType\":\"\(type)\",\"factorType\":\"\(kind)\"",
          links: kind == kind.lowercased()
            ? "\"next\":\(link("recovery/factors/\(kind)/verify", name: "verify"))"
            : "\"resend\":[\(link("resend/call", name: "call")),\(link("resend/sms", name: "sms"))]")
      }
    } + [
      (200, recovering), transaction("RECOVERY", "\"recoveryType\":\"PASSWORD\""),
      transaction("LOCKED_OUT", links: "\"next\":\(link("recovery/unlock", name: "unlock"))"),
      (200, #"{"status":"LOCKED_OUT"}"#),
    ]
  }

  @Sendable private static func successPages() -> [Page] {
    ["SAML2.0", "SAML1.1", "WS-FED", "OAUTH2.0"].enumerated().map { number, name in
      let target = """
        "target":{"type":"APP","name":"name-\(number)","label":"Label \(number)","clientId":"client-\(number)",\
        "_links":{"logo":\(link("logo"))}},\
        "authentication":{"protocol":"\(name)","issuer":{"id":"issuer-\(number)","name":"Issuer \(number)",\
        "uri":"https://issuer-\(number).example"}}
        """
      return transaction(
        "SUCCESS",
        "\"sessionToken\":\"session-of-\(number)\",\"relayState\":\"/app/\(number)\",\"type\":\"SESSION_STEP_UP\"",
        embedded: target)
    }
  }

  @Sendable private static func errorPages() -> [Page] {
    let codes = [
      "E0000014", "E0000068", "E0000080", "E0000082", "E0000083", "E0000087", "E0000047", "E0000109", "E0000118",
      "E0000133", "E0000204", "E0000205", "E0000011", "E0000069", "E0000105", "E0000110", "E0000015", "E0000018",
      "E0000019", "E0000021", "E0000022", "E0000122", "E0000009", "E0000010", "E0000067", "E0000138", "E0000139",
      "E0000004",
    ]
    let errors: [Page] = codes.enumerated().map { number, code in
      let causes = """
        "errorCauses":[{"errorSummary":"Cause \(number)","domain":"domain-\(number)","location":"location-\(number)",\
        "locationType":"body","reason":"reason-\(number)"}]
        """
      return (
        [400, 401, 403, 404, 429, 500, 503][number % 7],
        """
        {"errorCode":"\(code)","errorSummary":"Summary \(number)","errorLink":"\(code)","errorId":"oae\(number)Id",\
        \(number % 4 == 3 ? "\"errorCauses\":[]" : causes)}
        """
      )
    }
    return errors + [
      (200, ""), (204, ""), (502, ""), (200, "[1,2]"), (400, "\"no\""), (200, "<html>"), (503, "<html>trouble"),
      (200, "{}"),
      (200, #"{"errorCode":"E0000004","errorSummary":"Authentication failed"}"#), (500, "{}"),
      (403, #"{"errorSummary":"No code","errorCauses":[{"errorSummary":"One"},{"errorSummary":"Two"}]}"#),
    ]
  }

  /// Statuses that lack what they need, and statuses that the SDK does not model.
  @Sendable private static func incompletePages() -> [Page] {
    let statuses = [
      "PASSWORD_WARN", "PASSWORD_EXPIRED", "PASSWORD_RESET", "RECOVERY", "MFA_ENROLL", "MFA_REQUIRED", "MFA_CHALLENGE",
      "MFA_ENROLL_ACTIVATE", "SUCCESS", "UNAUTHENTICATED", "RECOVERY_CHALLENGE", "LOCKED_OUT",
    ]
    let bare: [Page] = statuses.map { (200, #"{"status":"\#($0)"}"#) }
    let lacking: [Page] = statuses.map { transaction($0, links: "\"cancel\":\(link("cancel"))") }
    let empty: [Page] = statuses.map { transaction($0, embedded: "\"factors\":[]") }
    let other = ["FACTOR_ENROLL", "FACTOR_CHALLENGE", "CONSENT_REQUIRED", "DEVICE_ACTIVATE", "PROFILE_REQUIRED"]
    return bare + lacking + empty + other.map { transaction($0, links: "\"next\":\(link("next"))") }
  }
}
