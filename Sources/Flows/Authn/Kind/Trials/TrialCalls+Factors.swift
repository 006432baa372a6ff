// The calls that an application can make on a factor, in each form.

import EventStore
import FlowRecording
import Foundation

extension TrialCall {
  /// All calls on a factor.
  static func all(on factor: OktaFactor) -> [TrialCall] {
    (any(factor) + special(factor)).map { call in
      TrialCall("\(factor.id ?? "-"): \(call.name)", call.make)
    }
  }

  private static func any(_ factor: OktaFactor) -> [TrialCall] {
    [
      TrialCall("enroll anything") {
        factor.enroll(
          questionId: "q", answer: "Tofu", credentialId: "c", passCode: "123456", phoneNumber: "+1 555 0100",
          onStatusChange: $0.changed, onError: $0.failed)
      },
      TrialCall("enroll anything, awaited") {
        await $0.hear { () throws(OktaError) in
          try await factor.enroll(
            questionId: nil, answer: nil, credentialId: "c", passCode: nil, phoneNumber: "+1 555 0100")
        }
      },
      TrialCall("activate anything") {
        factor.activate(
          passCode: "123456", onStatusChange: $0.changed, onError: $0.failed, onFactorStatusUpdate: $0.updated)
      },
      TrialCall("activate anything, awaited") { ear in
        await ear.hear { () throws(OktaError) in
          try await factor.activate(passCode: "123456", onFactorStatusUpdate: ear.updated)
        }
      },
      TrialCall("select anything") { factor.select(onStatusChange: $0.changed, onError: $0.failed) },
      TrialCall("select anything, awaited") { await $0.hear { () throws(OktaError) in try await factor.select() } },
      TrialCall("verify anything") {
        factor.verify(
          passCode: "123456", answerToSecurityQuestion: "Tofu", onStatusChange: $0.changed, onError: $0.failed,
          onFactorStatusUpdate: $0.updated)
      },
      TrialCall("verify anything, awaited") { ear in
        await ear.hear { () throws(OktaError) in
          try await factor.verify(
            passCode: nil, answerToSecurityQuestion: "Tofu", onFactorStatusUpdate: ear.updated)
        }
      },
    ]
  }

  private static func special(_ factor: OktaFactor) -> [TrialCall] {
    switch factor {
    case let factor as OktaFactorQuestion: question(factor)
    case let factor as OktaFactorPush: push(factor)
    case let factor as OktaFactorPhone: optional(factor) + phone(factor)
    case let factor as OktaFactorOther: optional(factor) + other(factor)
    case let factor as OktaFactorTotp: code(factor) + totp(factor)
    case let factor as OktaFactorToken: code(factor) + token(factor)
    default: []
    }
  }

  private static func question(_ factor: OktaFactorQuestion) -> [TrialCall] {
    [
      TrialCall("enroll") {
        factor.enroll(questionId: "q", answer: "Tofu", onStatusChange: $0.changed, onError: $0.failed)
      },
      TrialCall("enroll, awaited") {
        await $0.hear { () throws(OktaError) in try await factor.enroll(questionId: "q", answer: "Tofu") }
      },
      TrialCall("questions") { ear in
        factor.downloadSecurityQuestions(
          onDownloadComplete: { ear.stage.say("\($0.map { "\($0.question ?? "-") \($0.questionText ?? "-")" })") },
          onError: ear.failed)
      },
      TrialCall("questions, awaited") { ear in
        await ear.hearEnd { () throws(OktaError) in
          let questions = try await factor.downloadSecurityQuestions()
          ear.stage.say("\(questions.map { "\($0.question ?? "-") \($0.questionText ?? "-")" })")
        }
      },
      TrialCall("select") {
        factor.select(
          answerToSecurityQuestion: "Tofu", rememberDevice: true, onStatusChange: $0.changed, onError: $0.failed,
          onFactorStatusUpdate: $0.updated)
      },
      TrialCall("select, awaited") { ear in
        await ear.hear { () throws(OktaError) in
          try await factor.select(
            answerToSecurityQuestion: "Tofu", rememberDevice: false, onFactorStatusUpdate: ear.updated)
        }
      },
      TrialCall("verify") {
        factor.verify(
          answerToSecurityQuestion: "Tofu", rememberDevice: true, onStatusChange: $0.changed, onError: $0.failed,
          onFactorStatusUpdate: $0.updated)
      },
      TrialCall("verify, awaited") { ear in
        await ear.hear { () throws(OktaError) in
          try await factor.verify(
            answerToSecurityQuestion: "Tofu", rememberDevice: false, onFactorStatusUpdate: ear.updated)
        }
      },
    ]
  }

