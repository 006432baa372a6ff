import Testing

@testable import FlowRecording

/// What the look-up of secrets costs, counted in steps, and that it finds what a plain search finds.
@Suite struct NeedleIndexTests {
  private func search(_ secrets: [String], in text: String) -> (hits: [NeedleIndex.Hit], steps: Int) {
    var index = NeedleIndex()
    for (number, secret) in secrets.enumerated() { index.add(secret, placeholder: "\(number)") }
    var steps = 0
    let hits = index.hits(in: text.utf8Span.span, steps: &steps)
    return (hits, steps)
  }

  @Test(
    "secrets that begin alike cost no more than one: steps are counted",
    arguments: ["eyJhbGciOiJSUzI1NiJ9.", "12345678"])
  func sharedBeginning(beginning: String) {
    let text = String(repeating: "see \(beginning)-no-secret \(beginning)77 ", count: 500)
    let ends = (0..<4_000).map { String($0, radix: 7) }
    let few = search([beginning + "000", beginning + "77!"], in: text).steps
    let many = search(ends.map { "\(beginning)x\($0)" } + [beginning + "000", beginning + "77!"], in: text).steps
    #expect(few > 0)
    // A tree of many may part at bytes where that of few goes on: a step more for each of its nodes, at most.
    #expect(many <= few * 2, "\(few) steps for 2 secrets, \(many) for 4,002")
  }

  @Test("each secret contained in the next one: the longest is found in as many steps as it has bytes, twice at most")
  func nested() {
    let longest = "prefix-8" + String(repeating: "ab", count: 600)
    let secrets = (8...longest.utf8.count).map { String(longest.prefix($0)) }
    let text = "<" + longest + ">"
    let (hits, steps) = search(secrets, in: text)
    #expect(hits.first?.range == 1..<(longest.utf8.count + 1))
    let bytes = hits.reduce(0) { $0 + $1.range.count }
    #expect(steps <= 2 * bytes + text.utf8.count, "\(steps) steps for \(bytes) bytes found")
  }

