// A program of top-level code for the Identity Engine: awaits from top to bottom.

import Foundation
import IDX

let arguments = CommandLine.arguments
guard arguments.count == 5, let issuer = URL(string: arguments[1]), let redirect = URL(string: arguments[2]) else {
  print("usage: sign-in ISSUER REDIRECT USER PASSWORD")
  exit(64)
}

let flow = InteractionCodeFlow(
  issuer: issuer, clientId: "0oa1sampleapp0000001", scopes: "openid profile", redirectUri: redirect)
var response = try await flow.start()

if let remediation = response.remediations[.identify] {
  remediation["identifier"]?.value = arguments[3]
  response = try await remediation.proceed()
}
if let remediation = response.remediations[.challengeAuthenticator] {
  remediation["credentials.passcode"]?.value = arguments[4]
  response = try await remediation.proceed()
}
guard response.isLoginSuccessful else {
  response.messages.allMessages.forEach { message in print(message.message) }
  exit(1)
}
// In top-level code the type must be written: without it, Swift prefers the form that is not awaited.
let token: Token = try await response.exchangeCode()
print("signed in, \(token.tokenType)")
