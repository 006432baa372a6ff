import Testing

@testable import FlowRecording

/// What counts as the redirect of a sign-in, rule by rule.
@Suite struct RedirectRequestTests {
  private let rules = RedirectRequest(authority: "127.0.0.1:4711", port: 4711, path: "/callback", state: "st&te")

  private func verdict(_ head: String) -> RedirectRequest.Verdict { rules.verdict(on: Array(head.utf8)) }

  @Test func `a request with the right path, host and state is the redirect`() {
    let target = "/callback?code=c%20d&state=st%26te"
    #expect(
      verdict("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:4711\r\n\r\n") == .redirect("http://127.0.0.1:4711" + target))
    for host in ["localhost:4711", "LOCALHOST:4711", "[::1]:4711", " 127.0.0.1:4711 "] {
      guard case .redirect = verdict("GET \(target) HTTP/1.1\r\nAccept: */*\r\nhost:\(host)\r\n\r\n") else {
        Issue.record("\(host) is refused")
        continue
      }
    }
  }

  private static let refused: [(String, Int)] = [
    ("GET /callback?state=st%26te HTTP/1.1\r\nHost: evil.example\r\n\r\n", 400),
    ("GET /callback?state=st%26te HTTP/1.1\r\nHost: 127.0.0.1:4712\r\n\r\n", 400),
    ("GET /callback?state=st%26te HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400),
    ("GET /callback?state=st%26te HTTP/1.1\r\n\r\n", 400),
    ("GET /callback?state=st%26te HTTP/1.1\r\nHost: localhost:4711\r\nHost: localhost:4711\r\n\r\n", 400),
    ("GET /callback?state=st%26te HTTP/1.1\r\nHost: 127.0.0.1:4711.evil.example\r\n\r\n", 400),
    ("GET /callback?state=st%26te HTTP/1.1\r\nHost: 127.0.0.1:4711@evil.example\r\n\r\n", 400),
    ("GET /callback?state=st%26te HTTP/1.1\r\nHost: localhost.evil.example:4711\r\n\r\n", 400),
    ("GET /callback?state=st%26te HTTP/1.1\r\nHost: 0.0.0.0:4711\r\n\r\n", 400),
    ("POST /callback?state=st%26te HTTP/1.1\r\nHost: localhost:4711\r\n\r\n", 405),
    ("HEAD /callback?state=st%26te HTTP/1.1\r\nHost: localhost:4711\r\n\r\n", 405),
    ("OPTIONS /callback HTTP/1.1\r\nHost: localhost:4711\r\n\r\n", 405),
    ("POST /other HTTP/1.1\r\nHost: localhost:4711\r\n\r\n", 404),
    ("OPTIONS /callback HTTP/1.1\r\nHost: evil.example\r\nAccess-Control-Request-Method: GET\r\n\r\n", 400),
    ("GET /other?state=st%26te HTTP/1.1\r\nHost: localhost:4711\r\n\r\n", 404),
    ("GET /favicon.ico HTTP/1.1\r\nHost: localhost:4711\r\n\r\n", 404),
    ("GET /callback HTTP/1.1\r\nHost: localhost:4711\r\n\r\n", 400),
    ("GET /callback?state=other HTTP/1.1\r\nHost: localhost:4711\r\n\r\n", 400),
    ("GET /callback?state= HTTP/1.1\r\nHost: localhost:4711\r\n\r\n", 400),
    ("GET /callback?state=st%26te&state=st%26te HTTP/1.1\r\nHost: localhost:4711\r\n\r\n", 400),
    ("GET /callback?state=st%26te\u{7F} HTTP/1.1\r\nHost: localhost:4711\r\n\r\n", 400),
    ("GET http://localhost:4711/callback?state=st%26te HTTP/1.1\r\nHost: localhost:4711\r\n\r\n", 404),
    ("GET /callback?state=st%26te HTTP/2.0\r\nHost: localhost:4711\r\n\r\n", 400),
    ("GET /callback?state=st%26te\r\nHost: localhost:4711\r\n\r\n", 400),
    ("GET /callback?state=st%26te HTTP/1.1\r\nHost localhost\r\n\r\n", 400),
    ("\r\n\r\n", 400), (String(repeating: "x", count: 16_385), 431),
    ("GET /" + String(repeating: "x", count: 16_400) + " HTTP/1.1\r\n\r\n", 431),
  ]

  @Test(arguments: refused)
  func `anything else is refused, and waited past`(head: String, status: Int) {
    #expect(verdict(head) == .refuse(status))
  }

  @Test func `a head that has not ended is waited for, at any cut`() {
    let whole = Array("GET /callback?state=st%26te HTTP/1.1\r\nHost: localhost:4711\r\n\r\n".utf8)
    for end in 0..<whole.count {
      #expect(rules.verdict(on: Array(whole[..<end])) == .incomplete)
      #expect(rules.verdict(on: whole, judged: end) == rules.verdict(on: whole))
    }
    #expect(rules.verdict(on: whole + [0xFF]) == .redirect("http://127.0.0.1:4711/callback?state=st%26te"))
  }

  @Test func `bytes that are no text are refused`() {
    let head = Array("GET /callback?state=".utf8) + [0xFF] + Array(" HTTP/1.1\r\nHost: localhost:4711\r\n\r\n".utf8)
    #expect(rules.verdict(on: head) == .refuse(400))
  }

  @Test func `a browser that asks before it sends the person here may`() {
    for field in ["Access-Control-Request-Private-Network: true", "access-control-request-method: GET"] {
      #expect(verdict("OPTIONS /callback?state=x HTTP/1.1\r\nHost: 127.0.0.1:4711\r\n\(field)\r\n\r\n") == .preflight)
    }
    let answer = String(decoding: RedirectAnswer.bytes(for: .preflight), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 204 ") && answer.contains("Access-Control-Allow-Private-Network: true\r\n"))
    #expect(answer.contains("Access-Control-Allow-Origin: *\r\n") && answer.hasSuffix("\r\n\r\n"))
  }

  @Test func `the person ends on a page of the application if there is one, and only after the redirect`() {
    func answer(_ verdict: RedirectRequest.Verdict) -> String {
      String(decoding: RedirectAnswer.bytes(for: verdict, finishedPage: "https://acme.example/done"), as: UTF8.self)
    }
    let found = answer(.redirect("http://127.0.0.1/?code=canary"))
    #expect(found.hasPrefix("HTTP/1.1 302 Found\r\nLocation: https://acme.example/done\r\n"))
    #expect(!found.contains("canary") && found.contains("Cache-Control: no-store\r\n"))
    #expect(answer(.refuse(400)).hasPrefix("HTTP/1.1 400 "))
  }

  @Test func `an answer has no word of the request`() {
    let text = String(decoding: RedirectAnswer.bytes(for: .redirect("http://127.0.0.1/?code=canary")), as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && !text.contains("canary"))
    #expect(String(decoding: RedirectAnswer.bytes(for: .refuse(404)), as: UTF8.self).hasPrefix("HTTP/1.1 404 "))
  }
}
