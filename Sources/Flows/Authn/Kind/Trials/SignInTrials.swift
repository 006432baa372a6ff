// What statuses and factors do in whole sign-ins, with canned answers, for the tables of the kind: what an application
// sees of each status, what each call sends and returns, with and without the links that it needs, and with each answer
// corrupted in turn.

import EventStore
import FlowRecording
import Foundation

/// Sign-ins of an application.
enum SignInTrials {
  static var all: Set<String> {
    let begun = begun(.success(TrialAnswers.answer(TrialAnswers.success)))
    let usual: [String] =
      called + changed + begun + spoiled + crossed + handled + told + shared + letGo + described + delivered
    return Set(usual + referenced + made + released + models)
  }

  static func start(
    _ stage: FlowStage, _ handler: OktaAuthStatusResponseHandler = OktaAuthStatusResponseHandler()
  ) -> OktaAuthStatusUnauthenticated {
    OktaAuthStatusUnauthenticated(
      oktaDomain: TrialAnswers.url, responseHandler: handler, environment: stage.environment)
  }

  /// The status of the first answer.
  static func first(
    _ stage: FlowStage, _ handler: OktaAuthStatusResponseHandler = OktaAuthStatusResponseHandler()
  ) async -> OktaAuthStatus? {
    do throws(OktaError) {
      return try await start(stage, handler).authenticate(username: "ann", password: "Correct-Horse-7")
    } catch {
      TrialEar(stage: stage).failed(error)
      return nil
    }
  }

  static func answers(_ documents: JSON...) -> [Result<HTTPResponse, TransportError>] {
    documents.map { .success(TrialAnswers.answer($0)) }
  }

  /// The description of the options, with each of them set and with all.
  private static var described: [String] {
    let settings: [@Sendable (inout OktaAuthenticationOptions) -> Void] = [
      { $0.multiOptionalFactorEnroll = false }, { $0.warnBeforePasswordExpired = false }, { $0.relayState = "relay-1" },
      { $0.audience = "audience-1" }, { $0.activationToken = "token-1" }, { $0.deviceToken = "device-1" },
      { $0.deviceToken = "not one" }, { $0.deviceFingerprint = "print-1" }, { $0.apiToken = "api-1" },
      { $0.forwardedFor = "192.0.2.7" }, { $0.acceptLanguage = "de" },
    ]
    return ([settings] + settings.map { [$0] }).enumerated().map { number, set in
      var options = OktaAuthenticationOptions()
      for set in set { set(&options) }
      return "options \(number) | \(Printed.text(options))"
    }
  }

  // MARK: Each call

  /// Each status as an application sees it, and each call on it, with and without its links.
  private static var called: [String] {
    TrialAnswers.all.flatMap { name, document in
      let seen = FlowStage(answers(document)).seen
      return [("whole", document), ("no links", TrialAnswers.withoutLinks(document))].flatMap { form, document in
        lines("\(name), \(form)", document, answers(TrialAnswers.success)) { _ in true }
      } + ["\(name) | \(seen)"]
    }
  }

  /// Each status as an application sees it, with one value of its answer changed in one way.
  private static var changed: [String] {
    TrialAnswers.all.flatMap { name, document in
      ChangedJSON.digestsInTurn(of: document) { FlowStage(answers($0)).seen }.map {
        "\(name) \($0.place) | \($0.digest)"
      }
    }
  }

  /// The calls with which a sign-in begins, each with this answer.
  static func begun(_ answer: Result<HTTPResponse, TransportError>, _ ending: String = "") -> [String] {
    let count = TrialCall.begins(start(FlowStage([]))).count
    return (0..<count).map { number in
      let stage = FlowStage([answer])
      let heard = stage.run { await TrialCall.begins(start(stage))[number].make(TrialEar(stage: stage)) }
      return "begin \(number)\(ending) | \(heard)"
    }
  }

  // MARK: Spoiled answers

