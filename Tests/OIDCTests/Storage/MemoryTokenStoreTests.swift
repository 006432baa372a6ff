import OIDC
import Testing

@Suite struct MemoryTokenStoreTests {
  @Test func `tokens that were stored are read, listed and removed`() throws {
    let store = MemoryTokenStore()
    let key = StorageKey(issuer: "https://acme.example/", clientID: "app")
    let tokens = StoredTokens(
      id: "t1", issuer: "https://acme.example", clientID: "app", tokenType: "Bearer", accessToken: "a", issued: 1)
    try store.write(tokens, for: key)
    #expect(try store.read(tokens.key) == tokens)
    #expect(try store.keys() == [key])
    #expect(try store.remove(key))
    #expect(try store.read(key) == nil)
  }
}