  @Test(
    "text that is nearly a secret at each of its places is masked as a whole, in a bounded number of steps",
    arguments: ["a", "ab", "abcdefgh", "AAAA"])
  func nearlyEverywhere(period: String) {
    let run = String(repeating: period, count: 40_000 / period.utf8.count)
    let secret = String(run.prefix(6_000)) + "!"
    let text = "see " + run
    let (hits, steps) = search([secret], in: text)
    #expect(hits.map(\.range) == [0..<text.utf8.count])
    // The last place looked at may pass the limit, and a step a byte goes to the eight bytes themselves.
    #expect(steps <= (NeedleIndex.stepsPerByte + 2) * text.utf8.count + secret.utf8.count, "\(steps)")
    var flow = MaskedFlow(knowing: secret)
    let masked = flow.mask(text: text)
    #expect(masked == "$secret.known.1.txt$")
    #expect(flow.vault.reveal(masked) == text)
    // A few such places are looked at as any other.
    #expect(
      flow.mask(text: "see \(run.prefix(60)), or \(run.prefix(30))!") == "see \(run.prefix(60)), or \(run.prefix(30))!")
  }

  @Test("secrets that one slot holds in every process are passed in a bounded number of steps too")
  func sameSlot() {
    // They differ from the text only in the bit that letters of either case differ in.
    let secrets = (1..<256).map { number in
      String((0..<8).map { bit -> Character in number >> bit & 1 == 0 ? "@" : "`" })
    }
    let text = String(repeating: "@", count: 4_000)
    let (hits, steps) = search(secrets, in: text)
    #expect(hits.map(\.range) == [0..<text.utf8.count])
    // Each such step counts twice: as one of the slot, and as one of the limit.
    #expect(steps <= 2 * (NeedleIndex.stepsPerByte + 4) * text.utf8.count, "\(steps)")
  }

  @Test("a text full of short secrets is masked as a whole")
  func manyShort() {
    let letters = (0..<26).map { String(Unicode.Scalar(UInt8(97 + $0))) }
    let text = (0..<60_000).map { letters[$0 % 26] }.joined(separator: " ")
    let hits = search(letters, in: text).hits
    #expect(hits.map(\.range) == [0..<text.utf8.count])
    var flow = MaskedFlow(knowing: "a", "b")
    let pairs = String(repeating: "a b ", count: 6_000)
    let masked = flow.mask(text: pairs)
    #expect(masked == "$secret.known.1.txt$")
    #expect(flow.vault.reveal(masked) == pairs)
  }

  @Test(
    "random secrets over two letters, in any case: each place has the longest that a plain search finds",
    arguments: 1...20)
  func anyCase(seed: UInt64) {
    let entropy = SeededEntropy(seed: seed)
    func word(_ count: Int) -> String { String((0..<count).map { _ in "aAbB@`[{".randomElement(by: entropy) }) }
    let secrets = (0..<40).map { _ in word(8 + Int(entropy.next() % 5)) }
    let text = (0..<40).map { _ in entropy.next() & 1 == 0 ? word(20) : secrets[Int(entropy.next() % 40)] }.joined()
    let found = search(secrets, in: text).hits.filter { !$0.isBase64 }.map(\.range)
    let bytes = Array(text.utf8.map(ASCIICase.lowercased))
    var expected: [Range<Int>] = []
    for start in bytes.indices {
      let counts = secrets.compactMap { secret in
        bytes[start...].starts(with: secret.utf8.map(ASCIICase.lowercased)) ? secret.utf8.count : nil
      }
      if let count = counts.max() { expected.append(start..<(start + count)) }
    }
    #expect(found == expected, "seed \(seed)")
  }

  @Test("random secrets over two letters: each place has the longest that a plain search finds", arguments: 1...40)
  func likePlainSearch(seed: UInt64) {
    let entropy = SeededEntropy(seed: seed)
    func word(_ count: Int) -> String { String((0..<count).map { _ in entropy.next() & 1 == 0 ? "a" : "b" }) }
    let secrets = (0..<60).map { _ in word(8 + Int(entropy.next() % 9)) }
    let text = (0..<40).map { _ in entropy.next() & 1 == 0 ? word(20) : secrets[Int(entropy.next() % 60)] }.joined()
    let found = search(secrets, in: text).hits.map { "\($0.range) \($0.placeholder)" }
    let bytes = Array(text.utf8)
    var expected: [String] = []
    for start in bytes.indices {
      var best: (count: Int, number: Int)?
      for (number, secret) in secrets.enumerated() where secret.utf8.count > best?.count ?? 0 {
        if bytes[start...].starts(with: secret.utf8) { best = (secret.utf8.count, number) }
      }
      if let best { expected.append("\(start..<(start + best.count)) \(best.number)") }
    }
    #expect(found == expected)
  }

  @Test(
    "of a secret and an encoding that are alike the secret is named, whichever came first", arguments: [false, true])
  func encodingAlike(isEncodingFirst: Bool) {
    // The second is the first in base64.
    let secrets = ["hunter2hunter2hunter2", "aHVudGVyMmh1bnRlcjJodW50ZXIy"]
    let (hits, _) = search(isEncodingFirst ? secrets : secrets.reversed(), in: secrets[1])
    #expect(hits.first?.isBase64 == false)
    #expect(hits.first?.placeholder == (isEncodingFirst ? "1" : "0"))
  }

  @Test("a run of base64 with many sightings is replaced once, by the placeholder of the first")
  func manyInOneRun() {
    var flow = MaskedFlow(knowing: "hunter2hunter2hunter2")
    let run = String(repeating: "aHVudGVyMmh1bnRlcjJodW50ZXIy", count: 3_000)
    #expect(flow.mask(text: "x \(run) y") == "x $secret.known.1.b64$ y")
    #expect(flow.vault.reveal("x $secret.known.1.b64$ y") == "x \(run) y")
  }
}

extension String {
  fileprivate func randomElement(by entropy: SeededEntropy) -> Character {
    let characters = Array(self)
    return characters[Int(entropy.next() % UInt64(characters.count))]
  }
}
