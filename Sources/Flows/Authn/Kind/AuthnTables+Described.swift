// What printing shows of the objects of answers, of errors and of the SDK's words: never a secret.

import EventStore
import FlowRecording
import Foundation

extension AuthnKind {
  static var described: Set<String> {
    let objects = TrialAnswers.all.flatMap { name, document in
      (parts(of: document) + factors(of: document)).enumerated().map { "\(name) \($0)|\(Printed.text($1))" }
    }
    let recorded = errors.enumerated().map { "error \($0)|\($1.record.text)" }
    return Set(objects + words + decoded + bodies + recorded)
  }

  private static func parts(of document: JSON) -> [Any?] {
    let model = OktaAPISuccessResponse(json: document)
    let (links, embedded) = (model.links, model.embedded)
    let (user, policy) = (embedded?.user, embedded?.policy)
    let shown: [Any?] = [
      model, links, links?.next, links?.prev, links?.cancel, links?.skip, links?.resend?.links.first, embedded, user,
      user?.profile, user?.recoveryQuestion,
    ]
    let rules: [Any?] = [
      policy, policy?.rememberDevice, policy?.password, policy?.password?.expiration, policy?.password?.complexity,
      policy?.password?.age,
    ]
    return shown + rules
  }

  private static func factors(of document: JSON) -> [Any?] {
    let embedded = OktaAPISuccessResponse(json: document).embedded
    return [embedded?.factor, embedded?.factors?.first].flatMap { factor -> [Any?] in
      let activation = factor?.embedded?.activation
      return [
        factor, factor?.profile, factor?.embedded, factor?.links?.verify, factor?.links?.enroll, activation,
        activation?.links?.qrcode, activation?.links?.send?.first, factor?.embedded?.challenge,
      ]
    }
  }

  /// Words as they are sent and as they are shown.
  private static var words: [String] {
    let statuses = (AuthStatus.known + [.unknown("ODD")]).map { ($0.rawValue, $0.description) }
    let types = (FactorType.known + [.unknown("odd")]).map { ($0.rawValue, $0.description) }
    let providers = (FactorProvider.known + [.unknown("ODD")]).map { ($0.rawValue, $0.description) }
    let results = (OktaAPISuccessResponse.FactorResult.known + [.unknown("ODD")]).map { ($0.rawValue, $0.description) }
    let purposes = (OktaAPISuccessResponse.RecoveryType.known + [.unknown("ODD")]).map { ($0.rawValue, $0.description) }
    return [statuses, types, providers, results, purposes].enumerated().flatMap { number, words in
      words.map { "words \(number)|\($0)|\($1)" }
    }
  }

  /// Errors and questions that an application reads itself.
  private static var decoded: [String] {
    let texts = [
      #"{"errorCode":"E0000047","errorSummary":"Slow down.","errorId":"id-1"}"#,
      #"{"errorCode":"E0000004","errorCauses":[{"errorSummary":"One."},{"errorSummary":"Two."}]}"#,
      #"{"errorCause":[{"errorSummary":"One.","domain":"d","location":"l","locationType":"t","reason":"r"}]}"#, "{}",
    ]
    let errors = texts.map { text in
      let error = try? JSONDecoder().decode(OktaAPIErrorResponse.self, from: Data(text.utf8))
      let causes = (error?.errorCauses ?? []).map { cause in
        [cause.errorSummary, cause.domain, cause.location, cause.locationType, cause.reason].map { $0 ?? "-" }
      }
      let members = [error?.errorCode, error?.errorSummary, error?.errorLink, error?.errorId].map { $0 ?? "-" }
      return "\(text)|\(members)|\(causes)|\(error?.advice?.sentence ?? "-")|\(Printed.text(error))"
    }
    let lists: [JSON] = [
      [], .null, 5, [:], ["a", 5, [:]], [["question": "q", "questionText": "t"], ["question": 5]],
    ]
    let questions = lists.map { list in
      let shown = SecurityQuestion.list(list).map { "\($0.question ?? "-") \($0.questionText ?? "-")" }
      return "questions \(list.text)|\(shown)"
    }
    return errors + questions
  }

  /// The body of a transaction object, which an application may set, and the error of its status.
  private static var bodies: [String] {
    let documents: [JSON] = [[:], ["status": "AWAITING_MOON"], ["status": "SUCCESS", "factorResult": "SUCCESS"]]
    return documents.map { document in
      var model = OktaAPISuccessResponse(json: document)
      func body() -> String { String(decoding: model.rawData ?? Data(), as: UTF8.self) }
      let given = body()
      model.rawData = Data("set".utf8)
      let set = body()
      model.rawData = nil
      let steps = [given, set, body()]
      return "body \(document.text)|\(steps)|\(model.basicStatus == nil)|\(OktaError.unknownStatus(model))"
    }
  }
}
