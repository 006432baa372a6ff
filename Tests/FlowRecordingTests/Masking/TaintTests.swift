import EventStore
import Foundation
import Testing

@testable import FlowRecording

/// Known secrets in text, as they are and encoded (DESIGN §5).
@Suite struct TaintTests {
  private static let secret = "pa ss+w\"o/rd-é?"

  /// The secret in each encoding that DESIGN §5 names, and one in the other.
  private static let encodings: [(String, String)] = [
    ("percent", percent(secret)), ("percent, lower case", percent(secret, lowercase: true)),
    ("a form", percent(secret).replacingOccurrences(of: "%20", with: "+")),
    ("percent, plus kept", percent(secret).replacingOccurrences(of: "%2B", with: "+")),
    ("percent twice", percent(percent(secret))), ("JSON in a string", escaped(secret)),
    ("JSON, slash escaped", escaped(secret).replacingOccurrences(of: "/", with: "\\/")),
    ("JSON, all escaped", escaped(secret).replacingOccurrences(of: "é", with: "\\u00e9")),
    ("base64", base64(secret)), ("base64, second alignment", base64("a" + secret)),
    ("base64, third alignment", base64("ab" + secret + "c")), ("base64, URL", urlSafeBase64(secret)),
    ("base64, URL, second alignment", urlSafeBase64("a" + secret + "bc")),
    ("base64, no padding", base64(secret + "ab").replacingOccurrences(of: "=", with: "")),
    ("base64, percent", percent(base64(secret + "a"))), ("base64 of JSON", base64("{\"p\":\"\(escaped(secret))\"}")),
    ("base64 of percent", base64("p=" + percent(secret))),
  ]

  @Test("a long secret is replaced inside other text")
  func longInsideText() {
    var flow = MaskedFlow(knowing: "hunter2hunter2")
    #expect(flow.mask(text: "xhunter2hunter2y") == "x$secret.known.1$y")
  }

  @Test(
    "a short secret is replaced as a whole value and as a whole token only",
    arguments: [
      ("1234", "$secret.known.1$"), ("code 1234.", "code $secret.known.1$."), ("x1234", "x1234"),
      ("12345", "12345"), ("é1234", "é1234"), ("_1234-", "_$secret.known.1$-"),
    ])
  func short(text: String, masked: String) {
    var flow = MaskedFlow(knowing: "1234")
    #expect(flow.mask(text: text) == masked)
  }

  @Test("a short secret with punctuation is bounded where it ends in a letter")
  func shortWithPunctuation() {
    var flow = MaskedFlow(knowing: "a-b!")
    #expect(flow.mask(text: "(a-b!) a-b!c xa-b!") == "($secret.known.1$) $secret.known.1$c xa-b!")
  }

  @Test("a single punctuation mark is a secret as a whole value only")
  func punctuationMark() {
    var flow = MaskedFlow(knowing: "-")
    #expect(flow.mask(text: "-") == "$secret.known.1$")
    #expect(flow.mask(text: "a - b") == "a - b")
  }

  @Test(
    "an encoded sighting is replaced and revealed to its very bytes",
    arguments: encodings)
  func encoded(name: String, form: String) {
    for (before, after) in [("", ""), ("see ", " there"), ("é", "é"), ("<", "\u{301}"), ("(", "&x=1")] {
      var flow = MaskedFlow(knowing: Self.secret)
      let text = before + form + after
      let masked = flow.mask(text: text)
      #expect(!masked.contains(form), "\(name) in \(masked)")
      #expect(masked.hasPrefix(before + "$secret.known.1.") && masked.utf8.count < 60, "\(name) in \(masked)")
      #expect(Array(flow.vault.reveal(masked).utf8) == Array(text.utf8), "\(name)")
    }
  }

  @Test("a secret in the payload of a JWT takes the payload with it")
  func jwt() {
    var flow = MaskedFlow(knowing: "ann-password")
    let payload = urlSafeBase64("{\"sub\":\"ann\",\"pwd\":\"ann-password\"}")
    #expect(flow.mask(text: "eyJhbGciOiJub25lIn0.\(payload).c2ln") == "eyJhbGciOiJub25lIn0.$secret.known.1.b64$.c2ln")
  }

  @Test("a short secret is found in Basic credentials and in a JWT")
  func shortInBase64() {
    var flow = MaskedFlow(knowing: "1234")
    #expect(flow.mask(text: "Basic \(base64("ann:1234"))") == "Basic $secret.known.1.b64$")
    let payload = urlSafeBase64("{\"code\":\"1234\"}")
    #expect(!flow.mask(text: "e30.\(payload).c2ln").contains(payload))
  }

  @Test("two encodings of one secret have placeholders of their own, the same encoding has the same")
  func sightingNumbers() {
    var flow = MaskedFlow(knowing: "pass-word")
    #expect(flow.mask(text: "pass%2dword") == "$secret.known.1.pct$")
    #expect(flow.mask(text: "pass%2Dword") == "$secret.known.1.pct2$")
    #expect(flow.mask(text: "pass%2dword") == "$secret.known.1.pct$")
  }

  @Test("of secrets that begin alike the longest is replaced")
  func prefixes() {
    var flow = MaskedFlow(knowing: "abcdefgh", "abcdefghijkl", "cdefghij")
    #expect(flow.mask(text: "abcdefghijkl abcdefgh") == "$secret.known.2$ $secret.known.1$")
  }

