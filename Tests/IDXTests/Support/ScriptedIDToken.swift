import Crypto
import EventStore
import FlowRecording
import Foundation

/// ID tokens of a script, signed by a key of its own.
enum ScriptedIDToken {
  static let subject = "00u-subject-of-the-script"
  /// When scripts begin.
  static let now = 1_768_467_600
  private static let key = P256.Signing.PrivateKey()

  /// A token that is right in all.
  static let good = token()

  /// A token with claims of other values, or without them.
  static func token(_ changed: [(String, JSON?)] = [], kid: String = "key-1", signed isSigned: Bool = true) -> String {
    var claims = JSONObject()
    let usual: [(String, JSON?)] = [
      ("iss", .string(IDXScript.issuer)), ("sub", .string(subject)), ("aud", "0oa1client"), ("iat", .int(now)),
      ("exp", .int(now + 3_600)), ("auth_time", .int(now - 60)),
    ]
    for (name, value) in usual + changed { claims[name] = value }
    let input = CompactJWS.signingInput(header: ["alg": "ES256", "kid": .string(kid)], claims: .object(claims))
    let signature = (try? key.signature(for: Data(input.utf8))).map { Array($0.rawRepresentation) } ?? []
    return input + "." + Base64URL.encode(isSigned ? signature : Array(repeating: 7, count: 64))
  }

  /// The public half of the key.
  static func jwk(_ id: String = "key-1") -> JSON {
    let point = key.publicKey.rawRepresentation
    return [
      "kty": "EC", "crv": "P-256", "kid": .string(id), "use": "sig",
      "x": .string(Base64URL.encode(Array(point.prefix(32)))), "y": .string(Base64URL.encode(Array(point.suffix(32)))),
    ]
  }
}

extension ION {
  /// The metadata of the script's authorization server.
  static let metadata: JSON = [
    "issuer": .string(IDXScript.issuer), "token_endpoint": .string(IDXScript.issuer + "/v1/token"),
    "jwks_uri": .string(IDXScript.issuer + "/v1/keys"), "id_token_signing_alg_values_supported": ["RS256", "ES256"],
  ]

  /// Its keys.
  static let keys: JSON = ["keys": [ScriptedIDToken.jwk()]]

  /// Tokens with another ID token, or none.
  static func tokens(_ idToken: String?, accessToken: String = "access-token-1") -> JSON {
    .members([
      ("token_type", "Bearer"), ("expires_in", 3600), ("access_token", .string(accessToken)),
      ("scope", "openid profile"),
      ("id_token", idToken.map(JSON.string)), ("refresh_token", "refresh-token-1"),
    ])
  }
}
