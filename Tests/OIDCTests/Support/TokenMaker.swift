// Makes ID tokens for tests, good ones and bad ones.
//
// THE RSA KEYS ARE THROW-AWAY TEST KEYS, PUBLISHED WITH THIS SOURCE: they protect nothing.

import Crypto
import CryptoExtras
import EventStore
import FlowRecording
import Foundation

/// A key pair of a test, and how it looks in a key set.
enum TestKey {
  /// RSA of 2048 bits.
  case rsa
  /// RSA of 1024 bits, too short to count.
  case shortRSA
  /// P-256.
  case p256

  private static let curveKey = P256.Signing.PrivateKey()

  private static let long = """
    MIIEpQIBAAKCAQEAu6MhNSJPo31ZZz1+/nM6IbMGbjXufQQO1p+rkiJg5ZBX5yitCeX7nHG5ne2d8ZBRsvOOS9fWq2iwK+i2r+XK0qYVlMoU04PUK+HezE
    OUIggO1rO/xNk14BnrfmHbtJMgrMPNefeIY4ertI5xJ1jdNkRf9VOYLAzeb7HM1mX/F+dqz0QSfDP2c6ju0ZTCswPJhEmwBVz3F8dt3A1jgfVP7l3FqT5+
    GPRFKrh4lg9MVZgQcJiYbS2rrkzZqbdb6LOrmRLQRa4J5JbpBeqLxg9XHigejg63tJhxuiP7EWxo0jlyxuFpjq/FxUJrTO+fNlrG6OQX4TcMZzITQlfApn
    mWqwIDAQABAoIBAEN9YwHeFAANo50fQPDb2EJrxrnYey4LSh0HdGpNJEYd+4ghGNBRIQW94BI+eAt9qe0wbnO4MDYaIxfADgnJoQDQjT2lzATiS2v3Q7B7
    9CmjdVbjc2wl5ptzJ0GfiCt0qhGKIfunPa7zCx8YBvosm/Cbelpe1YKupElPjgplyHG7hOOtMlbwiYQQnBEcSnLbhaItZAdIzog5p6YJ4hhKCUt8Q/1UDj
    +gnlc2WG5C8qnIoAa1wBkt9G/qMI5hWoSGODiHAEABAhWkt4lE7I0Qf07u9+NvH0g99uCW8tL6BM+Vq3tvE/x0zdpIog0JpNJrpuX0EiSUefPR2no3OIh+
    oFUCgYEA5DqIEOqrO7vXdJtTGhp5vFMqme8WKpzNF4CpHJNXM4MMppceLce5VQJBaxI7NYEwNjMLjE0gy6eMbkqDa5hxiUo6wqB1YXCWj/U639r/Nw1ocF
    xW3uC5CI7rMYRcpcY2162e2QxuZNWvTO9puaNB/8bQbR67vduuiFJNQnx23b0CgYEA0ngmT2bEsEOaVAwPoX3iKONwVBtyoHE5NTh/cTQF7spLGCK27SbR
    R8pHWSNgLhWJO63c/aCxdBKlw3quETXKJ32yj6mgsmpnNoON1r1hIHUHLKwRbJ0PHND0V6amUsjpQ1en+L5pbWnEc9UiWsEnoYuM8kALhJTo8h/P/fw7yI
    cCgYEAqAYzkIjEIgkL+Ww1BT3CrBRqg8PShPLFx2zQlBohk+oCUU9mR3wIBP7RHLviXWTMEssH0HYkE+s5ZyVyla84v0On+Qva/y69miSIALChPm2fm0FQ
    L2wwrY1SuDTjZKSGUckf7lnJmHD9S13jb2kzONStM/jxbTijyPcWrEEn3d0CgYEAjY+itOU6hhPySXWTTduNslLHysprXt7Iy7MkhM+o7ePCfola4Eerm8
    3CD4JrvpNdqnZWnYDn2lpwg/qP+aNkRQuWfmppW5eVtGTnkffuzBXqrXFOhu9cqtUgg5PjausXeeQLZpMr9hudtws0ADbKoS1rr8TD+njt9WzQSNTOoSEC
    gYEAsELZA/p4gtGeXi4CA46qvX/IRJfECNYbDAYmqA1njvB5mK/Bk8ex1Gr9QVBg3HmGLdxkBqdlRmlHNOs9A1BuC3/eReYBSA9FS9tL+1EeAdi4PpPmt9
    imXY6UM+gMmnbweozn3y9um9yfVQOQ3R7sJTxjlDaYbHIXRlaxmNCOQDM=
    """