  private static func push(_ factor: OktaFactorPush) -> [TrialCall] {
    [
      TrialCall("enroll") { factor.enroll(onStatusChange: $0.changed, onError: $0.failed) },
      TrialCall("enroll, awaited") { await $0.hear { () throws(OktaError) in try await factor.enroll() } },
      TrialCall("activate") {
        factor.activate(onStatusChange: $0.changed, onError: $0.failed, onFactorStatusUpdate: $0.updated)
      },
      TrialCall("activate, awaited") { ear in
        await ear.hear { () throws(OktaError) in try await factor.activate(onFactorStatusUpdate: ear.updated) }
      },
      TrialCall("check") { factor.checkFactorResult(onStatusChange: $0.changed, onError: $0.failed) },
      TrialCall("check, awaited") { await $0.hear { () throws(OktaError) in try await factor.checkFactorResult() } },
      TrialCall("link by text message") {
        factor.sendActivationLinkViaSms(with: "+1 555 0100", onSuccess: $0.done, onError: $0.failed)
      },
      TrialCall("link by text message, awaited") {
        await $0.hearEnd { () throws(OktaError) in try await factor.sendActivationLinkViaSms(with: "+1 555 0100") }
      },
      TrialCall("link by mail") { factor.sendActivationLinkViaEmail(onSuccess: $0.done, onError: $0.failed) },
      TrialCall("link by mail, awaited") {
        await $0.hearEnd { () throws(OktaError) in try await factor.sendActivationLinkViaEmail() }
      },
      TrialCall("select") { factor.select(autoPush: true, onStatusChange: $0.changed, onError: $0.failed) },
      TrialCall("select, awaited") {
        await $0.hear { () throws(OktaError) in try await factor.select(autoPush: false) }
      },
      TrialCall("verify") {
        factor.verify(
          rememberDevice: true, autoPush: false, onStatusChange: $0.changed, onError: $0.failed,
          onFactorStatusUpdate: $0.updated)
      },
      TrialCall("verify, awaited") { ear in
        await ear.hear { () throws(OktaError) in
          try await factor.verify(rememberDevice: false, autoPush: true, onFactorStatusUpdate: ear.updated)
        }
      },
    ]
  }

  private static func optional(_ factor: OktaFactorOptionalCode) -> [TrialCall] {
    [
      TrialCall("activate") {
        factor.activate(onStatusChange: $0.changed, onError: $0.failed, onFactorStatusUpdate: $0.updated)
      },
      TrialCall("activate, awaited") { ear in
        await ear.hear { () throws(OktaError) in
          try await factor.activate(passCode: "123456", onFactorStatusUpdate: ear.updated)
        }
      },
      TrialCall("verify") {
        factor.verify(
          passCode: "123456", rememberDevice: true, onStatusChange: $0.changed, onError: $0.failed,
          onFactorStatusUpdate: $0.updated)
      },
      TrialCall("verify, awaited") { ear in
        await ear.hear { () throws(OktaError) in
          try await factor.verify(rememberDevice: false, onFactorStatusUpdate: ear.updated)
        }
      },
    ]
  }

  private static func phone(_ factor: OktaFactorPhone) -> [TrialCall] {
    [
      TrialCall("enroll") {
        factor.enroll(
          phoneNumber: "+1 555 0100", phoneExtension: "7", updatePhone: true, onStatusChange: $0.changed,
          onError: $0.failed, onFactorStatusUpdate: $0.updated)
      },
      TrialCall("enroll, awaited") { ear in
        await ear.hear { () throws(OktaError) in
          try await factor.enroll(phoneNumber: nil, updatePhone: false, onFactorStatusUpdate: ear.updated)
        }
      },
    ]
  }

