import EventStore
import Testing

@testable import FlowRecording

/// Cookies go back to where they came from (RFC 6265 section 5.4; here by origin, which is narrower).
@Suite struct CookieJarTests {
  private let noon = Timestamp(microseconds: 1_768_478_400_000_000)

  @Test("a cookie goes to the origin that set it, and to no other")
  func origins() {
    var jar = CookieJar()
    let answer = ResponseReceived(
      status: 200, headers: [HTTPField("Set-Cookie", "sid=$secret.cookie.1$; Path=/; Secure")], body: .empty)
    jar.take(answer, from: "https://acme.example", at: noon)
    #expect(jar.header(for: "https://acme.example") == "sid=$secret.cookie.1$")
    #expect(jar.has("sid", for: "https://acme.example"))
    for other in [
      "http://acme.example", "https://acme.example:444", "https://login.acme.example", "https://example", "",
    ] {
      #expect(jar.header(for: other) == nil && !jar.has("sid", for: other), "\(other)")
    }
  }

  @Test("what one origin sets or takes back is not another's")
  func apart() {
    var jar = CookieJar()
    jar.set(CookieJar.Cookie(origin: "https://a.example", name: "sid", value: "$secret.cookie.1$"))
    jar.set(CookieJar.Cookie(origin: "https://b.example", name: "sid", value: "$secret.cookie.2$"))
    jar.remove("sid", of: "https://b.example")
    #expect(jar.header(for: "https://a.example") == "sid=$secret.cookie.1$")
    #expect(jar.header(for: "https://b.example") == nil)
  }
}
