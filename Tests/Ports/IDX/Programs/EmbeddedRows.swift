// The rows that the sample `EmbeddedAuthWithSDKs` draws of a response, in other words.

import Foundation
import IDX

extension Signin {
  enum EnrollmentAction { case send, resend, recover }

  /// A row of a form, compared by what it stands for.
  struct Row: Hashable {
    let kind: Kind
    let parent: Remediation.Form.Field?

    enum Kind: Hashable {
      case separator
      case title(remediationOption: Remediation)
      case label(field: Remediation.Form.Field)
      case image(data: Data)
      case message(text: String)
      case numberChallenge(answer: String)
      case text(field: Remediation.Form.Field)
      case toggle(field: Remediation.Form.Field)
      case option(field: Remediation.Form.Field, option: Remediation.Form.Field)
      case select(field: Remediation.Form.Field, values: [Remediation.Form.Field])
      case enrollment(action: EnrollmentAction)
      case button(remediationOption: Remediation)
    }

    init(_ kind: Kind, parent: Remediation.Form.Field? = nil) {
      self.kind = kind
      self.parent = parent
    }
  }
}

extension Remediation.Form.Field {
  typealias Row = Signin.Row

  func remediationRow(parent: Remediation.Form.Field? = nil) -> [Row] {
    if !isMutable {
      return label == nil ? [] : [Row(.label(field: self), parent: parent)]
    }
    var rows: [Row] = []
    switch type {
    case "boolean":
      rows.append(Row(.toggle(field: self), parent: parent))
    case "object":
      if let options = options {
        options.forEach { option in
          rows.append(Row(.option(field: self, option: option), parent: parent))
          if option.isSelectedOption, let form = option.form {
            rows.append(contentsOf: form.flatMap { nested in nested.remediationRow() })
          }
        }
      } else if let form = form {
        rows.append(contentsOf: form.flatMap { nested in nested.remediationRow(parent: self) })
      }
    default:
      if let options = options {
        rows.append(Row(.select(field: self, values: options), parent: parent))
      } else if let form = form {
        rows.append(contentsOf: form.flatMap { nested in nested.remediationRow(parent: self) })
      } else {
        rows.append(Row(.text(field: self), parent: parent))
      }
    }
    messages.forEach { message in rows.append(Row(.message(text: message.message), parent: parent)) }
    return rows
  }
}

extension Remediation {
  class func title(for type: Remediation.RemediationType) -> String {
    switch type {
    case .selectEnrollProfile, .enrollProfile: return "Sign Up"
    case .selectIdentify, .identify: return "Sign In"
    case .challengeAuthenticator: return "Password"
    case .selectAuthenticatorAuthenticate: return "Choose Method"
    case .skip: return "Skip"
    case .cancel: return "Restart"
    case .enrollPoll, .challengePoll: return "Verify"
    case .unlockAccount, .selectAuthenticatorUnlockAccount: return "Unlock Account"
    default: return "Next"
    }
  }

  var title: String { Remediation.title(for: type) }
}

extension Response {
  func remediationForm() -> [Signin.Row] {
    messages.map { Signin.Row(.message(text: $0.message)) } + remediations.flatMap { rows(of: $0) }
  }

  private func rows(of option: Remediation) -> [Signin.Row] {
    typealias Row = Signin.Row
    var rows: [Row] = []
    switch remediations.firstIndex(of: option) {
    case 0: rows.append(Row(.title(remediationOption: option)))
    case 1: rows.append(Row(.separator))
    default: break
    }
    if let otp = option.authenticators.current?.otp { rows.append(Row(.image(data: otp.imageData))) }
    if let numberChallenge = option.authenticators.current?.numberChallenge {
      rows.append(Row(.numberChallenge(answer: numberChallenge.correctAnswer)))
    }
    rows.append(contentsOf: option.form.flatMap { nested in nested.remediationRow() })
    if !(option.pollable != nil && option.form.isEmpty) { rows.append(Row(.button(remediationOption: option))) }
    for authenticator in option.authenticators {
      if authenticator.sendable != nil { rows.append(Row(.enrollment(action: .send))) }
      if authenticator.resendable != nil { rows.append(Row(.enrollment(action: .resend))) }
      if authenticator.recoverable != nil { rows.append(Row(.enrollment(action: .recover))) }
    }
    return rows
  }
}
