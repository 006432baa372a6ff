import Foundation
import Testing

/// Answers that end too early, and answers with something changed.
@Suite struct CutTests {
  @Test("an answer that is cut at any byte, with a length and without", arguments: API.allCases, [true, false])
  func cut(api: API, hasLength: Bool) async throws {
    let steps: [Step] = Effort.isLong ? api.steps : [api == .authn ? .authenticate : .introspect]
    for step in steps {
      let answer = { @Sendable (moment: Moment) -> [UInt8] in
        let length = hasLength ? "Content-Length: \(moment.honest.utf8.count)\r\n" : ""
        return Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(length)\r\n\(moment.honest)".utf8)
      }
      let size = 60 + HostileOrg.body(of: step, "http://127.0.0.1:65535").utf8.count + (hasLength ? 25 : 0)
      let stride = Effort.isLong ? 1 : 7
      let times = size / stride
      let whole = Locked(0)
      let attack = Attack(
        name: "cut at each byte of \(step)\(hasLength ? ", with a length" : "")", api: api,
        act: { moment in
          guard moment.step == step else { return .honest }
          let bytes = answer(moment)
          let length = moment.count * stride
          if length >= bytes.count { whole.withLock { $0 += 1 } }
          return .deed { $0.write(Array(bytes.prefix(length))) }
        }, settings: ["times=\(times)", "timeout=3000"], requests: times * 6)
      let after = try await attack.run()
      #expect(after.outcomes.count == times)
      // An answer without its end is none: only a sign-in that received a whole one may go on.
      #expect(after.outcomes.count(where: { $0 != "failed" }) <= whole.withLock { $0 })
      #expect(after.output.contains("error"))
    }
  }

  @Test("an answer with a part changed, at random", arguments: API.allCases)
  func changed(api: API) async throws {
    // A changed answer may lead to polls, a second apart.
    let times = 25
    for run in 0..<(Effort.isLong ? 80 : 1) { try await changed(api, run, times) }
  }

  private func changed(_ api: API, _ run: Int, _ times: Int) async throws {
    let seed =
      ProcessInfo.processInfo.environment["FLOWRECORDER_SEED"].flatMap { UInt64($0) } ?? 20_261_122 &+ UInt64(run)
    let generator = Locked(Random(state: seed))
    let attack = Attack(
      name: "changed, seed \(seed)", api: api,
      act: { moment in
        let body = generator.withLock { random in
          random.next() % 3 == 0 ? Mutation.change(moment.honest, &random) : moment.honest
        }
        return .answer(body)
      }, settings: ["times=\(times)", "timeout=3000", "requests=20"], requests: times * 25)
    let after = try await attack.run()
    #expect(after.outcomes.count == times)
    #expect(after.requests.count <= times * 20)
    #expect(after.peakMemory < Attack.memory)
  }
}

/// SplitMix64.
struct Random {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }
}

/// Changes in JSON text.
enum Mutation {
  private static let values = [
    "null", "true", "0", "-1", "1e999", "9223372036854775808", "[]", "{}", #""""#, #""\u0000""#, #""\ud800""#,
    #""$secret.password.1$""#, "[[[[]]]]", #"{"href":1}"#, #"["POST"]"#, #""https://127.0.0.1:1/""#, #""WAITING""#,
  ]

  /// The text with a value replaced, a piece removed or repeated, or a byte changed.
  static func change(_ text: String, _ random: inout Random) -> String {
    var bytes = Array(text.utf8)
    switch random.next() % 4 {
    case 0:
      let colons = bytes.indices.filter { bytes[$0] == UInt8(ascii: ":") && $0 + 1 < bytes.count }
      let start = colons[random.below(colons.count)] + 1
      let end = bytes[start...].firstIndex { ",}]".utf8.contains($0) } ?? bytes.count
      bytes.replaceSubrange(start..<end, with: values[random.below(values.count)].utf8)
    case 1:
      let start = random.below(bytes.count)
      bytes.removeSubrange(start..<min(bytes.count, start + 1 + random.below(20)))
    case 2:
      let start = random.below(bytes.count)
      let end = min(bytes.count, start + 1 + random.below(60))
      bytes.insert(contentsOf: bytes[start..<end], at: start)
    default: bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
