import FlowRecording
import Foundation
import SimulatedOrg
import Testing

/// Requests that no honest browser sends.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct RequestTests {
  /// Opens a session as a browser does. Returns its cookie and the token of its forms.
  private func session(at site: TestSite) async throws -> (cookie: String, token: String) {
    let answer = try await HTTPClient.send(site.url)
    let cookie = try #require(answer.header("Set-Cookie")?.split(separator: ";").first)
    return (String(cookie), try token(in: answer.text))
  }

  private func token(in page: String) throws -> String {
    let match = try #require(page.firstMatch(of: /name="csrf" value="([0-9a-f]+)"/))
    return String(match.1)
  }

  @Test func theCookieIsForThisSiteAlone() async throws {
    try await TestSite.run(users: [], flows: []) { site in
      let answer = try await HTTPClient.send(site.url)
      let cookie = try #require(answer.header("Set-Cookie"))
      #expect(cookie.hasPrefix("session="))
      for attribute in ["HttpOnly", "SameSite=Lax", "Path=/"] { #expect(cookie.contains(attribute)) }
      #expect(answer.header("Content-Security-Policy")?.contains("script-src 'self'") == true)
      #expect(answer.header("Cache-Control") == "no-store")
    }
  }

  @Test func behindHTTPSTheCookieIsForHTTPSAlone() async throws {
    try await TestSite.run(users: [], options: ["--https"], flows: []) { site in
      let cookie = try #require(try await HTTPClient.send(site.url).header("Set-Cookie"))
      #expect(cookie.hasPrefix("__Host-session="))
      #expect(cookie.contains("Secure"))
    }
  }

  @Test(arguments: ["sign-in", "sign-in/step", "sign-out"])
  func aFormWithoutItsTokenIsRefused(path: String) async throws {
    try await TestSite.run(users: [.ann], flows: []) { site in
      let (cookie, token) = try await session(at: site)
      let other = try await session(at: site)
      for form in [[:], ["csrf": ""], ["csrf": other.token], ["csrf": token + "0"]] {
        #expect(try await HTTPClient.send(site.address(path), form: form, cookie: cookie).status == 403)
      }
      #expect(try await HTTPClient.send(site.address(path), form: ["csrf": token]).status == 403, "no cookie")
    }
  }

  @Test(.enabled(if: WebDriver.isInstalled, "Chromium is not installed"))
  func oneBrowserCannotActInTheSessionOfAnother() async throws {
    try await TestSite.run(users: [.ann, .bob], flows: [["ann@acme.example", "success"], [nil, "cancelled"]]) { site in
      let browser = try await site.browser()
      try await browser.begin(as: .ann)
      let victim = (cookie: try await browser.cookie, token: try await browser.value(of: "csrf"))
      let attacker = try await session(at: site)
      let started = try await HTTPClient.send(
        site.address("sign-in"), form: ["csrf": attacker.token], cookie: attacker.cookie)
      #expect(started.status == 303)

      // The token of one session with the cookie of the other.
      let step = ["step": try await browser.value(of: "step"), "action": "over"]
      for (cookie, token) in [(attacker.cookie, victim.token), (victim.cookie, attacker.token)] {
        let form = step.merging(["csrf": token]) { $1 }
        #expect(try await HTTPClient.send(site.address("sign-in/step"), form: form, cookie: cookie).status == 403)
      }
      let page = try await HTTPClient.send(site.address("sign-in"), cookie: attacker.cookie)
      #expect(!page.text.contains("Verify with Password"), "another browser sees the page of Ann")

      // Ann notices nothing. Once she has signed in, the id that her session had before is worth nothing.
      try await browser.give(password: OrgUser.ann.password)
      try await browser.see(heading: "Hello, Ann Lee")
      let front = try await HTTPClient.send(site.url, cookie: victim.cookie)
      #expect(front.text.contains("You are not signed in."))
    }
  }

  @Test func whatIsNoFormOfOursIsRefusedOrDoesNothing() async throws {
    try await TestSite.run(users: [.ann], flows: [[nil, "cancelled"]]) { site in
      let (cookie, token) = try await session(at: site)
      func post(_ form: [String: String]) async throws -> Int {
        let form = form.merging(["csrf": token]) { $1 }
        return try await HTTPClient.send(site.address("sign-in/step"), form: form, cookie: cookie).status
      }
      _ = try await HTTPClient.send(site.address("sign-in"), form: ["csrf": token], cookie: cookie)
      #expect(try await post([:]) == 400)
      let header = HTTPField("Content-Type", "application/x-www-form-urlencoded")
      for body in ["csrf=%zz", "a=1&a=2", "=", "a[=1", "\u{0}"] {
        let headers = [header, HTTPField("Cookie", cookie)]
        let answer = try await HTTPClient.send(
          "POST", site.address("sign-in/step"), headers: headers, body: Data(body.utf8))
        #expect([400, 403].contains(answer.status), "\(body)")
      }
      #expect(try await post(["step": "one", "action": "proceed-0"]) == 400)
      #expect(try await post(["step": "1", "action": "launch-missiles"]) == 400)
      #expect(try await post(["step": "1", "action": "proceed-99"]) == 303)
      #expect(try await post(["step": "1", "action": "send-99"]) == 303)
      #expect(try await post(["step": "1", "action": "resend-0"]) == 303)
      #expect(try await post(["step": "1", "f-0": String(repeating: "x", count: 100_000), "action": "over"]) == 413)
      let page = try await HTTPClient.send(site.address("sign-in"), cookie: cookie)
      #expect(page.text.contains("<h1>Sign in</h1>"))
    }
  }

  @Test func addressesThatThereAreNotAreSaid() async throws {
    try await TestSite.run(users: [], flows: []) { site in
      let answer = try await HTTPClient.send(site.address("nowhere"))
      #expect(answer.status == 404)
      #expect(answer.text.contains("<!doctype html>"))
      #expect(try await HTTPClient.send(site.address("sign-in")).header("Location") == "/")
      #expect(try await HTTPClient.send(site.address("sign-in/state")).status == 404)
    }
  }

  @Test func signInsThatAreNotFinishedEndWithTheSite() async throws {
    try await TestSite.run(users: [.ann], flows: [[nil, "cancelled"]]) { site in
      let (cookie, token) = try await session(at: site)
      _ = try await HTTPClient.send(site.address("sign-in"), form: ["csrf": token], cookie: cookie)
    }
  }
}