  /// A sign-in by password and push with one answer corrupted: a line for each place and each way.
  private static var spoiled: [String] {
    let given = answers(TrialAnswers.required, TrialAnswers.pushed, TrialAnswers.pushed, TrialAnswers.success)
    return given.indices.flatMap { place in
      faults.map { name, fault in
        var answers = given
        answers.replaceSubrange(place..<(name.hasPrefix("limited") ? place : place + 1), with: [fault])
        let stage = FlowStage(answers)
        return "\(place) \(name) | " + stage.run { await signIn(stage) }
      }
    }
  }

  static func signIn(_ stage: FlowStage) async {
    let ear = TrialEar(stage: stage)
    guard let required = await first(stage) else { return }
    ear.changed(required)
    do throws(OktaError) {
      guard let push = required.factors.first(where: { $0.type == .push }) as? OktaFactorPush else { return }
      let challenge = try await push.select()
      ear.changed(challenge)
      guard let status = challenge as? OktaAuthStatusFactorChallenge else { return }
      ear.changed(
        try await status.verifyFactor(
          passCode: nil, answerToSecurityQuestion: nil, onFactorStatusUpdate: ear.updated, onWaitingStatus: ear.waiting)
      )
    } catch { ear.failed(error) }
  }

  static var faults: [(String, Result<HTTPResponse, TransportError>)] {
    func error(_ code: String, _ causes: JSON = []) -> JSON {
      ["errorCode": .string(code), "errorSummary": "No.", "errorId": "id-1", "errorCauses": causes]
    }
    func ended(_ result: String) -> JSON {
      var object = TrialAnswers.pushed.object?.members.map { ($0.key, $0.value) } ?? []
      object = object.map { $0.0 == "factorResult" ? ($0.0, .string(result)) : $0 }
      return .members(object)
    }
    func elsewhere(_ origin: String) -> JSON {
      let text = TrialAnswers.pushed.text.replacing(TrialAnswers.base, with: origin)
      return (try? JSON(parsing: Array(text.utf8))) ?? .null
    }
    let answer = TrialAnswers.answer
    return [
      ("elsewhere", .success(answer(elsewhere("https://b.example"), 200, []))),
      ("in clear text", .success(answer(elsewhere("http://acme.example"), 200, []))),
      ("on another port", .success(answer(elsewhere("https://acme.example:8443"), 200, []))),
      ("401", .success(answer(error("E0000004"), 401, []))),
      ("403", .success(answer(error("E0000068", [["errorSummary": "One."], ["errorSummary": "Two."]]), 403, []))),
      ("throttled", .success(answer(error("E0000109"), 403, []))),
      ("locked", .success(answer(error("E0000069"), 403, []))),
      ("404", .success(answer([:], 404, []))),
      ("500", .success(HTTPResponse(status: 500, body: Array("<html>".utf8)))),
      ("empty", .success(HTTPResponse(status: 200))), ("nothing", .success(HTTPResponse(status: 204))),
      ("list", .success(answer([1], 200, []))), ("no status", .success(answer(["stateToken": "00s"], 200, []))),
      ("odd", .success(answer(["status": "AWAITING_MOON", "stateToken": "00s"], 200, []))),
      ("bare", .success(answer(["status": "MFA_REQUIRED"], 200, []))),
      ("redirect", .success(answer([:], 302, [HTTPField("Location", "https://b.example/")]))),
      ("limited", .success(answer(error("E0000047"), 429, [HTTPField("Retry-After", "7")]))),
      ("limited until", .success(answer([:], 429, [HTTPField("X-Rate-Limit-Reset", "1768467700")]))),
      ("limited long", .success(answer(error("E0000047"), 429, [HTTPField("Retry-After", "3601")]))),
    ]
      + ["REJECTED", "TIMEOUT", "CANCELLED", "TIME_WINDOW_EXCEEDED", "FAILED", "CHALLENGE", "ERROR", "ODD"].map {
        ($0, .success(answer(ended($0), 200, [])))
      } + TransportError.Code.allCases.map { ("\($0.rawValue)", .failure(TransportError($0, "why"))) }
  }

