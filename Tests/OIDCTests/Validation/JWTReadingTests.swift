import EventStore
import FlowRecording
import OIDC
import Testing

/// `decodeJWT` of the seed API: any JWT, nothing verified (oidc §8.4).
@Suite struct JWTReadingTests {
  @Test func `the payload is read as base64url, with what is not ASCII`() throws {
    let payload: JSON = ["name": "Zoë??>>~~ÿÿ 山田"]
    let part = Base64URL.encode(payload.bytes)
    #expect(part.contains("-") || part.contains("_"))
    #expect(try JWTReading.decode("e30.\(part).sig") == payload)
    #expect(try JWTReading.decode("anything.\(part)") == payload)
    #expect(try JWTReading.decode("e30.\(part)==.sig") == payload)
  }

  @Test func `fewer than two parts are no JWT, and a payload that cannot be read is an error`() throws {
    #expect(try JWTReading.decode("") == nil)
    #expect(try JWTReading.decode("opaque-token") == nil)
    for bad in ["a.b+/.c", "a..c", "a.bnVsbA.c", "a.e30x.c", "a.\u{E9}.c", "."] {
      #expect(throws: OktaError.JWTDecodeError) { try JWTReading.decode(bad) }
    }
  }

  @Test func `the id of the key is read from the header`() {
    #expect(JWTReading.keyID(of: TokenMaker().token()) == "key-1")
    for bad in ["", "...", "e30.e30.", "W10.", "bnVsbA"] { #expect(JWTReading.keyID(of: bad) == nil) }
  }
}
