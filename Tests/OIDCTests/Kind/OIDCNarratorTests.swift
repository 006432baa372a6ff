import EventStore
import FlowRecording
import OIDC
import Testing

@Suite struct OIDCNarratorTests {
  @Test(arguments: [("3600", "1 h 0 min"), ("-1", "0 ms"), ("-9223372036854775808", "0 ms")])
  func `the time line says how long tokens are good for, and never less than nothing`(
    seconds: String, words: String
  ) {
    var narrator = OIDCNarrator()
    let data: JSON = ["id": "token-1", "scope": "profile", "expiresIn": .number(seconds)]
    let event = DomainEvent(type: "token.issued", version: 1, data: data)
    #expect(narrator.words(for: event, at: 1)?.text == "tokens token-1 are issued for profile, for \(words)")
    let most: JSON = ["id": "token-1", "scope": "profile", "expiresIn": .int(.max)]
    #expect(narrator.words(for: DomainEvent(type: "token.issued", version: 1, data: most), at: 1) != nil)
  }
}
