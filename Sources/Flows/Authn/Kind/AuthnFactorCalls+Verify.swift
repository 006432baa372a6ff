// The forms in which a factor is selected and verified.

import EventStore
import FlowRecording

extension AuthnFactorCalls {
  /// Those that the class of the factor has.
  func selectForms() -> [PlayedForm] {
    let (changed, failed, hearing, remembers) = (table.changed, table.failed, hearing, remembers)
    switch factor {
    case let factor as OktaFactorQuestion:
      guard let answer else { return [] }
      return [
        PlayedForm("question") {
          factor.select(
            answerToSecurityQuestion: answer, rememberDevice: remembers, onStatusChange: changed, onError: failed,
            onFactorStatusUpdate: hearing.result())
        },
        table.awaited("question, awaited") { () throws(OktaError) in
          try await factor.select(
            answerToSecurityQuestion: answer, rememberDevice: remembers, onFactorStatusUpdate: hearing.result())
        },
      ]
    case let factor as OktaFactorCode:
      guard let passCode else { return [] }
      return [
        PlayedForm("code") {
          factor.select(passCode: passCode, rememberDevice: remembers, onStatusChange: changed, onError: failed)
        },
        table.awaited("code, awaited") { () throws(OktaError) in
          try await factor.select(passCode: passCode, rememberDevice: remembers)
        },
      ]
    case let factor as OktaFactorPush:
      guard passCode == nil, remembers == nil else { return [] }
      let autoPush = autoPush
      return [
        PlayedForm("push") { factor.select(autoPush: autoPush, onStatusChange: changed, onError: failed) },
        table.awaited("push, awaited") { () throws(OktaError) in try await factor.select(autoPush: autoPush) },
      ]
    case let factor as OktaFactorOther:
      let passCode = passCode
      return [
        PlayedForm("other") {
          factor.select(passCode: passCode, rememberDevice: remembers, onStatusChange: changed, onError: failed)
        },
        table.awaited("other, awaited") { () throws(OktaError) in
          try await factor.select(passCode: passCode, rememberDevice: remembers)
        },
      ]
    default: return []
    }
  }

  /// Those of all factors, and of the status.
  func plainSelectForms() -> [PlayedForm] {
    guard let factor, has(only: ["factor"]) else { return [] }
    let (changed, failed) = (table.changed, table.failed)
    var forms = [
      PlayedForm("any factor") { factor.select(onStatusChange: changed, onError: failed) },
      table.awaited("any factor, awaited") { () throws(OktaError) in try await factor.select() },
    ]
    if let status = object as? OktaAuthStatusFactorRequired {
      forms += [
        PlayedForm("status") { status.selectFactor(factor, onStatusChange: changed, onError: failed) },
        table.awaited("status, awaited") { () throws(OktaError) in try await status.selectFactor(factor) },
      ]
    }
    return forms
  }

