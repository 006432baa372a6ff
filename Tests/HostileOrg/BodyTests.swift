import Foundation
import Testing

/// Bodies that are too large, too slow, too deep, or never end.
@Suite struct BodyTests {
  private static let bomb = Deflate.bomb(40_000_000)

  /// Bodies that no sign-in can go on from.
  static let refused: [Attack] = [
    Attack.onEach("a gzip of 40 MB", settings: ["timeout=40000"], says: "responseTooLarge") { _ in
      .deed { line in
        line.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
        line.write(bomb)
        line.awaitEnd()
      }
    },
    Attack.onEach(
      "a length of 10^18", settings: ["timeout=40000"], says: "responseTooLarge",
      at: [.authn: .authenticate, .idx: .interact]
    ) { _ in
      .deed { line in
        line.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000000000\r\n\r\n")
        while line.write(Array(repeating: 0x20, count: 65_536)) {}
      }
    },
    Attack.onEach("chunks without end", settings: ["timeout=40000"], says: "responseTooLarge") { _ in
      .deed { line in
        line.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0x20, count: 65_536) + Array("\r\n".utf8)
        while line.write(chunk) {}
      }
    },
    Attack.onEach("trailers without end", settings: ["timeout=2000"]) { _ in
      .deed { line in
        line.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n")
        while line.write("X-Trailer: \(String(repeating: "x", count: 4_000))\r\n") {}
      }
    },
    Attack.onEach("nothing", settings: ["timeout=700"], says: "timedOut") { _ in .deed { $0.awaitEnd() } },
    Attack.onEach("a byte a moment", settings: ["timeout=900"], says: "timedOut") { moment in
      .deed { line in
        line.write("HTTP/1.1 200 OK\r\nContent-Length: \(moment.honest.utf8.count)\r\n\r\n")
        for byte in moment.honest.utf8 {
          guard line.write([byte]) else { return }
          usleep(50_000)
        }
      }
    },
    Attack.onEach("100,000 arrays in each other") { _ in
      .answer(String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000))
    },
    Attack.onEach("100,000 objects in each other") { _ in
      .answer(String(repeating: #"{"a":"#, count: 100_000) + "1" + String(repeating: "}", count: 100_000))
    },
    Attack.onEach("brackets that never close") { _ in .answer(String(repeating: "[{\"a\":", count: 200_000)) },
  ].flatMap { $0 }

  /// Honest bodies with much more in them.
  static let extended: [Attack] = [
    Attack.onEach("20,000 unknown members") { moment in
      let members = (0..<20_000).map { #","member-\#($0)":"value-\#($0)""# }.joined()
      return .answer(moment.honest.dropLast() + members + "}")
    },
    Attack.onEach("a member 20,000 times") { moment in
      .answer(moment.honest.dropLast() + String(repeating: #","status":"SUCCESS""#, count: 20_000) + "}")
    },
    Attack.onEach("a text of 3 MB") { moment in
      .answer(moment.honest.dropLast() + #","errorSummary":"\#(String(repeating: "x", count: 3_000_000))"}"#)
    },
    Attack.onEach("a number of a million digits") { moment in
      .answer(moment.honest.dropLast() + #","refresh":\#(String(repeating: "9", count: 1_000_000))}"#)
    },
  ].flatMap { $0 }

  @Test("a sign-in ends at a large, slow, deep or endless body, within its memory and disk", arguments: refused)
  func body(attack: Attack) async throws {
    let after = try await attack.run()
    #expect(after.output.contains("error"))
    if let says = attack.says { #expect(after.output.contains(says)) }
    #expect(after.outcomes == ["failed"])
    // Those before the attack, and the one that it answers: none is sent again, and none follows.
    #expect(after.requests.count <= (attack.api == .authn ? 2 : 3))
    #expect(after.peakMemory < Attack.memory)
    #expect(after.disk <= Attack.disk)
  }

  @Test(
    "a sign-in goes on from an honest body with much more in it, or refuses it, within its memory and disk",
    arguments: extended)
  func more(attack: Attack) async throws {
    let after = try await attack.run()
    // With the Identity Engine, the honest org's ID token is what fails.
    #expect(after.outcomes == ["failed"] || attack.api == .authn && after.outcomes == ["success"])
    #expect(after.outcomes == ["success"] || after.output.contains("error"))
    #expect(after.peakMemory < Attack.memory)
    #expect(after.disk <= Attack.disk)
  }
}

/// A compressed body, made bit by bit (RFC 1951, RFC 1952).
enum Deflate {
  /// A gzip of so many zeros: one literal, then copies of 258 bytes at distance 1, with the fixed codes.
  static func bomb(_ size: Int) -> [UInt8] {
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    var (buffer, count) = (UInt32(0), UInt32(0))
    func put(_ value: UInt32, _ bits: UInt32) {
      buffer |= value << count
      count += bits
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: buffer))
        buffer >>= 8
        count -= 8
      }
    }
    put(0b011, 3)  // the last block, fixed codes
    put(0b0000_1100, 8)  // the literal 0: code 00110000, its highest bit first
    for _ in 0..<(size / 258) {
      put(0b1010_0011, 8)  // length 258: code 285, 11000101
      put(0, 5)  // distance 1
    }
    put(0, 7)  // the end
    put(0, 8)
    return bytes + [UInt8](repeating: 0, count: 8)
  }
}