  private static func other(_ factor: OktaFactorOther) -> [TrialCall] {
    [
      TrialCall("enroll") { factor.enroll(passCode: "123456", onStatusChange: $0.changed, onError: $0.failed) },
      TrialCall("enroll, awaited") {
        await $0.hear { () throws(OktaError) in
          let enroll: (String?) async throws(OktaError) -> OktaAuthStatus = factor.enroll(passCode:)
          return try await enroll(nil)
        }
      },
      TrialCall("complete") { factor.complete(signedResponse: "signed", onSuccess: $0.done, onError: $0.failed) },
      TrialCall("complete, awaited") {
        await $0.hearEnd { () throws(OktaError) in try await factor.complete(signedResponse: "signed") }
      },
      TrialCall("select") {
        factor.select(passCode: "123456", rememberDevice: true, onStatusChange: $0.changed, onError: $0.failed)
      },
      TrialCall("select, awaited") {
        await $0.hear { () throws(OktaError) in try await factor.select(passCode: nil, rememberDevice: false) }
      },
      TrialCall("own") {
        factor.sendRequest(
          with: factor.links?.verify ?? LinksResponse.Link(href: URL(fileURLWithPath: "/own")),
          keyValuePayload: ["x": "secret"], onStatusChange: $0.changed, onError: $0.failed,
          onFactorStatusUpdate: $0.updated)
      },
      TrialCall("own, awaited") { ear in
        await ear.hear { () throws(OktaError) in
          try await factor.sendRequest(
            with: factor.links?.verify ?? LinksResponse.Link(href: URL(fileURLWithPath: "/own")),
            keyValuePayload: ["x": "secret"], onFactorStatusUpdate: ear.updated)
        }
      },
    ]
  }

  private static func code(_ factor: OktaFactorCode) -> [TrialCall] {
    [
      TrialCall("select") {
        factor.select(passCode: "123456", rememberDevice: true, onStatusChange: $0.changed, onError: $0.failed)
      },
      TrialCall("select, awaited") {
        await $0.hear { () throws(OktaError) in try await factor.select(passCode: "123456", rememberDevice: false) }
      },
      TrialCall("verify") {
        factor.verify(
          passCode: "123456", rememberDevice: true, onStatusChange: $0.changed, onError: $0.failed,
          onFactorStatusUpdate: $0.updated)
      },
      TrialCall("verify, awaited") { ear in
        await ear.hear { () throws(OktaError) in
          try await factor.verify(passCode: "123456", rememberDevice: false, onFactorStatusUpdate: ear.updated)
        }
      },
    ]
  }

  private static func totp(_ factor: OktaFactorTotp) -> [TrialCall] {
    [
      TrialCall("enroll") { factor.enroll(onStatusChange: $0.changed, onError: $0.failed) },
      TrialCall("enroll, awaited") { await $0.hear { () throws(OktaError) in try await factor.enroll() } },
      TrialCall("activate") {
        factor.activate(
          passCode: "123456", onStatusChange: $0.changed, onError: $0.failed, onFactorStatusUpdate: $0.updated)
      },
      TrialCall("activate, awaited") { ear in
        await ear.hear { () throws(OktaError) in
          try await factor.activate(passCode: "123456", onFactorStatusUpdate: ear.updated)
        }
      },
    ]
  }

  private static func token(_ factor: OktaFactorToken) -> [TrialCall] {
    [
      TrialCall("enroll") {
        factor.enroll(
          credentialId: "c", passCode: "123456", nextPassCode: "654321", onStatusChange: $0.changed, onError: $0.failed)
      },
      TrialCall("enroll, awaited") {
        await $0.hear { () throws(OktaError) in try await factor.enroll(credentialId: "c", passCode: "123456") }
      },
    ]
  }
}
