import Foundation
import SimulatedOrg
import Testing

/// People who sign in with a browser.
@Suite(.serialized, .timeLimit(.minutes(2)), .enabled(if: WebDriver.isInstalled, "Chromium is not installed"))
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
      try await browser.sendPush()
      for width in [1280, 390] { try await browser.screenshot("push", width: width) }
      try await browser.reload()
      try await browser.see(heading: "Waiting for Okta Verify")
      site.org.answerPush(for: OrgUser.bob.login, .approve)
      try await browser.see(heading: "Hello, Bob Ray")
    }
  }

  @Test func withoutScriptsAPushLeadsOnAllTheSame() async throws {
    try await TestSite.run(users: [.bob], flows: [["bob@acme.example", "success"]]) { site in
      let browser = try await site.browser(scripts: false)
      try await browser.begin(as: .bob)
      try await browser.give(password: OrgUser.bob.password)
      try await browser.sendPush()
      site.org.answerPush(for: OrgUser.bob.login, .approve)
      try await browser.see(heading: "Hello, Bob Ray")
    }
  }

  @Test func aPushThatWasRejectedCanBeSentAgain() async throws {
    try await TestSite.run(users: [.bob], flows: [["bob@acme.example", "success"]]) { site in
      let browser = try await site.browser()
      try await browser.begin(as: .bob)
      try await browser.give(password: OrgUser.bob.password)
      try await browser.sendPush()
      site.org.answerPush(for: OrgUser.bob.login, .reject)
      try await browser.see("You have chosen to reject this login.")
      for width in [1280, 390] { try await browser.screenshot("rejected", width: width) }
      try await browser.press("Send another")
      try await browser.see(heading: "Waiting for Okta Verify")
      site.org.answerPush(for: OrgUser.bob.login, .approve)
      try await browser.see(heading: "Hello, Bob Ray")
    }
  }

  @Test func aPushShowsTheNumberToChoose() async throws {
    let policy = try #require(OrgPolicy.named("number-challenge"))
    try await TestSite.run(policy, users: [.bob], flows: [["bob@acme.example", "success"]]) { site in
      let browser = try await site.browser()
      try await browser.begin(as: .bob)
      try await browser.give(password: OrgUser.bob.password)
      try await browser.sendPush()
      let number = try #require(Int(try await browser.text(of: "number")))
      for width in [1280, 390] { try await browser.screenshot("number", width: width) }
      #expect(site.org.pickNumber(number, for: OrgUser.bob.login))
      try await browser.see(heading: "Hello, Bob Ray")
    }
  }

  @Test func aCodeOfATextMessageSignsIn() async throws {
    try await TestSite.run(users: [.bob], flows: [["bob@acme.example", "success"]]) { site in
      let browser = try await site.browser()
      try await browser.begin(as: .bob)
      try await browser.give(password: OrgUser.bob.password)
      try await browser.see(heading: "Choose how to verify")
      try await browser.choose("Phone")
      try await browser.choose("SMS")
      try await browser.press("Next")
      try await browser.see(heading: "Verify with Phone")
      try await browser.type("000", into: "Enter code")
      try await browser.press("Verify")
      try await browser.see("Invalid code. Try again.")
      for width in [1280, 390] { try await browser.screenshot("code", width: width) }
      try await browser.type(try site.code(for: OrgUser.bob.login), into: "Enter code")
      try await browser.press("Verify")
      try await browser.see(heading: "Hello, Bob Ray")
    }
  }

  @Test func anotherWayCanBeTakenWhileAPushWaits() async throws {
    try await TestSite.run(users: [.bob], flows: [["bob@acme.example", "success"]]) { site in
      let browser = try await site.browser()
      try await browser.begin(as: .bob)
      try await browser.give(password: OrgUser.bob.password)
      try await browser.sendPush()
      try await browser.unfold("Verify in another way")
      try await browser.choose("Phone")
      try await browser.press("Next")
      try await browser.see(heading: "Verify with Phone")
      try await browser.type(try site.code(for: OrgUser.bob.login), into: "Enter code")
      try await browser.press("Verify")
      try await browser.see(heading: "Hello, Bob Ray")
    }
  }

  @Test func aLinkInAMailLeadsOn() async throws {
    try await TestSite.run(users: [.ida], flows: [["ida@acme.example", "success"]]) { site in
      let browser = try await site.browser()
      try await browser.begin(as: .ida)
      try await browser.give(password: OrgUser.ida.password)
      try await browser.see(heading: "Verify with Email")
      try await browser.press("Send")
      try await browser.see("when you open the link in the mail")
      for width in [1280, 390] { try await browser.screenshot("mail", width: width) }
      #expect(site.org.openMagicLink(for: OrgUser.ida.login))
      try await browser.see(heading: "Hello, Ida Fox")
    }
  }

  @Test func twoBrowsersSignInSideBySide() async throws {
    let flows = [["ann@acme.example", "success"], ["bob@acme.example", "success"]]
    try await TestSite.run(users: [.ann, .bob], flows: flows) { site in
      let (first, second) = (try await site.browser(), try await site.browser())
      try await first.begin(as: .ann)
      try await second.begin(as: .bob)
      try await second.give(password: OrgUser.bob.password)
      try await second.sendPush()
      try await first.give(password: OrgUser.ann.password)
      try await first.see(heading: "Hello, Ann Lee")
      site.org.answerPush(for: OrgUser.bob.login, .approve)
      try await second.see(heading: "Hello, Bob Ray")
      try await first.reload()
      try await first.see(heading: "Hello, Ann Lee")
      #expect(try await first.text(of: "flow") != second.text(of: "flow"))
    }
  }

  @Test func whatTheOrgSaysIsTextAndNeverHTML() async throws {
    try await TestSite.run(users: [.eve], flows: [["eve@acme.example", "success"]]) { site in
      let browser = try await site.browser()
      try await browser.begin(as: .eve)
      try await browser.give(password: OrgUser.eve.password)
      try await browser.see(heading: "Hello, <script>alert(1)</script> \"O")
      #expect(try await browser.source.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    }
  }

  /// A form of an older page must not change what came after it.
  @Test func aPageThatIsOutOfDateChangesNothing() async throws {
    try await TestSite.run(users: [.ann, .bob], flows: [["ann@acme.example", "success"]]) { site in
      let browser = try await site.browser()
      try await browser.begin(as: .ann)
      let cookie = try await browser.cookie
      let form = ["csrf": try await browser.value(of: "csrf"), "action": "proceed-0", "f-0": OrgUser.bob.login]
      let answer = try await HTTPClient.send(
        site.address("sign-in/step"), form: form.merging(["step": "1"]) { $1 }, cookie: cookie)
      #expect(answer.status == 303)
      try await browser.give(password: OrgUser.ann.password)
      try await browser.see(heading: "Hello, Ann Lee")
    }
  }

  @Test func startingOverForgetsWhoItWas() async throws {
    try await TestSite.run(users: [.ann, .bob], flows: [["ann@acme.example", "success"]]) { site in
      let browser = try await site.browser()
      try await browser.begin(as: .bob)
      try await browser.press("Start over")
      try await browser.see(heading: "Sign in")
      try await browser.type(OrgUser.ann.login, into: "Username")
      try await browser.press("Next")
      try await browser.give(password: OrgUser.ann.password)
      try await browser.see(heading: "Hello, Ann Lee")
    }
  }

  @Test func anOrgThatIsAwayIsSaid() async throws {
    try await TestSite.run(users: [.ann], flows: [["ann@acme.example", "cancelled"], [nil, "failed"]]) { site in
      let browser = try await site.browser()
      try await browser.begin(as: .ann)
      await site.org.stop()
      try await browser.give(password: OrgUser.ann.password)
      try await browser.see("cannot be reached")
      for width in [1280, 390] { try await browser.screenshot("away", width: width) }
      try await browser.see(heading: "Verify with Password")
      #expect(try await !browser.source.contains(OrgUser.ann.password ?? ""), "the page has the password in it")
      let other = try await site.browser()
      try await other.press("Sign in")
      try await other.see("cannot be reached")
      try await other.see(heading: "You are not signed in")
    }
  }
}
