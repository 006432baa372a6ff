import EventStore
import FlowRecording
import IDX
import OIDC
import Testing

@Suite struct IDXNarratorTests {
  @Test(arguments: [(3_600, "1 h 0 min"), (-1, "0 ms"), (.max, "305419896 h 36 min")])
  func `the time line says how long tokens are good for, whatever the org states`(seconds: Int, words: String) {
    var narrator = IDXNarrator()
    let issued = TokenIssued(
      tokenType: "Bearer", expiresIn: seconds, scope: "openid", tokens: ["access_token": "$secret.access.1$"])
    let event = DomainEvent(type: TokenIssued.type, version: 1, data: issued.data)
    #expect(narrator.words(for: event, at: 1)?.text == "Bearer access_token, good for \(words)")
  }
}
