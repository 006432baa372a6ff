// Signatures that follow from the message alone (RFC 6979, appendix A.2.5).

import Crypto
import Foundation
import Testing

@testable import SimulatedOrg

@Suite struct CurveKeyTests {
  private let secret: [UInt8] = bytes("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")

  @Test(
    "the test vectors of RFC 6979",
    arguments: [
      (
        "sample",
        "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
          + "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
      ),
      (
        "test",
        "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367"
          + "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"
      ),
    ])
  func vectors(message: String, signature: String) throws {
    let key = try #require(CurveKey(secret: secret))
    #expect(key.sign(Array(message.utf8)) == Self.bytes(signature))
  }

  @Test("another implementation accepts what many keys sign")
  func verified() throws {
    for number in 0..<40 {
      let key = CurveKey(name: "key \(number)")
      let message = Array("message \(number)".utf8)
      let point = try P256.Signing.PublicKey(rawRepresentation: key.publicKey)
      let signature = try P256.Signing.ECDSASignature(rawRepresentation: key.sign(message))
      #expect(point.isValidSignature(signature, for: message))
      let der = try P256.Signing.ECDSASignature(derRepresentation: key.signDER(message))
      #expect(point.isValidSignature(der, for: message))
      #expect(!point.isValidSignature(signature, for: message + [0]))
    }
  }

  @Test("zero and numbers past the order are no keys")
  func invalid() {
    #expect(CurveKey(secret: [UInt8](repeating: 0, count: 32)) == nil)
    #expect(CurveKey(secret: [UInt8](repeating: 0xff, count: 32)) == nil)
    #expect(CurveKey(secret: [1, 2, 3]) == nil)
  }

  @Test("the inverse of a number times the number is one")
  func inverse() {
    var draws = SeededGenerator(seed: 7)
    let one = CurveScalar([1])
    for _ in 0..<50 {
      let number = CurveScalar(draws.bytes(32))
      #expect(number * number.inverse == one)
    }
    #expect(one.inverse == one)
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.utf8)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
    }
  }
}
