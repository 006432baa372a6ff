// Several secrets in one text: that begin alike, overlap, or are encoded, and what their placeholders reveal.

import EventStore
import Foundation

extension RuntimeTables {
  static var needles: [String] { gathered + encoded + revealed + paired }

  private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  private static func base64(_ text: String) -> String { base64(Array(text.utf8)) }

  /// Secrets that begin alike, contain one another, overlap, or look like a form of another one, added in either order.
  private static var gathered: [String] {
    let family = (0..<100).map { "family-\($0)-secret" }
    let groups: [([String], [String])] = [
      (
        ["horse-77-door-and-yard", "horse-77-door", "horse-77"],
        ["a horse-77-door-and-yarn", "horse-77-doors", "HORSE-77"]
      ), (["horse-77-a", "horse-77-b", "horse-77"], ["horse-77-a horse-77-b horse-77-c", "Horse-77-A"]),
      (["abcdefghij", "fghijklmno"], ["abcdefghijklmno", "abcdefghij fghijklmno", "xabcdefghijklmnoy"]),
      (["abcdefghijkl", "cdefghij"], ["abcdefghijkl", "abcdefghij"]),
      ([" spaced secret ", "spaced secret"], ["a spaced secret here", "spaced secret"]),
      ([" ab1 ", "ab1"], ["(ab1)", "x ab1 y"]),
      (["Correct-Horse-7", "Q29ycmVjdC1Ib3JzZS03"], ["Q29ycmVjdC1Ib3JzZS03", "x-Q29ycmVjdC1Ib3JzZS03y"]),
      (["Correct-Horse-7", "Wrong-Horse-8"], [base64("Correct-Horse-7 and Wrong-Horse-8")]),
      (["482913", "42", "a"], ["x482913", "482913x", "482913", "é42", "42é", "(42)", "a!", "A", "4 2 a-42"]),
      (["#1", "!", "-a-"], ["x#1y", "#1", "!", "a!", "x-a-y", "#11", "!!"]),
      (["sevensx", "eightsxx"], ["xsevensxx", "xeightsxxx", "sevensx", "EIGHTSXX", "SEVENSX"]),
      (["aaaaaaaaaaaaaaaaaaaa", "aaaaaaaaab"], ["aaaaaaaaaaaaaaaaaaaaaaaaab"]),
      ([String(repeating: "a", count: 299) + "b"], [String(repeating: "a", count: 2_000)]),
      (["abcdefgh"], [String(repeating: "abcdefgh", count: 10_001)]),
      (["q"], [String(repeating: "q ", count: 10_001)]), (family, [family.joined(separator: "~")]),
    ]
    return groups.flatMap { secrets, texts in
      [secrets, Array(secrets.reversed())].flatMap { secrets -> [String] in
        var vault = Vault()
        for secret in secrets { _ = vault.placeholder(for: .string(secret), kind: "probe") }
        return texts.map { text in
          let masked = vault.mask(text)
          return line(
            "\(secrets.first?.prefix(24) ?? "") \(text.prefix(40))",
            "\(masked.prefix(200)) \(masked.count) \(vault.reveal(masked) == text) \(vault.count)")
        }
      }
    }
  }

  /// A secret and a form of it that is a secret, too, in either order, with each alone, both, and forms of the form.
  private static var paired: [String] {
    let secret = "Correct Horse+7/\u{e9}"
    func forms(_ text: String) -> [String] {
      let bytes = Array(text.utf8)
      let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      let percent = hex.map { "%" + $0 }.joined()
      return [
        base64(text), Base64URL.encode(bytes), percent, percent.uppercased(), hex.joined(), text.uppercased(),
        text.lowercased(), text.replacing(" ", with: "+"), text.replacing(" ", with: "%20"),
        text.replacing("+", with: "\\u002b"), text.replacing("/", with: "\\/"), text.replacing("+", with: "&#43;"),
        base64(base64(text)), "\(text) \(text)",
      ]
    }
    return forms(secret).enumerated().flatMap { number, form -> [String] in
      let texts = [secret, form, "\(secret) \(form)", "\(form) \(secret)", "x\(form)y"] + forms(form)
      return [[secret, form], [form, secret], [form]].enumerated().map { order, secrets in
        var vault = Vault()
        for (kind, secret) in secrets.enumerated() { _ = vault.placeholder(for: .string(secret), kind: "k\(kind)") }
        vault.add(form: form, named: "own", of: .string(secrets[0]))
        let masked = texts.map { vault.mask($0) }
        let isWhole = zip(texts, masked).map { vault.reveal($1) == $0 }
        return line("paired \(number) \(order)", "\(masked) \(isWhole)")
      }
    }
  }

