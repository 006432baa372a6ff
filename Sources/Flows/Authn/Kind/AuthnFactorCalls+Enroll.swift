// The forms in which a factor is enrolled and activated.

import EventStore
import FlowRecording

extension AuthnFactorCalls {
  /// Those that the class of the factor has.
  func enrollForms() -> [PlayedForm] {
    let (changed, failed, hearing) = (table.changed, table.failed, hearing)
    switch factor {
    case let factor as OktaFactorQuestion:
      guard has(only: ["factor", "question", "answer"]), let question = arguments["question"]?.string, let answer else {
        return []
      }
      return [
        PlayedForm("question") {
          factor.enroll(questionId: question, answer: answer, onStatusChange: changed, onError: failed)
        },
        table.awaited("question, awaited") { () throws(OktaError) in
          try await factor.enroll(questionId: question, answer: answer)
        },
      ]
    case let factor as OktaFactorPhone where has(only: ["factor", "phoneNumber", "phoneExtension", "updatePhone"]):
      let (number, inner) = (arguments["phoneNumber"]?.string, arguments["phoneExtension"]?.string)
      let updates = arguments["updatePhone"]?.bool
      return [
        PlayedForm("phone") {
          factor.enroll(
            phoneNumber: number, phoneExtension: inner, updatePhone: updates, onStatusChange: changed, onError: failed,
            onFactorStatusUpdate: hearing.result())
        },
        table.awaited("phone, awaited") { () throws(OktaError) in
          try await factor.enroll(
            phoneNumber: number, phoneExtension: inner, updatePhone: updates, onFactorStatusUpdate: hearing.result())
        },
      ]
    case let factor as OktaFactorToken:
      guard has(only: ["factor", "credentialId", "passCode", "nextPassCode"]),
        let credential = arguments["credentialId"]?.string, let passCode
      else { return [] }
      let next = arguments["nextPassCode"]?.string
      return [
        PlayedForm("token") {
          factor.enroll(
            credentialId: credential, passCode: passCode, nextPassCode: next, onStatusChange: changed, onError: failed)
        },
        table.awaited("token, awaited") { () throws(OktaError) in
          try await factor.enroll(credentialId: credential, passCode: passCode, nextPassCode: next)
        },
      ]
    case let factor as OktaFactorPush where has(only: ["factor"]):
      return [
        PlayedForm("push") { factor.enroll(onStatusChange: changed, onError: failed) },
        table.awaited("push, awaited") { () throws(OktaError) in try await factor.enroll() },
      ]
    case let factor as OktaFactorTotp where has(only: ["factor"]):
      return [
        PlayedForm("code") { factor.enroll(onStatusChange: changed, onError: failed) },
        table.awaited("code, awaited") { () throws(OktaError) in try await factor.enroll() },
      ]
    case let factor as OktaFactorOther where has(only: ["factor", "passCode"]):
      let passCode = passCode
      return [
        PlayedForm("other") { factor.enroll(passCode: passCode, onStatusChange: changed, onError: failed) },
        table.awaited("other, awaited") { () throws(OktaError) in try await factor.enroll(passCode: passCode) },
      ]
    default: return []
    }
  }

  /// Those that take all that a factor may need.
  func anyEnrollForms() -> [PlayedForm] {
    guard let factor else { return [] }
    let (changed, failed) = (table.changed, table.failed)
    let (question, answer) = (arguments["question"]?.string, answer)
    let (credential, passCode) = (arguments["credentialId"]?.string, passCode)
    let (number, inner) = (arguments["phoneNumber"]?.string, arguments["phoneExtension"]?.string)
    let (next, updates) = (arguments["nextPassCode"]?.string, arguments["updatePhone"]?.bool)
    let isShort = inner == nil && next == nil && updates == nil
    var forms: [PlayedForm] = []
    if isShort {
      forms += [
        PlayedForm("any factor") {
          factor.enroll(
            questionId: question, answer: answer, credentialId: credential, passCode: passCode, phoneNumber: number,
            onStatusChange: changed, onError: failed)
        },
        table.awaited("any factor, awaited") { () throws(OktaError) in
          try await factor.enroll(
            questionId: question, answer: answer, credentialId: credential, passCode: passCode, phoneNumber: number)
        },
      ]
    }
    guard let status = object as? OktaAuthStatusFactorEnroll else { return forms }
    forms += [
      PlayedForm("status") {
        status.enrollFactor(
          factor: factor, questionId: question, answer: answer, credentialId: credential, passCode: passCode,
          phoneNumber: number, phoneExtension: inner, nextPassCode: next, updatePhone: updates,
          onStatusChange: changed, onError: failed)
      },
      table.awaited("status, awaited") { () throws(OktaError) in
        try await status.enrollFactor(
          factor: factor, questionId: question, answer: answer, credentialId: credential, passCode: passCode,
          phoneNumber: number, phoneExtension: inner, nextPassCode: next, updatePhone: updates)
      },
    ]
    if isShort {
      forms.append(
        PlayedForm("status, short") {
          status.enrollFactor(
            factor: factor, questionId: question, answer: answer, credentialId: credential, passCode: passCode,
            phoneNumber: number, onStatusChange: changed, onError: failed)
        })
    }
    return forms
  }

  /// Those that the class of the factor has.
  func activateForms() -> [PlayedForm] {
    let (changed, failed, hearing) = (table.changed, table.failed, hearing)
    if let factor = factor as? OktaFactorPush, passCode == nil {
      return [
        PlayedForm("push") {
          factor.activate(onStatusChange: changed, onError: failed, onFactorStatusUpdate: hearing.result())
        },
        table.awaited("push, awaited") { () throws(OktaError) in
          try await factor.activate(onFactorStatusUpdate: hearing.result())
        },
      ]
    }
    if let factor = factor as? OktaFactorTotp, let passCode {
      return [
        PlayedForm("code") {
          factor.activate(
            passCode: passCode, onStatusChange: changed, onError: failed, onFactorStatusUpdate: hearing.result())
        },
        table.awaited("code, awaited") { () throws(OktaError) in
          try await factor.activate(passCode: passCode, onFactorStatusUpdate: hearing.result())
        },
      ]
    }
    return []
  }

  /// Those of all factors, and of the status.
  func anyActivateForms() -> [PlayedForm] {
    let (changed, failed, hearing, passCode) = (table.changed, table.failed, hearing, passCode)
    var forms: [PlayedForm] = []
    if let factor {
      forms += [
        PlayedForm("any factor") {
          factor.activate(
            passCode: passCode, onStatusChange: changed, onError: failed, onFactorStatusUpdate: hearing.result())
        },
        table.awaited("any factor, awaited") { () throws(OktaError) in
          try await factor.activate(passCode: passCode, onFactorStatusUpdate: hearing.result())
        },
      ]
    }
    guard let status = object as? OktaAuthStatusFactorEnrollActivate else { return forms }
    return forms + [
      PlayedForm("status") {
        status.activateFactor(
          passCode: passCode, onStatusChange: changed, onError: failed, onFactorStatusUpdate: hearing.result())
      },
      PlayedForm("status, waiting") {
        status.activateFactor(
          passCode: passCode, onStatusChange: changed, onError: failed, onFactorStatusUpdate: hearing.result(),
          onWaitingStatus: hearing.waiting())
      },
      table.awaited("status, awaited") { () throws(OktaError) in
        try await status.activateFactor(
          passCode: passCode, onFactorStatusUpdate: hearing.result(), onWaitingStatus: hearing.waiting())
      },
    ]
  }
}
