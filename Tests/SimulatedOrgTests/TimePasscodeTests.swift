// RFC 6238, Appendix B, and the secrets' alphabet.

import Foundation
import Testing

@testable import SimulatedOrg

@Suite struct TimePasscodeTests {
  @Test(arguments: [
    (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
    (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
  ])
  func `codes are those of RFC 6238`(seconds: Int64, code: String) {
    let step = TimePasscode.step(at: Timestamp(milliseconds: seconds * 1000))
    #expect(TimePasscode.code(secret: Array("12345678901234567890".utf8), step: step, digits: 8) == code)
  }

  @Test(arguments: [
    ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
    ("foobar", "MZXW6YTBOI"),
  ])
  func `base32 is that of RFC 4648`(plain: String, text: String) {
    #expect(Base32.text(Array(plain.utf8)) == text)
    #expect(Base32.bytes(text) == Array(plain.utf8))
    #expect(Base32.bytes(text.lowercased() + "==") == Array(plain.utf8))
    #expect(Base32.bytes(text + "1") == nil)
  }
}