  @Test("overlapping secrets leave no end of one another readable")
  func overlapping() {
    var flow = MaskedFlow(knowing: "abcdefgh", "ghijklmnopqr")
    let masked = flow.mask(text: "<abcdefghijklmnopqr>")
    #expect(masked == "<$secret.known.1.join$>")
    #expect(flow.vault.reveal(masked) == "<abcdefghijklmnopqr>")
  }

  @Test("a secret inside the encoded form of a longer one does not keep the longer one readable")
  func insideEncoded() {
    var flow = MaskedFlow(knowing: "abcdefgh", "abcdefgh!rest-of-it")
    let masked = flow.mask(text: "abcdefgh%21rest-of-it")
    #expect(!masked.contains("rest"))
    #expect(flow.vault.reveal(masked) == "abcdefgh%21rest-of-it")
  }

  @Test("base64 right behind the secret itself is replaced too")
  func base64BehindSecret() {
    var flow = MaskedFlow(knowing: "hunter2hunter2")
    let text = "hunter2hunter2" + base64("hunter2hunter2")
    let masked = flow.mask(text: text)
    #expect(!masked.contains("aHVudGVy"))
    #expect(flow.vault.reveal(masked) == text)
  }

  @Test("secrets that look alike but differ in bytes have placeholders of their own")
  func canonicalEquivalence() {
    var flow = MaskedFlow()
    let composed = flow.mask("caf\u{E9}", as: .secret("password"))
    let decomposed = flow.mask("cafe\u{301}", as: .secret("password"))
    #expect(composed != decomposed)
    #expect(flow.vault.reveal(decomposed).bytes == JSON.string("cafe\u{301}").bytes)
  }

  @Test("a placeholder is revealed before a combining character")
  func combiningCharacter() {
    var flow = MaskedFlow(knowing: "hunter2hunter2")
    let masked = flow.mask(text: "hunter2hunter2\u{301}")
    #expect(flow.vault.reveal(masked).utf8.elementsEqual("hunter2hunter2\u{301}".utf8))
  }

  @Test(
    "text in the form of a placeholder is masked as a whole",
    arguments: [
      "$secret.known.1$", "a $secret.x b", "\u{600}$secret.known.1$ hunter2hunter2", "$secret.\u{301}known.1$",
    ])
  func forgery(text: String) {
    var flow = MaskedFlow(knowing: "hunter2hunter2")
    let masked = flow.mask(text: text)
    #expect(masked == "$secret.literal.1$")
    #expect(flow.vault.reveal(masked).utf8.elementsEqual(text.utf8))
  }

  @Test("a secret that contains placeholders is revealed as it was")
  func secretWithPlaceholder() {
    var flow = MaskedFlow(knowing: "hunter2hunter2")
    let masked = flow.mask("x$secret.known.1$y", as: .secret("password"))
    #expect(masked == "$secret.password.1$")
    #expect(flow.vault.reveal(masked) == "x$secret.known.1$y")
  }

  @Test("text that a placeholder completes to the form of one is revealed exactly")
  func completedPlaceholder() {
    var flow = MaskedFlow(knowing: "hunter2hunter2")
    for text in ["hunter2hunter2secret.known.1$", "$secrethunter2hunter2", "$hunter2hunter2$secret"] {
      #expect(flow.vault.reveal(flow.mask(text: text)) == text)
    }
  }

  @Test("a value that first did not taint does so once it is a secret")
  func taintsLater() {
    var flow = MaskedFlow()
    _ = flow.mask(["odd": "abc"], as: .object([:]))
    _ = flow.mask(["password": "abc"], as: .object(["password": .secret("password")]))
    #expect(!flow.mask(text: "typed abc").contains("abc"))
  }

  @Test("a secret number quoted as a string stays a string")
  func numberAsString() {
    var flow = MaskedFlow()
    _ = flow.mask(["answer": 739164], as: .object(["answer": .secret("answer")]))
    let masked = flow.mask("739164", as: .text)
    #expect(masked == "$secret.answer.1.txt$")
    #expect(flow.vault.reveal(masked) == "739164")
    #expect(flow.mask(text: "not 739164") == "not $secret.answer.1$")
  }

  @Test("a vault shows no secret when it is printed or dumped")
  func description() {
    var text = ""
    let vault = MaskedFlow(knowing: "hunter2hunter2").vault
    dump(vault, to: &text)
    #expect(!(text + "\(vault) \(String(reflecting: vault))").contains("hunter2"))
  }

  @Test("masking is linear in the size of the text and in the number of secrets")
  func linear() {
    func seconds(_ count: Int) -> Double {
      var flow = MaskedFlow()
      let values = (0..<count).map { JSON.string(String(format: "%08x-", $0 &* 2_654_435_761) + "value \($0)") }
      let line = "the quick 1234 brown%20fox \\n jumps over value 12 "
      let body: JSON = ["odd": .array(values), "text": .string(String(repeating: line, count: count))]
      // By the processor's time: other tests run beside this one.
      let start = threadSeconds()
      _ = flow.mask(body, as: .object(["text": .text]))
      return threadSeconds() - start
    }
    _ = seconds(500)
    let small = min(seconds(2_000), seconds(2_000))
    let large = seconds(20_000)
    #expect(large < small * 40, "\(small) s for 0.15 MB, \(large) s for 1.5 MB")
  }

  /// The processor's time of this thread.
  private func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
