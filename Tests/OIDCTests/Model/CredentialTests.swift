import OIDC
import Testing

/// The credentials that a process keeps. They are one list for all of it, so that one test has it all.
@Suite struct CredentialTests {
  @Test("the first one is the default until it is removed; then there is none, whatever else is kept")
  func defaults() throws {
    let before = Credential.all.count
    let first = try Credential.store(Token(accessToken: "first", expiresIn: 60))
    let second = try Credential.store(Token(accessToken: "second", expiresIn: 60))
    Credential.default = first
    try second.remove()
    #expect(Credential.default == first)
    let third = try Credential.store(Token(accessToken: "third", expiresIn: 60))
    try first.remove()
    #expect(Credential.default == nil && Credential.all.contains(third))
    let fourth = try Credential.store(Token(accessToken: "fourth", expiresIn: 60))
    #expect(Credential.default == fourth)
    try third.remove()
    try fourth.remove()
    #expect(Credential.all.count == before && Credential.default == nil)
  }
}