  // MARK: Calls that cross

  /// Calls during other calls, after the end, and on earlier statuses.
  private static var crossed: [String] {
    let given = answers(TrialAnswers.required, TrialAnswers.pushed, TrialAnswers.pushed, TrialAnswers.pushed)
    let bodies: [(String, @Sendable (FlowStage, OktaAuthStatus, OktaAuthStatusFactorChallenge) async -> Void)] = [
      (
        "cancelled meanwhile",
        { stage, _, challenge in
          let ear = TrialEar(stage: stage)
          challenge.verifyFactor(
            passCode: nil, answerToSecurityQuestion: nil, onStatusChange: ear.changed, onError: ear.failed,
            onFactorStatusUpdate: ear.updated)
          challenge.cancel(onSuccess: ear.done, onError: ear.failed)
        }
      ),
      (
        "twice",
        { stage, _, challenge in
          let ear = TrialEar(stage: stage)
          for _ in 0..<2 {
            challenge.verifyFactor(
              passCode: nil, answerToSecurityQuestion: nil, onStatusChange: ear.changed, onError: ear.failed,
              onFactorStatusUpdate: ear.updated)
          }
        }
      ),
      (
        "of before",
        { stage, required, _ in
          let ear = TrialEar(stage: stage)
          await ear.hear { () throws(OktaError) in try await required.factors[0].select() }
          ear.changed(required)
        }
      ),
      (
        "stopped",
        { stage, _, challenge in
          let ear = TrialEar(stage: stage)
          challenge.verifyFactor(
            passCode: nil, answerToSecurityQuestion: nil, onStatusChange: ear.changed, onError: ear.failed,
            onFactorStatusUpdate: ear.updated)
          challenge.responseHandler.cancel()
          await ear.hear { () throws(OktaError) in try await challenge.resendFactor() }
        }
      ),
      (
        "back meanwhile",
        { stage, _, challenge in
          let ear = TrialEar(stage: stage)
          challenge.verifyFactor(
            passCode: nil, answerToSecurityQuestion: nil, onStatusChange: ear.changed, onError: ear.failed,
            onFactorStatusUpdate: ear.updated)
          await ear.hear { () throws(OktaError) in try await challenge.returnToPreviousStatus() }
        }
      ),
      (
        "given up",
        { stage, _, challenge in
          let ear = TrialEar(stage: stage)
          // The tasks of a group run where their parent does, in a fixed order.
          await withTaskGroup(of: Void.self) { group in
            group.addTask {
              await ear.hear { () throws(OktaError) in
                try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
              }
            }
            group.cancelAll()
          }
        }
      ),
      (
        "after the end",
        { stage, required, challenge in
          let ear = TrialEar(stage: stage)
          await ear.hearEnd { () throws(OktaError) in
            let cancel: () async throws(OktaError) -> Void = challenge.cancel
            try await cancel()
          }
          await ear.hear { () throws(OktaError) in try await challenge.resendFactor() }
          required.cancel(onSuccess: ear.done, onError: ear.failed)
        }
      ),
    ]
    return bodies.map { name, body in
      let stage = FlowStage(given)
      return "\(name) | "
        + stage.run {
          guard let required = await first(stage), required.factors.count > 3,
            let challenge = try? await required.factors[3].select() as? OktaAuthStatusFactorChallenge
          else { return }
          await body(stage, required, challenge)
        }
    }
  }
}

extension FlowStage {
  /// What an application that signs in observes.
  fileprivate var seen: String {
    run { [self] in
      let status = OktaAuthStatusUnauthenticated(
        oktaDomain: TrialAnswers.url, environment: environment)
      await TrialEar(stage: self).hear { () throws(OktaError) in
        try await status.authenticate(username: "ann", password: "Correct-Horse-7")
      }
    }
  }
}