  /// Those that the class of the factor has.
  func verifyForms() -> [PlayedForm] {
    let (changed, failed, hearing, remembers) = (table.changed, table.failed, hearing, remembers)
    if let status = object as? OktaAuthStatusRecoveryChallenge {
      guard let passCode else { return [] }
      return [
        PlayedForm("recovery") { status.verifyFactor(passCode: passCode, onStatusChange: changed, onError: failed) },
        table.awaited("recovery, awaited") { () throws(OktaError) in try await status.verifyFactor(passCode: passCode)
        },
      ]
    }
    switch factor {
    case let factor as OktaFactorQuestion:
      guard let answer, autoPush == nil else { return [] }
      return [
        PlayedForm("question") {
          factor.verify(
            answerToSecurityQuestion: answer, rememberDevice: remembers, onStatusChange: changed, onError: failed,
            onFactorStatusUpdate: hearing.result())
        },
        table.awaited("question, awaited") { () throws(OktaError) in
          try await factor.verify(
            answerToSecurityQuestion: answer, rememberDevice: remembers, onFactorStatusUpdate: hearing.result())
        },
      ]
    case let factor as OktaFactorCode:
      guard let passCode, autoPush == nil else { return [] }
      return [
        PlayedForm("code") {
          factor.verify(
            passCode: passCode, rememberDevice: remembers, onStatusChange: changed, onError: failed,
            onFactorStatusUpdate: hearing.result())
        },
        table.awaited("code, awaited") { () throws(OktaError) in
          try await factor.verify(
            passCode: passCode, rememberDevice: remembers, onFactorStatusUpdate: hearing.result())
        },
      ]
    case let factor as OktaFactorOptionalCode: return verifyForms(factor)
    case let factor as OktaFactorPush:
      guard passCode == nil, answer == nil else { return [] }
      let autoPush = autoPush
      return [
        PlayedForm("push") {
          factor.verify(
            rememberDevice: remembers, autoPush: autoPush, onStatusChange: changed, onError: failed,
            onFactorStatusUpdate: hearing.result())
        },
        table.awaited("push, awaited") { () throws(OktaError) in
          try await factor.verify(
            rememberDevice: remembers, autoPush: autoPush, onFactorStatusUpdate: hearing.result())
        },
      ]
    default: return []
    }
  }

  private func verifyForms(_ factor: OktaFactorOptionalCode) -> [PlayedForm] {
    let (changed, failed, hearing, remembers) = (table.changed, table.failed, hearing, remembers)
    let passCode = passCode
    guard answer == nil, autoPush == nil else { return [] }
    return [
      PlayedForm("optional code") {
        factor.verify(
          passCode: passCode, rememberDevice: remembers, onStatusChange: changed, onError: failed,
          onFactorStatusUpdate: hearing.result())
      },
      table.awaited("optional code, awaited") { () throws(OktaError) in
        try await factor.verify(passCode: passCode, rememberDevice: remembers, onFactorStatusUpdate: hearing.result())
      },
    ]
  }

  /// Those of all factors, and of the status.
  func anyVerifyForms() -> [PlayedForm] {
    guard let status = object as? OktaAuthStatusFactorChallenge else { return [] }
    let (changed, failed, hearing) = (table.changed, table.failed, hearing)
    let (passCode, answer, remembers, autoPush) = (passCode, answer, remembers, autoPush)
    var forms = [
      PlayedForm("status, waiting") {
        status.verifyFactor(
          passCode: passCode, answerToSecurityQuestion: answer, rememberDevice: remembers, autoPush: autoPush,
          onStatusChange: changed, onError: failed, onFactorStatusUpdate: hearing.result(),
          onWaitingStatus: hearing.waiting())
      },
      table.awaited("status, awaited") { () throws(OktaError) in
        try await status.verifyFactor(
          passCode: passCode, answerToSecurityQuestion: answer, rememberDevice: remembers, autoPush: autoPush,
          onFactorStatusUpdate: hearing.result(), onWaitingStatus: hearing.waiting())
      },
    ]
    guard remembers == nil, autoPush == nil else { return forms }
    forms.append(
      PlayedForm("status, short") {
        status.verifyFactor(
          passCode: passCode, answerToSecurityQuestion: answer, onStatusChange: changed, onError: failed,
          onFactorStatusUpdate: hearing.result())
      })
    return forms + baseVerifyForms()
  }

  /// Those of the base class, which a factor has in every status.
  func baseVerifyForms() -> [PlayedForm] {
    guard let factor, remembers == nil, autoPush == nil else { return [] }
    let (changed, failed, hearing) = (table.changed, table.failed, hearing)
    let (passCode, answer) = (passCode, answer)
    return [
      PlayedForm("any factor") {
        factor.verify(
          passCode: passCode, answerToSecurityQuestion: answer, onStatusChange: changed, onError: failed,
          onFactorStatusUpdate: hearing.result())
      },
      table.awaited("any factor, awaited") { () throws(OktaError) in
        try await factor.verify(
          passCode: passCode, answerToSecurityQuestion: answer, onFactorStatusUpdate: hearing.result())
      },
    ]
  }
}
