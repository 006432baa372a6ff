import Testing

@testable import web_login

/// Browser sessions end, and there are not too many of them.
struct SessionTests {
  private let start = ContinuousClock.now

  @Test func aSessionLastsWhileItIsUsed() async throws {
    let sessions = Sessions(limit: 10, idle: .seconds(60))
    let session = try #require(await sessions.open(now: start))
    #expect(await sessions.session(session.id, now: start + .seconds(50)) != nil)
    #expect(await sessions.session(session.id, now: start + .seconds(100)) != nil)
    #expect(await sessions.session(session.id, now: start + .seconds(161)) == nil)
    #expect(await sessions.count == 0)
  }

  @Test func aSessionEndsHoweverMuchItIsUsed() async throws {
    let sessions = Sessions(limit: 10, idle: .seconds(60), lifetime: .seconds(90))
    let session = try #require(await sessions.open(now: start))
    #expect(await sessions.session(session.id, now: start + .seconds(59)) != nil)
    #expect(await sessions.session(session.id, now: start + .seconds(91)) == nil)
  }

  @Test func strangersMakeRoomForEachOther() async throws {
    let sessions = Sessions(limit: 2, idle: .seconds(60))
    let first = try #require(await sessions.open(now: start))
    let second = try #require(await sessions.open(now: start + .seconds(1)))
    let third = try #require(await sessions.open(now: start + .seconds(2)))
    #expect(await sessions.count == 2)
    #expect(await sessions.session(first.id, now: start + .seconds(3)) == nil)
    #expect(await sessions.session(second.id, now: start + .seconds(3)) != nil)
    #expect(await sessions.session(third.id, now: start + .seconds(3)) != nil)
  }

  @Test func peopleWhoHaveSignedInMakeNoRoomForStrangers() async throws {
    let sessions = Sessions(limit: 1, idle: .seconds(60))
    let session = try #require(await sessions.open(now: start))
    let account = Account(id: "00u1", name: "Ann", flowID: "idx/1")
    _ = try #require(await sessions.renew(session.id, as: account, now: start))
    #expect(await sessions.open(now: start) == nil)
  }

  @Test func signingInGivesTheSessionANewIdAndANewToken() async throws {
    let sessions = Sessions(limit: 10, idle: .seconds(60))
    let session = try #require(await sessions.open(now: start))
    let account = Account(id: "00u1", name: "Ann", flowID: "idx/1")
    let renewed = try #require(await sessions.renew(session.id, as: account, now: start))
    #expect(renewed.id != session.id)
    #expect(renewed.csrfToken != session.csrfToken)
    #expect(await sessions.session(session.id, now: start) == nil)
    #expect(await sessions.session(renewed.id, now: start)?.isSignedIn == true)
  }

  @Test func idsHave256BitsAndAreNeverTheSame() {
    let ids = Set((0..<1000).map { _ in Session(now: start).id })
    #expect(ids.count == 1000)
    #expect(ids.allSatisfy { $0.count == 64 })
  }

  @Test func aTokenIsRightOrWrong() {
    let session = Session(now: start)
    #expect(session.isTokenRight(session.csrfToken))
    #expect(!session.isTokenRight(nil))
    #expect(!session.isTokenRight(""))
    #expect(!session.isTokenRight(session.csrfToken + "0"))
    #expect(!session.isTokenRight(Session(now: start).csrfToken))
  }
}

struct HTMLTests {
  @Test func textIsEscapedAndHTMLIsNot() {
    let text = "<b>\"Tom\" & 'Jerry'</b>"
    let html: HTML = "<p title=\"\(text)\">\(text)</p>"
    #expect(
      html.source == """
        <p title="&lt;b&gt;&quot;Tom&quot; &amp; &#39;Jerry&#39;&lt;/b&gt;">\
        &lt;b&gt;&quot;Tom&quot; &amp; &#39;Jerry&#39;&lt;/b&gt;</p>
        """)
    #expect(("<div>\(html)</div>" as HTML).source == "<div>\(html.source)</div>")
  }

  @Test func anAttributeIsThereOrNot() {
    #expect(("<input\("required", if: true)>" as HTML).source == "<input required>")
    #expect(("<input\("required", if: false)>" as HTML).source == "<input>")
  }
}
