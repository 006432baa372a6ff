// What each call decides while another one is in progress, and which of several links and methods it takes.

import EventStore
import FlowRecording

extension AuthnKind {
  static var decided: Set<String> { Set(crossing + choosing) }

  private typealias Driven = DrivenCore<AuthnCore>

  /// A flow that has signed in as far as a page.
  static func driven(_ page: JSON, isAsked: Bool = false) -> DrivenCore<AuthnCore> {
    let settings: JSON = [
      "org": .string(TrialAnswers.base), "pollMilliseconds": 2000, "handler": .bool(isAsked),
    ]
    var flow = Driven(settings) { $0 == .userAgent ? .success("agent") : .success(7) }
    flow.call(.authenticate, ["username": "ann", "password": "Correct-Horse-7"])
    flow.answer(page)
    flow.decide("status")
    flow.hold()
    return flow
  }

  /// The arguments of any call.
  static let whole: JSON = [
    "username": "ann", "password": "Correct-Horse-7", "factor": 0, "passCode": "123456", "answer": "Tofu",
    "oldPassword": "Correct-Horse-7", "newPassword": "Correct-Horse-8", "phoneNumber": "+1 555 0100",
    "channel": "sms", "link": "https://acme.example/api/v1/authn/own", "allow": ["GET", "post"], "payload": ["a": 1],
    "recoveryToken": "00recovery", "sigResponse": "signed", "factorType": "sms", "relayState": "there",
  ]
  private static let short: JSON = ["factor": 0, "channel": "sms", "link": "https://acme.example/send", "payload": [:]]

  /// Each call while another one is in progress, polls, or waits for the application's handler.
  private static var crossing: [String] {
    let document = page("MFA_CHALLENGE") { link($0) }
    let busy: [AuthnCall] = [
      .selectFactor, .verifyFactor, .cancel, .returnToPreviousStatus, .resendFactor, .sendRequest, .authenticate,
      .downloadSecurityQuestions, .sendActivationLink, .completeFactor, .checkFactorResult,
    ]
    var states = busy.map { call in
      var flow = driven(document)
      flow.call(call, whole)
      return (name: "during \(call.rawValue)", flow: flow)
    }
    var polling = driven(document)
    polling.call(.verifyFactor, short)
    states.append(("during a poll", polling))
    polling.answer(document)
    states.append(("between polls", polling))
    polling.call(.downloadSecurityQuestions, short)
    states.append(("during a list between polls", polling))
    for call in [AuthnCall.verifyFactor, .selectFactor] {
      var asked = driven(document, isAsked: true)
      asked.call(call, whole)
      asked.answer(document)
      states.append(("while asked about \(call.rawValue)", asked))
      asked.decide("wait")
      states.append(("after being asked about \(call.rawValue)", asked))
    }
    return states.flatMap { name, flow in
      AuthnCall.allCases.map { call in
        var flow = flow
        let steps = [flow.call(call, whole), flow.answer(document), flow.fire(), StableHash.text(flow.core.json.text)]
        return "\(name), \(call.rawValue)|\(steps.joined(separator: " ; "))"
      }
    }
  }

  // MARK: Several links

  static func link(
    _ path: String, _ name: String? = nil, allow: JSON? = ["POST"], at origin: String = TrialAnswers.base
  ) -> JSON {
    .members([
      ("href", .string("\(origin)/\(path)")), ("name", name.map(JSON.string)),
      ("hints", allow.map { .members([("allow", $0)]) }),
    ])
  }

  /// A page with links of every relation.
  static func page(_ status: String, _ link: (String) -> JSON) -> JSON {
    func links(_ names: [String]) -> JSON { .members(names.map { ($0, link($0)) }) }
    let sends = ["email", "sms", "sms"].enumerated().map { Self.link("send-\($0)", $1) }
    let activating: JSON = .members([
      ("send", .array(sends)), ("complete", link("complete")), ("qrcode", link("qrcode")),
    ])
    let activation: JSON = ["activation": ["_links": activating]]
    let factor: JSON = .members([
      ("id", "f-1"), ("factorType", "push"), ("provider", "OKTA"),
      ("_links", links(["verify", "enroll", "questions"])), ("_embedded", activation),
    ])
    let other: JSON = .members([
      ("id", "f-2"), ("factorType", "sms"), ("provider", "GOOGLE"), ("_links", links(["verify"])),
    ])
    let embedded: JSON = ["factors": [factor, other]]
    let relations = links([
      "next", "prev", "cancel", "skip", "resend", "verify", "enroll", "questions", "activate", "send", "qrcode",
    ])
    return .members([
      ("stateToken", "00state"), ("expiresAt", "2026-01-15T09:05:00.000Z"), ("status", .string(status)),
      ("factorResult", "WAITING"), ("_embedded", embedded), ("_links", relations),
    ])
  }

  /// Pages whose links are several, or have several methods, by name.
  private static var forms: [(name: String, link: (String) -> JSON)] {
    [
      ("one", { link($0) }),
      ("several", { [link($0, "first"), link($0 + "-other", "push")] }),
      ("first for a browser", { [link($0, allow: ["GET"]), link($0 + "-other")] }),
      ("second for a browser", { [link($0), link($0 + "-other", allow: ["GET"])] }),
      ("first without an address", { [["name": "none"], link($0, "second")] }),
      ("two methods", { link($0, allow: ["GET", "post"]) }),
      ("two methods, other order", { link($0, allow: ["POST", "GET"]) }),
      ("one word", { link($0, allow: "post") }), ("another word", { link($0, allow: "GET") }),
      ("other methods", { link($0, allow: ["GET", "PUT"]) }), ("no methods", { link($0, allow: []) }),
      ("elsewhere", { link($0, at: "https://b.example") }),
      ("on another port", { link($0, at: "https://acme.example:8443") }),
      ("in clear text", { link($0, at: "http://acme.example") }), ("relative", { link($0, at: "") }),
      ("odd methods", { link($0, allow: [5, "POST"]) }), ("no hints", { link($0, allow: nil) }),
    ]
  }

  /// Each call on such a page, how it is polled, and what a reader sees.
  private static var choosing: [String] {
    forms.flatMap { name, link -> [String] in
      let document = page("MFA_CHALLENGE", link)
      let resting = driven(document)
      let calls = AuthnCall.allCases.map { call in
        var flow = resting
        return "\(name), \(call.rawValue)|\(flow.call(call, whole))"
      }
      let activating = [AuthnCall.activateFactor, .checkFactorResult].map { call in
        var flow = driven(page("MFA_ENROLL_ACTIVATE", link))
        return "\(name), activating, \(call.rawValue)|\(flow.call(call, whole))"
      }
      var recovering = driven(page("RECOVERY", link))
      let recovery = recovering.call(.recoverWithToken, whole)
      var polling = resting
      let polls = [
        polling.call(.verifyFactor, short), polling.answer(document), polling.fire(), polling.answer(document),
      ]
      let rest = ["\(name), recovering|\(recovery)", "\(name), polls|\(polls)", "\(name), read|\(text(of: document))"]
      return calls + activating + rest
    }
  }
}

extension DrivenCore<AuthnCore> {
  @discardableResult
  mutating func call(_ call: AuthnCall, _ arguments: JSON) -> String { self.call(call.rawValue, arguments) }

  /// Answers as the application's handler.
  @discardableResult
  fileprivate mutating func decide(_ outcome: String) -> String { decide(.success(["outcome": .string(outcome)])) }
}
