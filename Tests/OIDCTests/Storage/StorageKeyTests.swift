import OIDC
import Testing

/// What stored tokens are found by (oidc §9.3).
@Suite struct StorageKeyTests {
  @Test func `one issuer has one key, however it is written`() {
    let key = StorageKey(issuer: "https://acme.example/oauth2/default", clientID: "0oa1")
    #expect(key.text == "https://acme.example/oauth2/default_0oa1")
    for issuer in [
      "https://acme.example/oauth2/default/", "HTTPS://Acme.Example/oauth2/default",
      "https://acme.example:443/oauth2/default",
    ] {
      #expect(StorageKey(issuer: issuer, clientID: "0oa1") == key, "\(issuer)")
    }
    for issuer in [
      "https://acme.example/oauth2/Default", "http://acme.example/oauth2/default", "https://acme.example",
      "https://acme.example:8443/oauth2/default", "https://acme.example/oauth2/default//",
    ] {
      #expect(StorageKey(issuer: issuer, clientID: "0oa1") != key, "\(issuer)")
    }
    #expect(StorageKey(issuer: "https://acme.example/oauth2/default", clientID: "0OA1") != key)
  }

  @Test func `no two pairs have one text`() {
    let parts = ["a", "_", "%", "a_b", "_a", "a_", "%5F", "%255F", "a%5Fb", "", "__", "é", "e\u{301}"]
    var texts: Set<[UInt8]> = []
    for issuer in parts {
      for client in parts { texts.insert(Array(StorageKey(issuer: "https://x/" + issuer, clientID: client).text.utf8)) }
    }
    // A slash at the end of the issuer is the one thing that does not count: "https://x/" is "https://x", once.
    #expect(texts.count == parts.count * parts.count)
    #expect(StorageKey(older: "é") != StorageKey(older: "e\u{301}"))
  }
}
