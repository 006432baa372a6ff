// Which closures of a call are called, with what, in which order, and how often: after results of factors, errors,
// lists of questions, and failures of the log; and what the entry points of the SDK deliver.

import EventStore
import FlowRecording
import Foundation

extension SignInTrials {
  static var delivered: [String] { results + refusals + lists + consulted + entries + unwritten }

  /// A handler of the application that leaves everything to the SDK.
  private final class PlainHandler: OktaAuthStatusResponseHandler, @unchecked Sendable {}

  private static let refused: Result<HTTPResponse, TransportError> = {
    // An error may have the member of a result, which no call reports.
    let body: JSON = ["errorCode": "E0000068", "errorSummary": "No.", "errorId": "id-1", "factorResult": "REJECTED"]
    return .success(TrialAnswers.answer(body, 403))
  }()

  /// A line for each call with an accepted name on the status of a document, with the answers that follow.
  static func lines(
    _ title: String, _ document: JSON, _ more: [Result<HTTPResponse, TransportError>], isAsked: Bool = false,
    of accepts: (String) -> Bool
  ) -> [String] {
    let names = Locked<[String]>([])
    let shown = FlowStage(answers(document))
    _ = shown.run {
      guard let status = await first(shown) else { return }
      let found = TrialCall.all(on: status).map(\.name)
      names.withLock { $0 = found }
    }
    return names.withLock { $0 }.enumerated().filter { accepts($0.element) }.map { number, name in
      let stage = FlowStage(answers(document) + more)
      let heard = stage.run {
        let handler: OktaAuthStatusResponseHandler = isAsked ? PlainHandler() : OktaAuthStatusResponseHandler()
        guard let status = await first(stage, handler) else { return }
        let calls = TrialCall.all(on: status)
        guard calls.indices.contains(number) else { return }
        await calls[number].make(TrialEar(stage: stage))
      }
      return "\(title), \(name) | \(heard)"
    }
  }

  /// A page of the trials.
  static func page(_ name: String) -> JSON { TrialAnswers.all.first { $0.name == name }?.json ?? .null }

  /// Whether a name is that of a call that reports results of factors in a status.
  private static func reports(_ name: String, in status: String?) -> Bool {
    switch status {
    case "MFA_CHALLENGE": name.contains("verify") || name.contains("own")
    case "MFA_ENROLL_ACTIVATE": name.contains("activate")
    case "MFA_REQUIRED": name.hasPrefix("f-question: select")
    case "MFA_ENROLL": name.hasPrefix("f-sms: enroll")
    default: name.contains("own")
    }
  }

  /// Calls that report results, with a factor of each class: a result that waits, then the end with another one.
  private static var results: [String] {
    let factors = ["question", "sms", "push", "totp", "email"].flatMap { ["challenge \($0)", "activate \($0)"] }
    return (["warning", "required", "enroll", "activate by a link"] + factors).flatMap { name in
      let document = page(name)
      let status = document["status"]?.string
      let waits = status?.hasPrefix("MFA_ENROLL") == true ? TrialAnswers.activating : TrialAnswers.pushed
      return lines("reports, \(name)", document, answers(waits, TrialAnswers.verified)) { reports($0, in: status) }
    }
  }

  /// Calls that need no link, each refused by the org.
  private static var refusals: [String] {
    let names = ["warning", "reset", "recovery", "recovery challenge", "locked"]
    return begun(refused, ", refused")
      + names.flatMap { name in
        lines("refused, \(name)", page(name), [refused]) { _ in true }
      }
  }

  /// Lists of security questions, whole and empty.
  private static var lists: [String] {
    ["required", "enroll"].flatMap { name in
      [TrialAnswers.questions, []].flatMap { list in
        lines("list \(list.array?.count ?? 0), \(name)", page(name), answers(list)) { $0.contains(": questions") }
      }
    }
  }

