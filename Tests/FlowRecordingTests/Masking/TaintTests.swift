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
    ("base64 of percent", base64("p=" + percent(secret))), ("HTML", html(secret)),
    ("HTML, all entities", entities(secret)),
    ("HTML, hexadecimal", entities(secret, radix: 16)), ("upper case", asciiUppercased(secret)),
    ("upper case, percent", percent(asciiUppercased(secret))),
    ("decomposed", secret.decomposedStringWithCanonicalMapping), ("as Latin-1", latin(secret)),
    ("percent-u", secret.utf16.map { String(format: "%%u%04X", $0) }.joined()),
    ("backslash-x", secret.utf8.map { String(format: "\\x%02x", $0) }.joined()),
    ("base64 of UTF-16", base64UTF16(secret, bigEndian: false)),
    ("base64 of UTF-16, big-endian", base64UTF16("p=" + secret, bigEndian: true)),
  ]

  private static func html(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "\"", with: "&quot;")
  }

  private static func entities(_ text: String, radix: Int = 10) -> String {
    text.unicodeScalars.map { "&#\(radix == 16 ? "x" : "")\(String($0.value, radix: radix));" }.joined()
  }

  private static func asciiUppercased(_ text: String) -> String {
    String(decoding: text.utf8.map { (97...122).contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
  }

  private static func latin(_ text: String) -> String {
    String(String.UnicodeScalarView(text.utf8.map { Unicode.Scalar($0) }))
  }

  private static func base64UTF16(_ text: String, bigEndian: Bool) -> String {
    text.data(using: bigEndian ? .utf16BigEndian : .utf16LittleEndian)?.base64EncodedString() ?? ""
  }

  @Test("white space around a secret does not keep what is between readable", arguments: ["s3cret", "hunter2hunter2"])
  func trimmed(core: String) {
    var flow = MaskedFlow(knowing: " \(core)\t")
    let masked = flow.mask(text: "you typed '\(core)'.")
    #expect(masked == "you typed '$secret.known.1.trim$'.")
    #expect(flow.vault.reveal(masked) == "you typed '\(core)'.")
    #expect(flow.mask(text: "you typed ' \(core)\t'.") == "you typed '$secret.known.1$'.")
  }

  @Test("base64 in lines is replaced from the line where it begins", arguments: ["\n", "\r\n", "\\r\\n", "%0A"])
  func foldedBase64(end: String) {
    var flow = MaskedFlow(knowing: Self.secret)
    let long = base64("a letter of some length, and at its end the password: " + Self.secret)
    let lines = stride(from: 0, to: long.utf8.count, by: 20).map { start in
      String(long.dropFirst(start).prefix(20))
    }
    let text = "PEM: <" + lines.joined(separator: end) + ">"
    let masked = flow.mask(text: text)
    for line in lines.suffix(2) { #expect(!masked.contains(line), "\(masked)") }
    #expect(Array(flow.vault.reveal(masked).utf8) == Array(text.utf8))
  }

  @Test("of two secrets that differ by their case each keeps its placeholder")
  func twoCases() {
    var flow = MaskedFlow(knowing: "Correct-Horse", "correct-horse")
    #expect(flow.mask(text: "<Correct-Horse>") == "<$secret.known.1$>")
    #expect(flow.mask(text: "<correct-horse>") == "<$secret.known.2$>")
    #expect(flow.mask(text: "<CORRECT-HORSE>") == "<$secret.known.1.case$>")
  }

  @Test(
    "a secret that reaches over the marks at which an address is taken apart leaves none of its parts readable",
    arguments: [
      ("ab.cd.ef.gh", "http://ab.cd.ef.gh.evil.example/x"), ("my-dog.rex-99.x7", "http://my-dog.rex-99.x7/api"),
      ("[ab:cd:ef]", "http://[ab:cd:ef].evil.example/x"),
      ("hunter/2024secret", "http://evil.example/x/hunter/2024secret;a=1"),
      ("correct-horse-battery;1", "http://evil.example/x/correct-horse-battery;1"),
      ("rememberDevice=hunter2secret", "http://evil.example/x?rememberDevice=hunter2secret"),
      ("type=hunter2&type=secret", "http://evil.example/x?type=hunter2&type=secret"),
      ("hunter/2024 secret", "http://evil.example/x/hunter/2024%20secret;a=1"),
      ("x?type=hunter2", "http://evil.example/x?type=hunter2"),
      ("example/hunter2", "http://evil.example/hunter2?type=a"),
      ("a=1#type=hunter2", "http://evil.example/y?a=1#type=hunter2"),
    ])
  func acrossParts(secret: String, address: String) {
    var flow = MaskedFlow(knowing: secret)
    let masked = flow.mask(.string(address), as: .url).string ?? ""
    for part in ["ab.cd", "cd:ef", "rex-99", "hunter", "2024", "correct", "horse"] {
      #expect(!masked.contains(part), "\(masked)")
    }
    #expect(flow.vault.reveal(masked) == address)
  }

  @Test("a short secret is not looked for in hosts, and addresses that hold no secret stay as they are")
  func hosts() {
    var flow = MaskedFlow(knowing: "127", "secret-of-mine")
    for address in ["http://127.0.0.1:80/api", "http://127.0.0.1/a;b=1/c?type=x", "https://acme.example/a?type=b#"] {
      let masked = flow.mask(.string(address), as: .url).string ?? ""
      #expect(masked.contains("127.0.0.1") || masked.hasPrefix("https://acme.example/a?"), "\(masked)")
    }
  }

  @Test("a secret that reaches over two attributes of a cookie leaves neither readable")
  func cookieAttributes() throws {
    var vault = Vault()
    _ = vault.placeholder(for: "correct-horse-battery;1", kind: "password")
    _ = vault.placeholder(for: "abc; Path=/hunter2", kind: "password")
    for header in ["DT=abc; Path=/correct-horse-battery;1", "DT=abc; Path=/hunter2; Secure"] {
      let masked = try #require(SetCookie(header)).masked(with: &vault)
      #expect(!masked.contains("correct") && !masked.contains("hunter2"), "\(masked)")
      #expect(vault.reveal(masked) == header)
    }
  }

  @Test("a short secret in another case is not looked for: it would take words of everyday texts")
  func shortCase() {
    var flow = MaskedFlow(knowing: "push")
    #expect(flow.mask(text: "a Push was sent") == "a Push was sent")
  }

  @Test("line ends alone do not change how a secret is shown")
  func lineEnds() {
    var flow = MaskedFlow(knowing: "hunter2hunter2")
    #expect(flow.mask(text: "password\nhunter2hunter2\nis wrong") == "password\n$secret.known.1$\nis wrong")
    let masked = flow.mask(text: "password hunter2\nhunter2 is wrong")
    #expect(!masked.contains("hunter2"))
    #expect(flow.vault.reveal(masked) == "password hunter2\nhunter2 is wrong")
  }

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

  @Test("a short secret in base64 is found behind a word and a sign", arguments: ["-", "_", "+", "/"])
  func shortBehindSign(sign: String) {
    var flow = MaskedFlow(knowing: "424242")
    #expect(flow.mask(text: "code\(sign)NDI0MjQy") == "code\(sign)$secret.known.1.b64$")
    let masked = flow.mask(text: "a/code\(sign)NDI0MjQy\(sign)x")
    #expect(!masked.contains("NDI0MjQy"), "\(masked)")
    #expect(flow.vault.reveal(masked) == "a/code\(sign)NDI0MjQy\(sign)x")
  }

  @Test(
    "a cookie that is quoted or percent-encoded is found without quotes and decoded",
    arguments: [
      ("sid=\"canQuoted1234xyz\"", "canQuoted1234xyz", "bare"), ("idx=canPct%2B5678%3Dxyz", "canPct+5678=xyz", "plain"),
      ("idx=\"canBoth%2B5678\"", "canBoth+5678", "plain"), ("idx=a%2Bb", "a+b", "plain"),
    ])
  func cookieForms(header: String, form: String, name: String) {
    var flow = MaskedFlow()
    flow.policy.response = .object(["errorSummary": .text])
    let body = JSON.members([("errorSummary", .string("session \(form) is over"))]).bytes
    let response = HTTPResponse(status: 401, headers: [HTTPField("Set-Cookie", header)], body: body)
    for _ in 0..<2 {
      let masked = Masker(policy: flow.policy).mask(response, into: &flow.vault)
      #expect(masked.body == .json(["errorSummary": .string("session $secret.cookie.1.\(name)$ is over")]))
      #expect(flow.vault.reveal(masked.data).text.contains(form))
    }
  }

  @Test(
    "the value of a cookie whose name no jar takes is found where the body quotes it",
    arguments: ["my session=canary-odd-1; Path=/", "=canary-odd-1", "cart[0]=\"canary-odd-1\"; Secure"])
  func oddCookie(header: String) {
    var flow = MaskedFlow()
    flow.policy.response = .object(["errorSummary": .text])
    let body = JSON.members([("errorSummary", .string("session canary-odd-1 is over"))]).bytes
    let response = HTTPResponse(status: 401, headers: [HTTPField("Set-Cookie", header)], body: body)
    let masked = Masker(policy: flow.policy).mask(response, into: &flow.vault)
    #expect(masked.headers.map(\.value) == ["$secret.undeclared.1$"])
    #expect(!masked.data.text.contains("canary"), "\(masked.data.text)")
    #expect(flow.vault.reveal(masked.data).text.contains("session canary-odd-1 is over"))
  }

  @Test(
    "a cookie that is too long is not recorded, is found where the body quotes it, and counts by itself",
    arguments: [4_096, 20_000])
  func longCookie(length: Int) {
    var flow = MaskedFlow()
    flow.policy.response = .object(["errorSummary": .text])
    let value = "canary-long-" + String(repeating: "x", count: length)
    let headers = [HTTPField("set-cookie", "sid=\(value); Path=/"), HTTPField("Set-Cookie", "DT=device-token-1")]
    let body = JSON.members([("errorSummary", .string("session \(value) is over"))]).bytes
    let masked = Masker(policy: flow.policy).mask(
      HTTPResponse(status: 401, headers: headers, body: body), into: &flow.vault)
    #expect(masked.headers == [HTTPField("Set-Cookie", "DT=$secret.cookie.1$")])
    #expect(masked.body == .json(["errorSummary": "session $secret.droppedCookie.1$ is over"]))
    #expect(flow.vault.reveal(masked.data).text.contains("session \(value) is over"))
  }

  @Test("a cookie after the fiftieth is not recorded, and found where the body quotes it, unless it is short")
  func cookiesWithoutEnd() {
    var flow = MaskedFlow()
    flow.policy.response = .object(["errorSummary": .text])
    let headers = (100..<160).map { HTTPField("Set-Cookie", "c\($0)=canary-value-\($0)") }
    let text = "from canary-value-100 to canary-value-159 in en"
    let response = HTTPResponse(
      status: 401, headers: headers + [HTTPField("Set-Cookie", "lang=en")],
      body: JSON.members([("errorSummary", .string(text))]).bytes)
    let masked = Masker(policy: flow.policy).mask(response, into: &flow.vault)
    #expect(masked.headers.count == 50)
    #expect(masked.body == .json(["errorSummary": "from $secret.cookie.1$ to $secret.droppedCookie.10$ in en"]))
    #expect(flow.mask(header: "Set-Cookie", "DT=another-value") == "DT=$secret.cookie.51$")
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
      let start = ThreadTime.seconds
      _ = flow.mask(body, as: .object(["text": .text]))
      return ThreadTime.seconds - start
    }
    _ = seconds(500)
    let small = (0..<3).map { _ in seconds(2_000) }.min() ?? 0
    let large = seconds(40_000)
    // Twenty times the work: 20 if it is linear, 400 if it grows with the square. The bound is in the middle of the two,
    // four times away from each, which no load of the machine makes up for. How fast it is, `make bench` says.
    #expect(large < small * 90, "\(small) s for 0.15 MB, \(large) s for 3 MB")
  }
}
