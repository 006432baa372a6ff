// Status classes overridden with the signatures of the seed document, each calling super.

import Authn
import Foundation

/// Where overrides write down that they were called.
final class CallLog: @unchecked Sendable {
  private let lock = NSLock()
  private var names: [String] = []

  func add(_ name: String) {
    lock.lock()
    names.append(name)
    lock.unlock()
  }

  var all: [String] {
    lock.lock()
    defer { lock.unlock() }
    return names
  }
}

class LoggedUnauthenticated: OktaAuthStatusUnauthenticated, @unchecked Sendable {
  var log: CallLog?

  override func authenticate(
    username: String, password: String,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    log?.add("authenticate")
    super.authenticate(username: username, password: password, onStatusChange: onStatusChange, onError: onError)
  }
}

class LoggedRequired: OktaAuthStatusFactorRequired, @unchecked Sendable {
  var log: CallLog?

  override func selectFactor(
    _ factor: OktaFactor,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    log?.add("selectFactor")
    super.selectFactor(factor, onStatusChange: onStatusChange, onError: onError)
  }

  override func cancel(onSuccess: (() -> Void)?, onError: ((OktaError) -> Void)?) {
    log?.add("cancel")
    super.cancel(onSuccess: onSuccess, onError: onError)
  }
}

class LoggedChallenge: OktaAuthStatusFactorChallenge, @unchecked Sendable {
  var log: CallLog?

  override func verifyFactor(
    passCode: String?, answerToSecurityQuestion: String?,
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void,
    onFactorStatusUpdate: ((_ state: OktaAPISuccessResponse.FactorResult) -> Void)? = nil
  ) {
    log?.add("verifyFactor")
    super.verifyFactor(
      passCode: passCode, answerToSecurityQuestion: answerToSecurityQuestion, onStatusChange: onStatusChange,
      onError: onError, onFactorStatusUpdate: onFactorStatusUpdate)
  }

  override func resendFactor(
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    log?.add("resendFactor")
    super.resendFactor(onStatusChange: onStatusChange, onError: onError)
  }

  override func canVerify() -> Bool {
    log?.add("canVerify")
    return super.canVerify()
  }

  override func returnToPreviousStatus(
    onStatusChange: @escaping (_ newStatus: OktaAuthStatus) -> Void,
    onError: @escaping (_ error: OktaError) -> Void
  ) {
    log?.add("returnToPreviousStatus")
    super.returnToPreviousStatus(onStatusChange: onStatusChange, onError: onError)
  }
}

class LoggedHandler: OktaAuthStatusResponseHandler, @unchecked Sendable {
  let log: CallLog

  init(log: CallLog) {
    self.log = log
    super.init()
  }

  override func createAuthStatus(
    basedOn response: OktaAPISuccessResponse, and currentStatus: OktaAuthStatus
  ) throws -> OktaAuthStatus {
    switch response.status {
    case .MFARequired:
      let status = try LoggedRequired(currentState: currentStatus, model: response)
      status.log = log
      return status
    case .MFAChallenge:
      let status = try LoggedChallenge(currentState: currentStatus, model: response)
      status.log = log
      return status
    default:
      return try super.createAuthStatus(basedOn: response, and: currentStatus)
    }
  }
}

extension LoggedUnauthenticated {
  static func make(url: URL, log: CallLog) -> LoggedUnauthenticated {
    let status = LoggedUnauthenticated(oktaDomain: url, responseHandler: LoggedHandler(log: log))
    status.log = log
    return status
  }
}
