// Signed tokens as these tests make and read them: by themselves, without the org's own code.

import Crypto
import CryptoExtras
import Foundation
import Testing

/// A key pair and its id.
struct TestKey {
  var id: String
  var key = P256.Signing.PrivateKey()

  /// The public half as a device sends it.
  var webKey: [String: Any] {
    let point = Array(key.publicKey.rawRepresentation)
    return [
      "kty": "EC", "crv": "P-256", "kid": id, "okta:kpr": "SOFTWARE", "x": TestToken.base64url(point.prefix(32)),
      "y": TestToken.base64url(point.suffix(32)),
    ]
  }

  func sign(_ header: [String: Any], _ claims: [String: Any]) throws -> String {
    try TestToken.make(header, claims) { try key.signature(for: SHA256.hash(data: $0)).rawRepresentation }
  }
}

/// Compact JWS.
enum TestToken {
  static func base64url(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }

  static func bytes(_ text: some StringProtocol) throws -> Data {
    var text = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    while text.count % 4 != 0 { text += "=" }
    return try #require(Data(base64Encoded: text))
  }

  static func make(
    _ header: [String: Any], _ claims: [String: Any], sign: (Data) throws -> some Sequence<UInt8>
  ) throws -> String {
    let parts = try [header, claims].map {
      base64url(try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys))
    }
    let signed = parts.joined(separator: ".")
    return signed + "." + base64url(try sign(Data(signed.utf8)))
  }

  /// Header and claims, nothing verified.
  static func read(_ text: String) throws -> (header: [String: Any], claims: [String: Any]) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    try #require(parts.count == 3)
    let objects = try parts.prefix(2).map {
      try #require(try JSONSerialization.jsonObject(with: bytes($0)) as? [String: Any])
    }
    return (objects[0], objects[1])
  }

  /// Whether an RSA key of a key set signed a token.
  static func isSigned(_ text: String, by keys: WireReply) throws -> Bool {
    let (header, _) = try read(text)
    let all = try #require(keys.value("keys") as? [[String: Any]])
    guard let key = all.first(where: { $0["kid"] as? String == header["kid"] as? String }),
      header["alg"] as? String == "RS256"
    else { return false }
    let modulus = try bytes(try #require(key["n"] as? String))
    let exponent = try bytes(try #require(key["e"] as? String))
    let rsa = try _RSA.Signing.PublicKey(n: modulus, e: exponent)
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let signature = _RSA.Signing.RSASignature(rawRepresentation: try bytes(parts[2]))
    return rsa.isValidSignature(
      signature, for: SHA256.hash(data: Data(parts[0...1].joined(separator: ".").utf8)), padding: .insecurePKCS1v1_5)
  }
}

/// A body under construction.
typealias Body = [String: Any]

extension [String: Any] {
  /// The value at a path such as `device/id`; setting `nil` takes the member out.
  subscript(at path: String) -> Any? {
    get {
      let (first, rest) = Self.split(path)
      guard let rest else { return self[first] }
      return (self[first] as? [String: Any])?[at: rest]
    }
    set {
      let (first, rest) = Self.split(path)
      guard let rest else {
        self[first] = newValue
        return
      }
      var inner = self[first] as? [String: Any] ?? [:]
      inner[at: rest] = newValue
      self[first] = inner
    }
  }

  private static func split(_ path: String) -> (String, String?) {
    let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
    return (parts[0], parts.count > 1 ? parts[1] : nil)
  }
}
