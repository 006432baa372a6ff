import Foundation
import SimulatedOrg
import Testing

/// People who sign in with a browser.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SignInTests {
  @Test func aPasswordSignsIn() async throws {
    try await TestSite.run(users: [.ann], flows: [["ann@acme.example", "success"]]) { site in
      let browser = try await site.browser()
      try await browser.see("You are not signed in")
      try await browser.press("Sign in")
      try await browser.see(heading: "Sign in")
      for width in [1280, 390] { try await browser.screenshot("login", width: width) }
      try await browser.type(OrgUser.ann.login, into: "Username")
      try await browser.press("Next")
      try await browser.see(heading: "Verify with Password")
      for width in [1280, 390] { try await browser.screenshot("password", width: width) }
      let before = try await browser.cookie
      try await browser.give(password: OrgUser.ann.password)
      try await browser.see(heading: "Hello, Ann Lee")
      for width in [1280, 390] { try await browser.screenshot("success", width: width) }
      #expect(try await browser.text(of: "flow").hasPrefix("idx/"))
      #expect(try await browser.address == site.url.absoluteString + "/")
      #expect(try await browser.cookie != before, "the session kept the id that it had before")

      try await browser.reload()
      try await browser.see(heading: "Hello, Ann Lee")
      try await browser.press("Sign out")
      try await browser.see("You are not signed in")
      try await browser.goBack()
      try await browser.see("You are not signed in")
    }
  }

  @Test func aWrongPasswordIsSaidAndCanBeMended() async throws {
    try await TestSite.run(users: [.ann], flows: [["ann@acme.example", "success"]]) { site in
      let browser = try await site.browser()
      try await browser.begin(as: .ann)
      try await browser.give(password: "wrong")
      try await browser.see("Authentication failed")
      try await browser.screenshot("wrong-password", width: 390)
      try await browser.give(password: OrgUser.ann.password)
      try await browser.see(heading: "Hello, Ann Lee")
    }
  }

  @Test func aPushIsWaitedForAndLeadsOn() async throws {
    try await TestSite.run(users: [.bob], flows: [["bob@acme.example", "success"]]) { site in
      let browser = try await site.browser()
      try await browser.begin(as: .bob)
      try await browser.reload()
      try await browser.see(heading: "Verify with Password")
      try await browser.give(password: OrgUser.bob.password)
      try await browser.see(heading: "Choose how to verify")
      for width in [1280, 390] { try await browser.screenshot("choice", width: width) }
      try await browser.choose("Okta Verify")
      try await browser.press("Next")
      try await browser.see(heading: "Verify with Okta Verify")
      try await browser.press("Send")
      try await browser.see(heading: "Waiting for Okta Verify")
      for width in [1280, 390] { try await browser.screenshot("push", width: width) }
      try await browser.reload()
      try await browser.see(heading: "Waiting for Okta Verify")
      site.org.answerPush(for: OrgUser.bob.login, .approve)
      try await browser.see(heading: "Hello, Bob Ray")
    }
  }
}