  /// A short secret in base64 between the signs of paths and words, folded, and encoded up to four times.
  private static var encoded: [String] {
    let (word, signs) = (base64("code 482913"), base64("code 482913 ~~~ ??? end"))
    let url = Base64URL.encode(Array("code 482913 ~~~ ??? end".utf8))
    let long = base64("The password of Ann is Correct-Horse-7, as you know.")
    let folded = long.enumerated().map { $0 % 16 == 15 ? "\($1)\r\n" : "\($1)" }.joined()
    var texts = [
      word, "x\(word)", "a/\(word)/b", "pre-\(word)-post", "a/pre-\(word)/b", "pre_\(word)/b", "\(word)+x",
      "a+b/\(word)", signs, url, "a/\(url)/b", "a/\(signs)/b", "pre-\(signs)", "\(url).\(url)", "\(word)==",
      "\(word)=x",
      folded, folded.replacing("\r\n", with: "\n"), folded.replacing("\r\n", with: "\r"), "Correct-\r\nHorse-7",
      "Correct-Horse-7\r\nabcdefgh", "%26%2352%3B82913", "\\u0026#52;82913", "a+482913%21",
    ]
    texts += ["482913\u{1}", " ab1 ", "ab1", "é 482913\t", "x482913", "x Correct-Horse-7"].map(base64)
    texts += [String(base64(" ab1 ").prefix(6)), "\(base64("Correct-Horse-7")) \(base64("a Correct-Horse-7"))"]
    for lead: UInt8 in [0x80, 0xC3, 0x1F, 0x0A] { texts.append(base64([lead] + Array(" 482913".utf8))) }
    for lead in 0..<3 {
      // Between bytes that are not text, so that only the sequences of the secret itself are found.
      let bytes = [UInt8](repeating: 0xFF, count: lead) + Array("Correct-Horse-7>>>???~~~".utf8) + [0x00, 0xFF]
      texts += [base64(bytes), Base64URL.encode(bytes), "a.\(base64(bytes)).b"]
    }
    var (percent, inner) = ("482913", "Correct-Horse-7")
    for _ in 0..<5 {
      percent = percent.utf8.map { "%" + String($0, radix: 16) }.joined()
      inner = base64(inner)
      texts += [String(percent.prefix(600)), inner]
    }
    return texts.enumerated().map { number, text in
      var vault = Vault()
      for secret in ["482913", "Correct-Horse-7", "Correct-Horse-7>>>???~~~", "ab1"] {
        _ = vault.placeholder(for: .string(secret), kind: "probe")
      }
      let masked = vault.mask(text)
      let flags = [
        vault.reveal(masked) == text, vault.hasSecret(in: text.utf8Span.span), vault.hasLongSecret(in: text),
      ]
      return line("encoded \(number)", "\(masked) \(flags)")
    }
  }

  /// What placeholders reveal, of every type of value, in texts, values, and names.
  private static var revealed: [String] {
    var vault = Vault()
    let secrets: [JSON] = [
      "text-secret-1", .number("482913"), true, .null, [1, "a"], ["k": "v"], "é", "e\u{301}", "482913",
    ]
    let placeholders = secrets.map { vault.placeholder(for: $0, kind: "p") }
    let again = [
      vault.placeholder(forSighting: "text%2Dsecret", of: placeholders[0], encoding: "pct"),
      vault.placeholder(forSighting: "text%2dsecret", of: placeholders[0], encoding: "pct"),
      vault.placeholder(forSighting: "text%2dsecret", of: placeholders[0], encoding: "pct"),
      vault.placeholder(ofNothingKept: "body"), vault.placeholder(for: "text-secret-1", kind: "other"),
      vault.placeholder(of: "text-secret-1") ?? "-", vault.placeholder(of: "unknown") ?? "-",
    ]
    vault.add(form: "unknown-form-1", named: "form", of: "unknown")
    vault.add(form: "known-form-1", named: "form", of: "text-secret-1")
    vault.add(form: "known-form-1", named: "other", of: "text-secret-1")
    let texts =
      placeholders + Array(again.prefix(4)) + [
        "\(placeholders[0])\(placeholders[1])", "$\(placeholders[0])$", "$secret.p.99$", "$secret.p.1", "$secret.",
        "\(placeholders[0])\u{301}", "a$b", "",
      ]
    let masked = ["known-form-1", "unknown-form-1", "x known-form-1 y", "482913", "a 482913", "é", "e\u{301}", "true"]
    return [line("placeholders", "\(placeholders) \(again) \(vault)")]
      + texts.map { text in
        let json: JSON = .members([(text, .array([.string(text), 5]))])
        return line("reveal \(text)", "\(vault.reveal(text)) \(vault.reveal(json).text)")
      }
      + masked.map { line("known \($0)", vault.mask($0)) }
  }
}
