// How Swift's coders convert the models, and which payloads a request of the application may have.

import EventStore
import FlowRecording
import Foundation

extension AuthnKind {
  static var payloads: Set<String> {
    let values: [(String, Any)] = [
      ("text", "a"), ("empty", ""), ("flag", true), ("number", 7), ("negative", Int8(-3)), ("wide", UInt64.max),
      ("fraction", 2.5), ("whole", 2.0), ("float", Float(0.5)), ("endless", Double.infinity), ("none", Double.nan),
      ("null", NSNull()), ("json", JSON.array([1, .null])), ("list", ["a", 1, true] as [Any]),
      ("object", ["b": 1, "a": ["c": "d"]] as [String: Any]), ("date", Date(timeIntervalSince1970: 0)),
      ("listed date", ["a", Date(timeIntervalSince1970: 0)] as [Any]),
      ("inner date", ["a": ["b": Date(timeIntervalSince1970: 0)]] as [String: Any]), ("bytes", Data([1])),
    ]
    let links = [
      #"{"href":"https://acme.example/api/v1/authn/x"}"#,
      #"{"href":"https://acme.example/x","hints":{"allow":["GET","POST"]}}"#,
      #"{"href":"https://acme.example/x","name":"n"}"#,
    ].compactMap { (try? JSON(parsing: Array($0.utf8))).flatMap(LinksResponse.Link.init(json:)) }
    return Set(
      values.map { "\($0)|\(PayloadArguments.json($1)?.text ?? "no form")" }
        + links.flatMap { link in
          [["stateToken": "t", "a": 1], ["stateToken": 5], [:]].map { (payload: [String: Any]) in
            PayloadArguments.arguments(link, payload).map { "\($0) \($1?.text ?? "-")" }.joined(separator: "|")
          }
        })
  }

  /// Documents with values of each type, including those of a model, decoded and encoded again.
  static var coded: Set<String> {
    let transaction =
      #"{"status":"MFA_CHALLENGE","stateToken":"t","expiresAt":"2026-01-15T09:05:00.250Z","null":null,"n":1,"f":1.5,"big":1e300,"#
      + #""flag":false,"list":[null,1,"a",{"b":null}],"factorResult":"WAITING","recoveryType":"PASSWORD","factorType":"SMS","#
      + #""_links":{"resend":[{"name":"sms","href":"https://a.example/s"},{"href":"https://a.example/c","hints":{"allow":["POST"]}}],"#
      + #""next":{"href":"https://a.example/n","name":"verify"}},"_embedded":{"user":{"id":"u","profile":{"login":"ann"}}}}"#
    let error =
      #"{"errorCode":"E0000047","errorSummary":"s","errorLink":"l","errorId":"i","errorCauses":[{"errorSummary":"c","reason":null}]}"#
    let factor =
      #"{"id":"f","factorType":"push","_embedded":{"challenge":{"correctAnswer":42},"activation":{"timeStep":30,"keyLength":"6","#
      + #""other":1.5,"flag":true,"expiresAt":"2026-01-15T09:05:00.000Z"}}}"#
    return Set(
      [transaction, error, factor, "[]", "{}", "7", #"{"href":"https://a.example"}"#].flatMap { text in
        let data = Data(text.utf8)
        return [
          "\(text)|transaction|\(again(data, OktaAPISuccessResponse.self) { "\($0.status?.rawValue ?? "-")" })",
          "\(text)|error|"
            + again(data, OktaAPIErrorResponse.self) {
              "\($0.httpStatus) \($0.retryAfterSeconds ?? -1) \($0.description) \($0.errorCauses?.count ?? -1)"
            },
          "\(text)|link|\(again(data, LinksResponse.Link.self) { "\($0.allow)" })",
          "\(text)|resend|\(again(data, ResendLink.self) { "\($0.links.count)" })",
          "\(text)|question|\(again(data, SecurityQuestion.self) { $0.question ?? "-" })",
          "\(text)|factor|\(again(data, EmbeddedResponse.Factor.self, numbers))",
        ]
      }
        + ["\"MFA_CHALLENGE\"", "\"ODD\"", "\"sms\"", "\"SMS\"", "\"OKTA\"", "\"WAITING\"", "5", "null"].flatMap {
          text in
          let data = Data(text.utf8)
          return [
            "\(text)|status|\(again(data, AuthStatus.self) { $0.description })",
            "\(text)|factor|\(again(data, FactorType.self) { $0.description })",
            "\(text)|provider|\(again(data, FactorProvider.self) { $0.rawValue })",
            "\(text)|result|\(again(data, OktaAPISuccessResponse.FactorResult.self) { $0.rawValue })",
            "\(text)|recovery|\(again(data, OktaAPISuccessResponse.RecoveryType.self) { $0.rawValue })",
          ]
        })
  }

  private static func numbers(_ factor: EmbeddedResponse.Factor) -> String {
    let activation = factor.embedded?.activation
    return
      "\(activation?.timeStep ?? -1) \(activation?.keyLength ?? -1) \(factor.embedded?.challenge?.correctAnswer ?? -1)"
  }

  private static func again<Value: Codable>(
    _ data: Data, _ type: Value.Type, _ shown: (Value) -> String
  ) -> String {
    guard let value = try? JSONDecoder().decode(type, from: data) else { return "none" }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return shown(value) + " " + ((try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "none")
  }
}