  /// The same with a handler of the application: it is asked, and results are reported before.
  private static var consulted: [String] {
    let endings: [(String, [Result<HTTPResponse, TransportError>])] = [
      ("verified", answers(TrialAnswers.verified)), ("refused", [refused]),
      ("waiting", answers(TrialAnswers.pushed, TrialAnswers.verified)),
    ]
    let calls = [
      ("required", "f-question: select"), ("enroll", "f-sms: enroll"), ("challenge totp", "f-totp: verify"),
      ("challenge push", "verify"),
    ]
    return endings.flatMap { ending, more in
      calls.flatMap { name, call in
        lines("asked, \(ending), \(name)", page(name), more, isAsked: true) { $0.hasPrefix(call) }
      }
    }
  }

  /// The entry points of the SDK, each form with an answer and with an error.
  private static var entries: [String] {
    let (url, origins) = (TrialAnswers.url, ["https://b.example"])
    let calls: [(String, @Sendable (TrialEar) async -> Void)] = [
      (
        "authenticate",
        {
          OktaAuthSdk.authenticate(
            with: url, username: "ann", password: "Correct-Horse-7", onStatusChange: $0.changed, onError: $0.failed)
        }
      ),
      (
        "authenticate, awaited",
        {
          await $0.hear { () throws(OktaError) in
            try await OktaAuthSdk.authenticate(with: url, username: "ann", password: nil, allowedOrigins: origins)
          }
        }
      ),
      (
        "unlock",
        {
          OktaAuthSdk.unlockAccount(
            with: url, username: "ann", factorType: .sms, allowedOrigins: origins, onStatusChange: $0.changed,
            onError: $0.failed)
        }
      ),
      (
        "unlock, awaited",
        {
          await $0.hear { () throws(OktaError) in
            try await OktaAuthSdk.unlockAccount(with: url, username: "ann", factorType: .email)
          }
        }
      ),
      (
        "recover",
        {
          OktaAuthSdk.recoverPassword(
            with: url, username: "ann", factorType: .call, onStatusChange: $0.changed, onError: $0.failed)
        }
      ),
      (
        "recover, awaited",
        {
          await $0.hear { () throws(OktaError) in
            try await OktaAuthSdk.recoverPassword(with: url, username: "ann", factorType: nil, allowedOrigins: origins)
          }
        }
      ),
      (
        "redeem",
        {
          OktaAuthSdk.recover(
            with: "00token", using: url, allowedOrigins: origins, onStatusChange: $0.changed, onError: $0.failed)
        }
      ),
      (
        "redeem, awaited",
        {
          await $0.hear { () throws(OktaError) in
            try await OktaAuthSdk.recover(with: "00token", using: url, allowedOrigins: origins)
          }
        }
      ),
      (
        "resume",
        { OktaAuthSdk.fetchStatus(with: "00state", using: url, onStatusChange: $0.changed, onError: $0.failed) }
      ),
      (
        "resume, awaited",
        {
          await $0.hear { () throws(OktaError) in
            try await OktaAuthSdk.fetchStatus(with: "00state", using: url, allowedOrigins: origins)
          }
        }
      ),
    ]
    return calls.flatMap { name, call in
      [("answered", answers(TrialAnswers.required)[0]), ("refused", refused)].map { end, answer in
        let stage = FlowStage([answer])
        let heard = stage.run { await stage.environment.run { await call(TrialEar(stage: stage)) } }
        return "entry \(name), \(end) | \(stage.beginnings) \(heard)"
      }
    }
  }

  /// Sign-ins whose log accepts only some steps.
  private static var unwritten: [String] {
    let given = answers(TrialAnswers.required, TrialAnswers.pushed, TrialAnswers.pushed, TrialAnswers.success)
    return StoppingRecorder.Place.allCases.flatMap { place in
      (0..<9).map { steps in
        let stage = FlowStage(given, recorder: StoppingRecorder(after: steps, at: place))
        let heard = stage.run {
          await signIn(stage)
          let ear = TrialEar(stage: stage)
          start(stage).authenticate(
            username: "ann", password: "Correct-Horse-7", onStatusChange: ear.changed, onError: ear.failed)
        }
        return "unwritten \(place) \(steps) | \(heard)"
      }
    }
  }
}
