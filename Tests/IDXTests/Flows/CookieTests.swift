import EventStore
import FlowRecording
import Foundation
import Scenarios
import Testing

@testable import IDX

/// Cookies end as the org says (RFC 6265 §5.2, §5.3), by the flow's clock.
@Suite struct CookieTests {
  private static let removals = [
    "Max-Age=0", "max-age=-1", "Expires=Thu, 01 Jan 1970 00:00:00 GMT", "expires=Thu, 01-Jan-1970 00:00:10 GMT",
    "Expires=Thu, 15 Jan 2026 09:00:00 GMT", "Expires=Thu, 01 Jan 2099 00:00:00 GMT; Max-Age=0",
    "Expires=Thu, 01-Jan-70 00:00:00 GMT", "Expires=Friday, 31-Dec-99 23:59:59 GMT",
    "Expires=Wed, 14 Jan 26 00:00:00 GMT",
  ]

  /// The `Cookie` header of a request after an answer that set a cookie, and one that set it so.
  private func sent(
    _ second: String, date: String? = nil, after milliseconds: Int = 0
  ) async throws -> String? {
    let handle: JSON = ["interaction_handle": .string(IDXScript.interactionHandle)]
    let first = [HTTPField("Set-Cookie", "JSESSIONID=first-value; Path=/; Secure")]
    let more = [HTTPField("Set-Cookie", "JSESSIONID=second-value; Path=/; \(second)")]
    let date = date.map { [HTTPField("Date", $0)] } ?? []
    let script = IDXScript([IDXScript.answer(handle, headers: first)])
    script.add(ION.identify, headers: more + date)
    script.add(ION.challenge)
    let flow = script.flow()
    let identify = try #require(try await flow.start(options: [.omitDeviceToken: true]).remediations[.identify])
    #expect(
      script.transport.requests.last?.headers.first { $0.name == "Cookie" }?.value == "JSESSIONID=first-value")
    script.time.advance(milliseconds: milliseconds)
    identify.identifier?.value = "ann"
    _ = try await identify.proceed()
    try await script.expectWhole(flow)
    #expect(!script.events(of: flow).map(\.data.text).joined().contains("second-value"))
    return script.transport.requests.last?.headers.first { $0.name == "Cookie" }?.value
  }

  @Test("the cookie of an earlier sign-in does not come back with an answer that is late")
  func lateAnswer() async throws {
    let script = IDXScript(ION.identify)
    let hold = ScriptedTransport.Hold()
    script.add(
      ION.challenge,
      headers: [HTTPField("Set-Cookie", "idx=old-value; Path=/"), HTTPField("Set-Cookie", "JSESSIONID=kept; Path=/")],
      hold: hold)
    let interact = ScriptedTransport.Hold()
    script.add(["interaction_handle": .string(IDXScript.interactionHandle)], hold: interact)
    script.add(ION.identify)
    let flow = script.flow()
    let identify = try #require(try await flow.start(options: [.omitDeviceToken: true]).remediations[.identify])
    identify.identifier?.value = "ann"
    let first = Task { try await identify.proceed() }
    _ = await script.transport.requests(atLeast: 3)
    let second = Task { try await flow.start(options: [.omitDeviceToken: true]) }
    _ = await script.transport.requests(atLeast: 4)
    hold.release()
    _ = try? await first.value
    #expect(await holdsSoon { script.events(of: flow).contains { $0.data.text.contains("JSESSIONID") } })
    interact.release()
    _ = try await second.value
    #expect(script.transport.requests.last?.headers.first { $0.name == "Cookie" }?.value == "JSESSIONID=kept")
    try await script.expectWhole(flow)
  }

  @Test("the device's cookie goes to the org's own links however its address is spelled")
  func spelledOrigin() async throws {
    let script = IDXScript(ION.identify, ION.challenge)
    let flow = script.flow(issuer: "https://ACME.example:443/oauth2/default")
    let identify = try #require(try await flow.start().remediations[.identify])
    identify.identifier?.value = "ann"
    _ = try await identify.proceed()
    #expect(script.transport.requests.last?.url == "https://acme.example/idp/idx/identify")
    #expect(
      script.transport.requests.last?.headers.first { $0.name == "Cookie" }?.value.hasPrefix("DT=") == true)
    try await script.expectWhole(flow)
  }

  @Test("a cookie that the org takes back is not sent any more", arguments: removals)
  func removed(attributes: String) async throws { #expect(try await sent(attributes) == nil) }

  @Test(
    "a cookie is sent until it ends, and no longer",
    arguments: [
      "Max-Age=60", "Expires=Thu, 15 Jan 2026 09:01:00 GMT", "Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
    ])
  func ends(attributes: String) async throws {
    #expect(try await sent(attributes, after: 59_999) == "JSESSIONID=second-value")
    #expect(try await sent(attributes, after: 60_000) == nil)
  }

  @Test("a date is one of the org's clock, where that is known")
  func orgClock() async throws {
    let date = "Thu, 15 Jan 2026 10:00:00 GMT"
    #expect(try await sent("Expires=Thu, 15 Jan 2026 09:30:00 GMT", date: date) == nil)
    let later = "Expires=Thu, 15 Jan 2026 10:01:00 GMT"
    #expect(try await sent(later, date: date, after: 59_999) == "JSESSIONID=second-value")
    #expect(try await sent(later, date: date, after: 60_000) == nil)
  }

  @Test(
    "what is no date and no number does not count",
    arguments: ["Max-Age=soon", "Expires=never", "Max-Age=", "Max-Age=99999999999999999999", "Expires"])
  func odd(attributes: String) async throws {
    #expect(try await sent(attributes, after: 3_600_000) == "JSESSIONID=second-value")
  }

  @Test("a year of two digits below 70 is one of this century")
  func shortYear() async throws {
    #expect(try await sent("Expires=Tue, 01-Jan-69 00:00:00 GMT") == "JSESSIONID=second-value")
    #expect(try await sent("Expires=Thu, 15-Jan-26 09:30:00 GMT", after: 1_799_999) == "JSESSIONID=second-value")
    #expect(try await sent("Expires=Thu, 15-Jan-26 09:30:00 GMT", after: 1_800_000) == nil)
  }

  @Test("a cookie that is too long is a secret where a later answer quotes it, and the flow replays")
  func quotedLater() async throws {
    let handle: JSON = ["interaction_handle": .string(IDXScript.interactionHandle)]
    let value = "canary-long-" + String(repeating: "x", count: 4_096)
    let script = IDXScript([IDXScript.answer(handle, headers: [HTTPField("Set-Cookie", "long=" + value)])])
    let message = JSON.members([("message", .string("\(value) is over")), ("class", "INFO")])
    script.add(
      ION.response(
        [ION.form("identify", nil, [ION.field("identifier", [("label", "Username"), ("required", true)])])],
        [("messages", .members([("type", "array"), ("value", .array([message]))]))]))
    let flow = script.flow()
    _ = try await flow.start(options: [.omitDeviceToken: true])
    let recorded = script.events(of: flow).map(\.data.text).joined()
    #expect(!recorded.contains("canary-long") && recorded.contains("$secret.droppedCookie.1$ is over"))
    try await script.expectWhole(flow)
  }

  @Test("an origin has fifty cookies of 4 KiB at most, however many it sets; none of the others is recorded")
  func flood() async throws {
    let handle: JSON = ["interaction_handle": .string(IDXScript.interactionHandle)]
    let long = HTTPField("Set-Cookie", "long=" + String(repeating: "x", count: 4092))
    let fits = HTTPField("Set-Cookie", "fits=" + String(repeating: "x", count: 4091))
    let script = IDXScript([
      IDXScript.answer(handle, headers: [long, fits] + (0..<5_000).map { HTTPField("Set-Cookie", "c\($0)=v\($0)") })
    ])
    script.add(ION.identify, headers: (0..<20).map { HTTPField("set-cookie", "d\($0)=v\($0)") })
    script.add(ION.challenge)
    let flow = script.flow()
    let identify = try #require(try await flow.start(options: [.omitDeviceToken: true]).remediations[.identify])
    identify.identifier?.value = "ann"
    _ = try await identify.proceed()
    let sent = try #require(script.transport.requests.last?.headers.first { $0.name == "Cookie" }?.value)
    let names = Set(sent.split(separator: "; ").map { $0.prefix { $0 != "=" } })
    #expect(names.count == 50 && names.contains("fits") && !names.contains("long"))
    #expect(names.contains("d0") && !names.contains("d5"), "\(names)")
    let recorded = script.events(of: flow).map(\.data.text).joined()
    #expect(!recorded.contains("c60="))
    try await script.expectWhole(flow)
  }
}
