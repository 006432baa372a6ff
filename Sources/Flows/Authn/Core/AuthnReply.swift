// What an answer means (authn §1.4, §13.1).

import EventStore
import FlowRecording

/// An answer, understood.
enum AuthnReply {
  /// A transaction in a status.
  case transaction(TransactionReading, status: String)
  /// The operation is done; there is no new status.
  case acknowledged
  /// An error of the org, or an invalid answer.
  case refused(Refusal)

  /// Reads an answer to a call.
  init(_ response: ResponseReceived, to call: AuthnCall?) {
    let isSuccess = (200...299).contains(response.status)
    switch response.body {
    case .empty:
      self = isSuccess && call?.needsNoBody == true ? .acknowledged : .refused(.emptyServerResponse)
    case .opaque where isSuccess && call?.takesAnyBody == true: self = .acknowledged
    case .opaque(let reason, _, _):
      if let error = response.sizeError {
        self = .refused(.connection(error))
        return
      }
      self = .refused(.unreadable("the body is no JSON: \(reason)", status: response.status))
    case .json(.array) where isSuccess && call == .downloadSecurityQuestions: self = .acknowledged
    case .json(let json) where isSuccess && call?.takesAnyBody == true && json.object == nil: self = .acknowledged
    case .json(let json):
      guard case .object = json, !isSuccess || call != .downloadSecurityQuestions else {
        self = .refused(.unreadable("the body is no JSON object", status: response.status))
        return
      }
      let reading = TransactionReading(json: json)
      if !isSuccess || reading.errorCode != nil && reading.status == nil {
        self = .refused(.server(code: reading.errorCode, status: response.status))
      } else if call?.needsNoBody == true {
        self = .acknowledged
      } else if let status = reading.status {
        self = .transaction(reading, status: status)
      } else {
        self = .refused(.incomplete("the answer has no status"))
      }
    }
  }

  /// Why a transaction with this status cannot become a status object; nil if it can.
  static func refusal(of transaction: TransactionReading, _ status: String) -> Refusal? {
    guard AuthnVocabulary.statuses.contains(status) else { return .unknownStatus(status) }
    if needsToken.contains(status), transaction.stateToken == nil { return .incomplete("\(status) without stateToken") }
    if status == AuthnVocabulary.recovery, transaction.stateToken == nil, transaction.recoveryToken == nil {
      return .incomplete("\(status) without stateToken or recoveryToken")
    }
    if needsFactors.contains(status), !transaction.hasFactorList { return .incomplete("\(status) without factors") }
    if needsFactor.contains(status), transaction.factors.isEmpty { return .incomplete("\(status) without a factor") }
    if status == AuthnVocabulary.enrollActivate, transaction.link("next") == nil {
      return .incomplete("\(status) without a link 'next'")
    }
    return nil
  }

  private static let needsToken: Set<String> = [
    AuthnVocabulary.passwordWarning, AuthnVocabulary.passwordExpired, AuthnVocabulary.passwordReset,
    AuthnVocabulary.enroll, AuthnVocabulary.required, AuthnVocabulary.challenge, AuthnVocabulary.enrollActivate,
  ]
  private static let needsFactors: Set<String> = [AuthnVocabulary.enroll, AuthnVocabulary.required]
  private static let needsFactor: Set<String> = [AuthnVocabulary.challenge, AuthnVocabulary.enrollActivate]
}
