// The trials of classic sign-ins, for the tables of the kind: that they try something.

import Testing

@testable import Authn

@Suite struct SignInTrialTests {
  @Test("trials make each call on each status, spoil answers, cross calls, let go; twice they say the same")
  func reach() {
    let lines = SignInTrials.all
    #expect(lines == SignInTrials.all && lines.count > 2_000)
    func has(_ beginning: String, _ parts: String...) -> Bool {
      lines.contains { line in line.hasPrefix(beginning) && parts.allSatisfy(line.contains) }
    }
    #expect(has("activate by a link | ", " 111 "), "the link says that it is polled")
    #expect(has("told, timedOut | ", "handler Connection error"), "a handler receives what is known of an error")
    for document in TrialAnswers.all { #expect(has("\(document.name) | "), "\(document.name)") }
    #expect(has("challenge push, whole, f-push: check", "OktaAuthStatusSuccess", "/authn/next-poll"))
    #expect(has("required, whole, f-sms: select anything", "/authn/verify-sms"))
    #expect(has("required, no links, f-sms: select anything", "Can't find"), "without its link it is refused")
    #expect(has("enroll, whole, f-question: enroll", "/authn/enroll-question", "Tofu"))
    #expect(has("2 401", "No."), "the org's words")
    #expect(has("2 limited", "OktaAuthStatusSuccess"), "a sign-in goes on after a 429")
    #expect(has("handler, ownStatus", "OwnStatus"), "a status of the application's own arrives")
    #expect(has("options 5 | ", "(token)") && !lines.contains { $0.hasPrefix("options") && $0.contains("token-1") })
    #expect(has("handler, throwsOther", "A response handler of the application failed"))
  }
}
