// CBOR, as far as WebAuthn uses it (RFC 8949, appendix A).

import Testing

@testable import SimulatedOrg

@Suite struct CBORTests {
  @Test(
    "examples of the RFC",
    arguments: [
      (CBOR.int(0), [0x00]), (.int(23), [0x17]), (.int(24), [0x18, 0x18]), (.int(1000), [0x19, 0x03, 0xe8]),
      (.int(1_000_000), [0x1a, 0x00, 0x0f, 0x42, 0x40]), (.int(-1), [0x20]), (.int(-1000), [0x39, 0x03, 0xe7]),
      (.bytes([1, 2, 3, 4]), [0x44, 1, 2, 3, 4]), (.text("IETF"), [0x64, 0x49, 0x45, 0x54, 0x46]),
      (.array([.int(1), .array([.int(2)])]), [0x82, 0x01, 0x81, 0x02]),
      (.map([.init(.int(1), .int(2)), .init(.int(3), .int(4))]), [0xa2, 1, 2, 3, 4]),
    ] as [(CBOR, [UInt8])])
  func examples(value: CBOR, bytes: [UInt8]) throws {
    #expect(value.encoded == bytes)
    let (read, rest) = try #require(CBOR.read((bytes + [9])[...]))
    #expect(read == value)
    #expect(Array(rest) == [9])
  }

  @Test("bytes that are no value are none, and nothing traps")
  func broken() {
    for bytes: [UInt8] in [
      [], [0x18], [0x44, 1, 2], [0x82, 1], [0xa1, 1], [0x1b, 0, 0, 0, 0, 0, 0, 0, 1], [0xf6], [0x9f],
    ] {
      #expect(CBOR.read(bytes[...]) == nil)
    }
    #expect(CBOR.read([UInt8](repeating: 0x81, count: 5000)[...]) == nil)
    var draws = SeededGenerator(seed: 11)
    for length in 0..<400 { _ = CBOR.read(draws.bytes(length % 40)[...]) }
  }
}
