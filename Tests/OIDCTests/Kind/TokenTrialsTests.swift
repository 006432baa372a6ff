import Testing

@testable import OIDC

@Suite struct TokenTrialsTests {
  @Test("a made-up token breaks each rule that needs no key, and one that breaks none is taken")
  func tokens() {
    let lines = TokenTrials.tokens
    let withKeys: Set<IDTokenFailure.Rule> = [.unknownKey, .weakKey, .signature]
    for rule in IDTokenFailure.Rule.allCases where !withKeys.contains(rule) {
      #expect(lines.contains { $0.contains("\"rule\":\"\(rule.rawValue)\"") }, "\(rule)")
    }
    #expect(lines.contains { $0.hasPrefix("claims 0 {\"iss\":") && $0.hasSuffix("\"kid\":\"key-1\"}") })
    #expect(lines.contains { $0.hasPrefix("refreshed {\"iss\":") })
  }

  @Test("made-up redirects are taken, refused, and read in each way")
  func redirects() {
    let lines = TokenTrials.redirects
    for part in [
      "\"ours\":false", "\"state\":\"equal\"", "\"state\":\"different\"", "\"state\":\"missing\"",
      "\"repeated\":\"code\"",
      "\"error\":\"access_denied\"",
    ] { #expect(lines.contains { $0.contains(part) }, "\(part)") }
  }
}
