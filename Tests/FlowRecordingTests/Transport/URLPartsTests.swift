import Testing

@testable import FlowRecording

/// The parts of URLs, and what is compared of them.
@Suite struct URLPartsTests {
  @Test("a scheme is read in any case, and in lower case where origins are compared (RFC 3986 section 3.1)")
  func scheme() throws {
    let parts = try #require(URLParts("HTTPS://ACME.example:443/A?B#C"))
    #expect(parts.scheme == "https" && parts.authority == "ACME.example:443" && parts.path == "/A")
    #expect(parts.query == "B" && parts.fragment == "C" && parts.origin == "https://ACME.example:443")
    #expect(parts.comparableOrigin == "https://acme.example")
    #expect(parts.isSameOrigin(as: URLParts("https://acme.example")))
    #expect(URLParts("Http://acme.example:80/a")?.isSameOrigin(as: URLParts("http://acme.example")) == true)
    #expect(URLParts("HTTP://acme.example")?.isSameOrigin(as: URLParts("https://acme.example")) == false)
    for text in ["HTTPS:///a", "HTTPS://", "HTT", "HTTPS:/acme.example", "FTP://acme.example", "\u{212A}ttps://a"] {
      #expect(URLParts(text) == nil, "\(text)")
    }
  }

  @Test("a link with a scheme in capital letters is one of the same origin, of another, or leaves https")
  func links() throws {
    let rule = LinkRule(home: "https://acme.example")
    #expect(try rule.allowed("HTTPS://acme.example/a", carriesEntries: true) == "HTTPS://acme.example/a")
    #expect(throws: LinkRule.Violation.foreign(origin: "https://b.example")) {
      try rule.allowed("HTTPS://b.example/a", carriesEntries: true)
    }
    #expect(throws: LinkRule.Violation.leavesHTTPS) { try rule.allowed("HTTP://acme.example/a") }
    let listed = LinkRule(home: "HTTPS://acme.example", origins: ["HTTPS://b.example"])
    #expect(try listed.allowed("https://b.example/a", carriesEntries: true) == "https://b.example/a")
    #expect(try listed.allowed("https://acme.example/a", carriesEntries: true) == "https://acme.example/a")
  }
}
