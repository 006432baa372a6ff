// A program without functions: it signs in at the top level of its `main.swift`, against an org of its own.
//
// `IDXTests` builds it in the language modes of Swift 5 and of Swift 6, runs it and reads what it prints.

import FlowRecording
import Foundation
import IDX
import SimulatedOrg

struct Missing: Error {}

let login = "ann@acme.example"
let org = try await SimulatedOrg.start(
  OrgConfiguration(
    users: [OrgUser(login: login, password: "Correct-Horse-7", factors: [.email(address: login)])], policy: .standard))
FlowEnvironment.setDefault(FlowEnvironment(device: nil))

let redirectUri = "com.example.app:/callback"
let flow = InteractionCodeFlow(
  issuer: org.url.appendingPathComponent("oauth2/default").absoluteString, clientId: "0oa1sampleapp0000001",
  scopes: ["openid", "profile"], redirectUri: redirectUri)

// `start` needs no type, the other calls do: without one the compiler takes their forms without a closure.
let first = try await flow.start()
print("start:", first.remediations.first?.name ?? "none")
let again: Response = try await first.cancel()
print("cancel:", again.remediations.first?.name ?? "none")
let resumed: Response = try await flow.resume()
print("resume:", resumed.remediations.first?.name ?? "none")

guard let identify = resumed.remediations[.identify] else { throw Missing() }
identify["identifier"]?.value = login
let challenge: Response = try await identify.proceed()
print("proceed:", challenge.remediations.first?.name ?? "none")
guard let recoverable = challenge.authenticators.current?.recoverable else { throw Missing() }
let recovery: Response = try await recoverable.recover()
print("recover:", recovery.remediations.first?.name ?? "none")

do {
  guard let url = URL(string: redirectUri + "?state=wrong&interaction_code=1") else { throw Missing() }
  let token: Token = try await flow.exchangeCode(redirect: url)
  print("exchangeCode(redirect:):", token.tokenType)
} catch let error as InteractionCodeFlowError {
  print("exchangeCode(redirect:):", error)
}

// From here on an assignment says what the type is.
var response = try await flow.start()
response.remediations[.identify]?["identifier"]?.value = login
if let remediation = response.remediations[.identify] { response = try await remediation.proceed() }
response.remediations[.challengeAuthenticator]?["credentials.passcode"]?.value = "Correct-Horse-7"
if let remediation = response.remediations[.challengeAuthenticator] { response = try await remediation.proceed() }
if let remediation = response.remediations[.authenticatorVerificationData] {
  response = try await remediation.proceed()
}
if let resendable = response.authenticators.current?.resendable { response = try await resendable.resend() }
print("resend:", response.remediations.first?.name ?? "none", org.outbox.count)
if response.isTerminal, let pollable = response.authenticators.current?.pollable {
  let polled: Response = try await pollable.startPolling()
  print("startPolling:", polled.remediations.count)
}
response.remediations[.challengeAuthenticator]?["credentials.passcode"]?.value = org.outbox.last?.code
if let remediation = response.remediations[.challengeAuthenticator] { response = try await remediation.proceed() }

print("successful:", response.isLoginSuccessful)
let token: Token = try await response.exchangeCode()
print("exchangeCode:", token.tokenType)

// Closures work at the top level as well, and so do the names of okta-mobile-swift, which need no type.
let results = AsyncStream.makeStream(of: String.self)
flow.resume { result in
  if case .failure(let error) = result { results.continuation.yield("resume with a closure: \(error)") }
}
response.exchangeCode { token, error in
  results.continuation.yield("exchangeCode with two values: \(token == nil) \(error.map { "\($0)" } ?? "")")
}
for await word in results.stream.prefix(2) { print(word) }
do {
  let token = try await response.finish()
  print("finish:", token.tokenType)
} catch let error as InteractionCodeFlowError {
  print("finish:", error)
}
flow.reset()
await org.stop()
