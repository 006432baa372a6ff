// A program of top-level code for the classic SDK: closures, and the main queue to be called back on.

import Authn
import Dispatch
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 5, let url = URL(string: arguments[1]) else {
  print("usage: sign-in ORG-URL USER PASSWORD ANSWER")
  exit(64)
}
let answer = arguments[4]

func end(_ text: String, _ code: Int32) {
  print(text)
  exit(code)
}

func handleStatus(status: OktaAuthStatus) {
  switch status.statusType {
  case .success:
    let successState = status as? OktaAuthStatusSuccess
    end("signed in, token: \(successState?.sessionToken == nil ? "no" : "yes")", 0)
  case .MFARequired:
    guard let required = status as? OktaAuthStatusFactorRequired,
      let question = required.availableFactors.first as? OktaFactorQuestion
    else { return end("no question", 1) }
    print(question.factorQuestionText ?? "?")
    question.select(
      answerToSecurityQuestion: answer,
      onStatusChange: { status in
        handleStatus(status: status)
      },
      onError: { error in
        end(error.description, 1)
      })
  default:
    end("not handled: \(status.statusType.rawValue)", 1)
  }
}

OktaAuthSdk.authenticate(
  with: url, username: arguments[2], password: arguments[3],
  onStatusChange: { authStatus in
    handleStatus(status: authStatus)
  },
  onError: { error in
    end(error.description, 1)
  })

dispatchMain()
