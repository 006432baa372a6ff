#if Nats
  // Which servers to connect to, and with what rights.
  import Crypto
  package import EventStore

  /// How a connection is made.
  package struct NatsAccess: Sendable {
    /// The addresses: `nats://HOST:PORT` or `tls://HOST:PORT`.
    package var servers: [String]
    /// The user's credentials file: a JWT and a seed, or an NKEY seed alone; nil connects without.
    package var credentials: String?
    /// The file of the certificate authorities for checking servers, in PEM form; nil uses the system's. If set, TLS is
    /// required.
    package var authorities: String?

    /// Access to the servers in an argument, separated by commas.
    ///
    /// Throws `invalid` if it names none, or contains a password.
    package init(_ urls: String, credentials: String? = nil, authorities: String? = nil) throws(StoreError) {
      servers = urls.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      self.credentials = credentials
      self.authorities = authorities
      for server in servers {
        guard let scheme = ["nats://", "tls://"].first(where: server.hasPrefix),
          server.utf8.count > scheme.utf8.count, !server.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F })
        else {
          throw StoreError(
            .invalid, "an address is not nats://HOST:PORT or tls://HOST:PORT", advice: "separate several by commas")
        }
        guard !server.utf8.contains(0x40) else {
          throw StoreError(
            .invalid, "an address contains a user's name or password", advice: "give --creds FILE instead")
        }
      }
    }

    /// True if the connection must be encrypted.
    var isEncrypted: Bool { authorities != nil || servers.contains { $0.hasPrefix("tls://") } }
  }

  /// The public half of an NKEY seed, by which the server identifies a user.
  ///
  /// A seed is base32 (RFC 4648, without padding) of two bytes of kind, 32 bytes of an Ed25519 seed and a CRC-16,
  /// smallest byte first; a public key is one byte of kind, 32 bytes of key and the CRC.
  package enum UserKey {
    /// A new user: the seed, which is secret, and the public key.
    package static func make() -> (seed: String, publicKey: String) {
      let key = Curve25519.Signing.PrivateKey()
      // The kind of a seed, `S`, in five bits, then that of its key.
      let body = [18 << 3 | userKind >> 5, userKind << 3] + Array(key.rawRepresentation)
      return (encoded(body + checksum(body[...])), publicKey(key))
    }

    /// The public key of the user seed that a file's text contains; nil if it contains none.
    static func publicKey(ofSeedIn text: String) -> String? {
      let words = text.split(whereSeparator: \.isWhitespace)
      guard let seed = words.first(where: { $0.hasPrefix("SU") && $0.utf8.count == 58 }),
        let bytes = decoded(seed.utf8), bytes.count == 36, checksum(bytes.dropLast(2)) == Array(bytes.suffix(2)),
        let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes[2..<34])
      else { return nil }
      return publicKey(key)
    }

    private static func publicKey(_ key: Curve25519.Signing.PrivateKey) -> String {
      let body = [userKind] + Array(key.publicKey.rawRepresentation)
      return encoded(body + checksum(body[...]))
    }

    /// The byte with which public keys of users begin, so that they begin with `U`.
    private static let userKind: UInt8 = 20 << 3

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    private static func decoded(_ text: some Sequence<UInt8>) -> [UInt8]? {
      var (bits, count, bytes): (UInt32, Int, [UInt8]) = (0, 0, [])
      for letter in text {
        guard let value = alphabet.firstIndex(of: letter) else { return nil }
        bits = bits << 5 | UInt32(value)
        count += 5
        if count >= 8 {
          count -= 8
          bytes.append(UInt8(truncatingIfNeeded: bits >> count))
          bits &= (1 << count) - 1
        }
      }
      return bytes
    }

    private static func encoded(_ bytes: [UInt8]) -> String {
      var (bits, count, text): (UInt32, Int, [UInt8]) = (0, 0, [])
      for byte in bytes {
        bits = bits << 8 | UInt32(byte)
        count += 8
        while count >= 5 {
          count -= 5
          text.append(alphabet[Int(bits >> count)])
          bits &= (1 << count) - 1
        }
      }
      if count > 0 { text.append(alphabet[Int(bits << (5 - count))]) }
      return String(decoding: text, as: UTF8.self)
    }

    /// CRC-16 of polynomial 0x1021 from 0 (XMODEM), smallest byte first.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
      var crc: UInt16 = 0
      for byte in bytes {
        crc ^= UInt16(byte) << 8
        for _ in 0..<8 { crc = crc & 0x8000 == 0 ? crc << 1 : crc << 1 ^ 0x1021 }
      }
      return [UInt8(truncatingIfNeeded: crc), UInt8(truncatingIfNeeded: crc >> 8)]
    }
  }
#endif