  private static let short = """
    MIICXgIBAAKBgQCjSdOn+O7yOx4aOkNwSHUPo5nFg6rUpsqhpeEvhjOYpfBgwi2LEaJl+wir2JPmVzkCefUOvTqeytqjR0BYRvIC2j1t6P4yXpXGM/FRQ+
    BlaMvU8CEtYBLnHjGYGy5CNS5rVuBQLIb4GjjBLwYdevwY67RKKAMWMSsqMQ3K7uhctQIDAQABAoGBAIKI10oVp7c/aU4gO588XVB2Qcxy+JLtD1nwSLd8
    Oi0SorpHIK9nFoMeDo2KIpnmKm3/Xtc8kOs2UVhr8lVfycEU1FrQXB9ZHUsRdPxfXJRbOaS9S7EbMciYjzf0JGYJWr9FmFhWlS7KwE2CJQ+Dp8J9+aCtFx
    lbvF6YzBNQvu+1AkEA1VO5PXhmJe/bUyXUMKG8WbRWWkvbnSgWtwGUa41AoX2ji0nILXQsq4CjkiWDt/KGZE9+9asFMCutfFSzXHUSbwJBAMPzq7R5h5Ju
    b+jpK0Q2AhCDgdDBZ9ViHC7+3/mWN1ytJZd45BvqN3l+PFr9+pxEkvwPLVSPKZy/Eua8e46gxRsCQFGgkLABwuxfREgjoHbfXEfi5mv0vNr8vPxXwWgKC6
    H/hjXFDLC/1FvnhC9m5WjchyoY9Rah0wFkpSR+8Ia/UUcCQQCQN4TGHTPEd/dxajrnxwAZ+0/NvqqXB9BKXlelsAMq+FxUcSshyG3vwxLUvVx3KpkrXlg0
    hfFQZeiZXVtqi7TFAkEAyJ+t97Pd4j4l7nFwhiBJFrWFk6X+V/wZ27GdVF68KRwwn1rU3V+hGxItL9mhG9Gibu9M+wsTepS+6oxEwHVthA==
    """

  private var rsa: _RSA.Signing.PrivateKey? {
    switch self {
    case .rsa: Self.read(Self.long)
    case .shortRSA: Self.read(Self.short)
    case .p256: nil
    }
  }

  private static func read(_ base64: String) -> _RSA.Signing.PrivateKey? {
    let der = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data()
    return try? _RSA.Signing.PrivateKey(unsafeDERRepresentation: der)
  }

  /// The modulus of an RSA key.
  var modulus: [UInt8] { (try? rsa?.publicKey.getKeyPrimitives()).map { Array($0.modulus) } ?? [] }

  /// The public half as a JWK.
  func jwk(_ id: String? = "key-1", extra: [(String, JSON?)] = []) -> JSON {
    let numbers: [(String, JSON?)] =
      switch self {
      case .rsa, .shortRSA:
        [
          ("kty", "RSA"), ("n", .string(Base64URL.encode(modulus))),
          ("e", .string((try? rsa?.publicKey.getKeyPrimitives()).map { Base64URL.encode($0.publicExponent) } ?? "")),
        ]
      case .p256:
        [
          ("kty", "EC"), ("crv", "P-256"),
          ("x", .string(Base64URL.encode(Self.curveKey.publicKey.rawRepresentation.prefix(32)))),
          ("y", .string(Base64URL.encode(Self.curveKey.publicKey.rawRepresentation.suffix(32)))),
        ]
      }
    return .members([("kid", id.map(JSON.string))] + numbers + extra)
  }

  /// RS256 or ES256 of a text.
  func sign(_ text: String) -> [UInt8] {
    let data = Data(text.utf8)
    switch self {
    case .rsa, .shortRSA:
      let signature = try? rsa?.signature(for: SHA256.hash(data: data), padding: .insecurePKCS1v1_5)
      return signature.map { Array($0.rawRepresentation) } ?? []
    case .p256: return (try? Self.curveKey.signature(for: data)).map { Array($0.rawRepresentation) } ?? []
    }
  }
}

/// A token in the making: header and claims as they will be written.
struct TokenMaker {
  /// 2026-11-22T12:00:00Z, when the tokens of tests are checked.
  static let now = 1_795_348_800
  static let issuer = "https://acme.example/oauth2/default"
  static let accessToken = "sample-access-token"

  var header: [(String, JSON?)] = [("alg", "RS256"), ("kid", "key-1")]
  var claims: [(String, JSON?)] = [
    ("iss", .string(issuer)), ("sub", "00u-subject-canary"), ("aud", "client-1"), ("exp", .int(now + 3_600)),
    ("iat", .int(now)), ("nonce", "nonce-canary"), ("at_hash", "EN9PvSfRnJ9qwbHAFRGqMw"), ("auth_time", .int(now - 60)),
    ("acr", "urn:okta:loa:2fa:any"), ("amr", ["pwd", "otp"]), ("jti", "ID.1"), ("name", "Zoë Ångström 山田"),
  ]
  var key = TestKey.rsa

  /// The same token with a claim of another value, or without it.
  func with(_ claim: String, _ value: JSON?) -> TokenMaker {
    var copy = self
    copy.claims.removeAll { $0.0 == claim }
    copy.claims.append((claim, value))
    return copy
  }

  /// The same token with a member of the header of another value, or without it.
  func header(_ name: String, _ value: JSON?) -> TokenMaker {
    var copy = self
    copy.header.removeAll { $0.0 == name }
    copy.header.append((name, value))
    return copy
  }

  /// What is signed.
  var input: String { CompactJWS.signingInput(header: .members(header), claims: .members(claims)) }

  /// The token, signed by its key or as the test says.
  func token(signature: [UInt8]? = nil) -> String { input + "." + Base64URL.encode(signature ?? key.sign(input)) }
}
