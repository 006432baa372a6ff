// The tables of calls, links and words: that they show what they are there for.

import Testing

@testable import Authn

@Suite struct CallTableTests {
  private static func find(_ lines: Set<String>, _ beginning: String) throws -> String {
    try #require(lines.first { $0.hasPrefix(beginning) }, "\(beginning)")
  }

  @Test("a list of questions does not wait for another call; the call that changes the transaction is refused")
  func crossing() throws {
    let lines = AuthnKind.decided
    /// Whether a call sends a request before anything else happens.
    func sends(_ place: String) throws -> Bool {
      let line = try Self.find(lines, place + "|")
      return line[..<(line.firstRange(of: " ; ")?.lowerBound ?? line.endIndex)].contains("request.sent")
    }
    #expect(try sends("during selectFactor, downloadSecurityQuestions"))
    #expect(try !sends("during selectFactor, resendFactor"))
    #expect(try sends("between polls, downloadSecurityQuestions"))
  }

  @Test("what was entered is sent to no other origin")
  func origins() throws {
    let lines = AuthnKind.decided
    #expect(try !Self.find(lines, "elsewhere, recovering|").contains("request.sent"))
    #expect(try Self.find(lines, "one, recovering|").contains("request.sent"))
  }

  @Test("the first of several links is followed, if POST is among its methods")
  func links() throws {
    let lines = AuthnKind.decided
    let skipped = try Self.find(lines, "several, skipEnrollment|")
    #expect(skipped.contains("request.sent") && !skipped.contains("skip-other"))
    #expect(try Self.find(lines, "two methods, verifyFactor|").contains("request.sent"))
    #expect(try !Self.find(lines, "first for a browser, verifyFactor|").contains("request.sent"))
  }

  @Test("each word becomes its case, and a number may be a text")
  func words() {
    #expect(AuthnKind.spoken.contains("SAML2.0|[-1, -1, -1, -1, -1, -1, -1, 0]"))
    #expect(AuthnKind.spoken.contains("value \"42\"|42|-"))
  }
}
