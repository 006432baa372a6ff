// Orgs that quote what was typed, and that answer with values of other types than their places have.

import Authn
import EventStore
import FlowRecording
import SimulatedOrg

extension Scenario {
  static let quotes: [Scenario] = [passwordsQuoted, otherTypes]

  private static func refusal(_ body: JSONObject) -> ChangedAnswers.Change {
    .answer(
      HTTPResponse(
        status: 401, headers: [HTTPField("Content-Type", "application/json")], body: JSON.object(body).bytes))
  }

  /// Passwords are typed wrong, and the org's errors quote them: in texts for people, in members that nothing declares, in
  /// links, and in the answer after them.
  public static let passwordsQuoted = Scenario("passwords-quoted", OrgConfiguration(users: [user()])) { stage in
    let quoted = QuotedSecrets.passwords
    let stage = changing(stage) { request, count in
      guard count < quoted.count else { return .none }
      let secret = quoted[count]
      let texts = QuotedSecrets.texts(quoting: secret)
      return refusal(
        JSONObject([
          .init(key: "errorCode", value: "E0000004"), .init(key: "errorSummary", value: texts[0]),
          .init(key: "errorLink", value: .string("E0000004-\(secret)")), .init(key: "errorId", value: "oae-quotes"),
          .init(key: "errorCauses", value: .array(texts.map { ["errorSummary": $0] })),
          .init(key: "debug", value: ["typed": .string(secret)]),
          .init(key: secret, value: "the name is the secret"),
        ]))
    }
    for password in quoted {
      let flow = stage.begin()
      _ = try await failure { () async throws(OktaError) in
        try await flow.authenticate(username: login, password: password)
      }
    }
    return try await stage.begin().authenticate(username: login, password: password)
  }

  /// Every value of an answer has another type than its place, and is a secret for that.
  public static let otherTypes = Scenario("other-types", OrgConfiguration(users: [user([sms])])) { stage in
    let stage = changing(stage) { request, count in
      switch count {
      case 0:
        return refusal(
          JSONObject([
            .init(key: "errorCode", value: 4), .init(key: "errorSummary", value: 4711),
            .init(key: "errorLink", value: true),
            .init(key: "errorId", value: ["a b": "c d"]), .init(key: "errorCauses", value: "none at all"),
          ]))
      case 1:
        return .edit { response in
          response.edit { answer in
            answer["expiresAt"] = 1_768_468_260
            answer["relayState"] = true
            answer["factorResult"] = 17
            answer["recoveryType"] = "two words"
          }
          response.editLinks { links in links["prev"] = "no link" }
        }
      default: return .none
      }
    }
    _ = try await failure { () async throws(OktaError) in
      try await stage.begin().authenticate(username: login, password: password)
    }
    return try await stage.begin().authenticate(username: login, password: password)
  }
}
