// Texts that cannot be guessed: PKCE verifiers, `state`, `nonce`.

/// Random text.
package enum RandomText {
  /// 32 random bytes in base64url without padding: 43 characters.
  package static func value(from entropy: any Entropy) -> String {
    Base64URL.encode(
      (0..<4).flatMap { _ in
        let bits = entropy.next()
        return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> UInt64($0)) }
      })
  }
}
