// One key that signs tokens, and the ways in which a signed token can be wrong.

import Crypto

/// A key with its id and its algorithm.
struct TokenSigner: Sendable {
  let id: String
  /// `alg`.
  let algorithm: String
  /// Signs a message.
  let sign: @Sendable ([UInt8]) -> [UInt8]
  /// Signs with a key that is published under no id.
  let signOtherwise: @Sendable ([UInt8]) -> [UInt8]
  /// The public half: what a forger who confuses algorithms takes for a shared secret.
  let publicBytes: [UInt8]

  /// A signed token, with the given defect. The caller applies defects that are not in the token.
  func token(_ header: OrgJSON, _ claims: OrgJSON, _ defect: OrgChallengeDefect?, at now: Timestamp) -> String {
    var (header, claims) = (header, claims)
    switch defect {
    case .otherKey: return CompactJWS.text(header, claims, sign: signOtherwise)
    case .unknownKey: header["kid"] = .string("sim-unknown-\(algorithm.lowercased())")
    case .unsigned:
      header["alg"] = "none"
      return CompactJWS.text(header, claims) { _ in [] }
    case .sharedSecret:
      header["alg"] = "HS256"
      let secret = SymmetricKey(data: publicBytes)
      return CompactJWS.text(header, claims) { Array(HMAC<SHA256>.authenticationCode(for: $0, using: secret)) }
    case .header(let name, let value): header[name] = value
    case .claim(let name, let value): claims[name] = value
    case .expired(let seconds):
      claims["exp"] = .int(Int(now.seconds) - seconds)
      claims["iat"] = .int(Int(now.seconds) - seconds - 300)
    case .early(let seconds):
      claims["iat"] = .int(Int(now.seconds) + seconds)
      claims["exp"] = .int(Int(now.seconds) + seconds + 300)
    case .wrongSignature:
      return CompactJWS.text(header, claims) { message in
        var signature = sign(message)
        if let last = signature.indices.last { signature[last] ^= 1 }
        return signature
      }
    case .replayed, .payloadVersion, .payload, nil: break
    }
    return CompactJWS.text(header, claims, sign: sign)
  }
}

extension SigningKeys {
  /// The key that signs now.
  var signer: TokenSigner {
    let (id, key) = current
    let other = other
    return TokenSigner(
      id: id, algorithm: "RS256", sign: { key.sign($0) }, signOtherwise: { other.sign($0) }, publicBytes: key.modulus)
  }
}
