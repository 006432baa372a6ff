// The parts of masking, each alone: what encoded text decodes to, the forms of a secret, the form that a readable word
// must have, and the budget of a message. In a masked message, another part may find what one of them misses.

import EventStore
import Foundation

extension RuntimeTables {
  static var decoded: [String] { decodedTexts + decodedBase64 + secretForms + plainWords + budgets + schemas }

  private static let encodedTexts = [
    "", "plain", "%41", "a%4", "a%", "%zz%4g%g4", "%c3%A9", "%%41", "%25%34%31", "%u0041b", "%u00", "%u00zz", "%u",
    "%uD83D%uDE00!", "%uD83D\\uDE00", "%uD83Dx", "%uD83D%uD83D", "%uDE00", "a+b%2Bc", "%uD83D%uDE0",
    #"\n\r\t\b\f\/\"\\"#, #"\u0041\u00e9\u20AC"#, #"\uD83D\uDE00."#, #"\uD83D\u0041"#, #"\uDC00\uDC00"#, #"\u12"#,
    #"\u12g4"#, #"\uD83D%uDE00"#, #"\x41\xE9\x4"#, #"\xg1\x1g"#, #"end\"#, #"\q"#,
    "&amp;&lt;&gt;&quot;&apos;", "&#65;&#x41;&#X41;&#x0010FFFF;", "&#x00010FFFF;", "&#x000010FFFF;", "&#1114112;",
    "&#x110000;", "&#xD800;", "&#;", "&#x;", "&#6a;", "&#xg;", "&;", "&a;", "&amp", "&unknown;", "&&amp;", "&#233;é",
    "&Amp;", "YWJj\r\nZGVm", "a\nb\rc\td", "\r\n", "ab\r\n",
  ]

  /// The names of HTML for the letters and signs of Latin-1.
  private static let latinNames = """
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro \
    para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil \
    Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave \
    Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml \
    igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute \
    thorn yuml
    """

  /// Each decoding of each text, with the places that the decoded bytes come from, and the marks of the text.
  private static var decodedTexts: [String] {
    let named = latinNames.split(separator: " ").map { "&\($0);" }.joined()
    return (encodedTexts + [named]).map { text in
      let bytes = text.utf8Span.span
      let decodings: [(String, TextDecoding)] = [
        ("percent", .percent(bytes, plusIsSpace: false)), ("form", .percent(bytes, plusIsSpace: true)),
        ("escapes", .escapes(bytes)), ("entities", .entities(bytes)), ("unfolded", .unfolded(bytes)),
      ]
      let shown = decodings.filter { $0.1.isChanged || $0.1.bytes != Array(text.utf8) }.map { name, decoding in
        let count = decoding.bytes.count
        let sources = [0..<count, 0..<(count / 2), (count / 2)..<count].map { decoding.source(of: $0) }
        let plain = String(decoding: decoding.bytes, as: UTF8.self)
        return "\(name) \(decoding.isChanged) \(plain) \(decoding.origins) \(sources)"
      }
      return line(text, "\(shown) \(marks(of: text))")
    }
      + ["abcdef", "abcdefg", "abc defgh", "a-_/+bc", "$secret.x", "$secret", "$secre$secret."].map {
        line("marks \($0)", marks(of: $0))
      }
  }

  private static func marks(of text: String) -> String {
    let marks = TextMarks(text.utf8Span.span)
    let flags = [
      marks.hasPlaceholder, marks.hasPercent, marks.hasPlus, marks.hasBackslash, marks.hasAmpersand, marks.hasLineEnd,
      marks.hasBase64,
    ]
    return flags.map { $0 ? "1" : "0" }.joined()
  }

  /// What base64 decodes to: bytes at each border between text and other data, as UTF-8 and as UTF-16.
  private static var decodedBase64: [String] {
    func wide(_ text: String, isLittle: Bool) -> [UInt8] {
      text.utf16.flatMap { unit in
        let bytes = [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
        return isLittle ? bytes : bytes.reversed()
      }
    }
    var inputs: [[UInt8]] = [
      [0x61, 0x09, 0x0A, 0x0D, 0x62], [0x61, 0x08], [0x61, 0x0B], [0x61, 0x0C], [0x61, 0x1F, 0x62], [0x61, 0x20],
      [0x7F], [0x80, 0x61], [0xC3, 0xA9, 0x61], [0xC3, 0x61, 0x61], [0xC3], [0xE2, 0x82, 0xAC], [0x61, 0x80],
      [0xC3, 0xC3, 0xA9], [0xC3, 0xA9, 0xA9], [0x3E, 0x3E, 0x3E, 0x3F, 0x3F, 0x3F, 0x7E], [0x61, 0x00, 0x62],
      [0x00, 0x00, 0x61, 0x00], [0x61, 0x00, 0x00, 0x62], [0x00, 0x61, 0x00],
    ]
    for text in ["code 42 ü", "ü", "€uro", "日本語の文字を書く時に"] {
      inputs += [wide(text, isLittle: true), wide(text, isLittle: false)]
    }
    inputs += (13...17).map { [UInt8](repeating: 0x80, count: $0) + [0x61, 0x00] }
    let encoded = inputs.flatMap { input -> [String] in
      let standard = Data(input).base64EncodedString().replacing("=", with: "")
      let other = Base64URL.encode(input)
      return standard == other ? [standard] : [standard, other]
    }
    let lines = (encoded + ["", "Y", "YW!J", "YW=J", "-_-_", "YW J"]).map { text in
      let bytes = text.utf8Span.span
      let texts = [Base64Forms.text(bytes, 0..<bytes.count), Base64Forms.textOfUTF16(bytes, 0..<bytes.count)]
      return line("base64 \(text)", texts.map { $0.map { String(decoding: $0, as: UTF8.self) } ?? "none" })
    }
    let all = (0...255).map { UInt8($0) }
    return lines + [
      line("alphabet", all.filter(Base64Forms.isAlphabet)), line("signs", all.filter(Base64Forms.isSign)),
      line("hex", all.compactMap(TextDecoding.hex)),
    ]
  }

  /// The forms in which a secret is looked for.
  private static var secretForms: [String] {
    let base64 = ["Correct-Horse-7", "??>>~~ü€", "short", "eight-by", ""].map { secret in
      let forms = Base64Forms.forms(of: Array(secret.utf8))
      return line("base64 forms \(secret)", forms.map { String(decoding: $0, as: UTF8.self) })
    }
    let further = [
      "ab", " ab", "ab ", "\tab", "ab\n", "\u{0B}ab\u{0C}", "\rab\u{0E}", "   ", "é", "e\u{301}", "É x", "straße",
      "",
    ].map { secret in
      let forms = NeedleForms.further(of: secret, Array(secret.utf8))
      return line("forms \(secret)", forms.map { "\($0.name) \($0.bytes)" })
    }
    return base64 + further
  }

  /// Ids, error codes, positions, and the places of cookies.
  private static var plainWords: [String] {
    let texts: [String] =
      [
        "00u1abcdefghij012345", "00u1abcdefghij01234", "00u1abcdefghij0123456", "E0000004", "E000004", "E00000044",
        "F0000004", "e0000004", "E000000A", "", "value", "value/0", "value:12/value", "value/12345", "12345",
        "value//0", "/", "other", "value/other", "/a", "a", "/a b", "/_~a", ".a-b", "a_b", "a/b", "$a", "/ä", "?",
        String(repeating: "value/", count: 42) + "1", String(repeating: "value/", count: 42) + "12345",
        String(repeating: "value/", count: 42) + "1234",
      ]
      + "._:-@+".map { "00u1abcdefghij01234\($0)" }
      + [127, 128, 129].flatMap { [String(repeating: "a", count: $0), "/" + String(repeating: "a", count: $0 - 1)] }
    return texts.map { text in
      let flags = [
        WordForm.isID(text), WordForm.isErrorCode(text), WordForm.isPlace(text, of: ["value"]),
        WordForm.isCookiePlace(text, isPath: true), WordForm.isCookiePlace(text, isPath: false),
      ]
      return line("word \(text)", flags.map { $0 ? "1" : "0" }.joined())
    }
  }

  /// What is left of a budget of secrets and bytes, and what a vault does without one.
  private static var budgets: [String] {
    var lines: [String] = []
    for (secrets, bytes) in [(0, 10), (1, 10), (2, 10), (2, 3), (3, 0)] {
      var budget = MaskingBudget(secrets: secrets, bytes: bytes)
      let steps = [
        budget.takesSecret(bytes: 3), budget.takes(bytes: 4), budget.takesSecret(bytes: 3), budget.takes(bytes: 1),
        budget.takes(bytes: 0),
      ]
      lines.append(line("budget \(secrets) \(bytes)", "\(steps) \(budget.isExceeded)"))
    }
    for bytes in [0, 11, 12, 13, 31, 32, 33, 57, 58, 200] {
      var vault = Vault()
      let first = vault.placeholder(for: "first-secret", kind: "a")
      vault.budget = MaskingBudget(secrets: 2, bytes: bytes)
      let masked = vault.mask("first-secret")
      let next = vault.placeholder(for: "next-secret", kind: "a")
      let form = vault.placeholder(forSighting: "first%2Dsecret", of: first, encoding: "pct")
      vault.add(form: "first secret", named: "form", of: "first-secret")
      lines.append(
        line("spent \(bytes)", "\(masked) \(next) \(form) \(vault.budget.isExceeded) \(vault.count)"))
      vault.budget = .unbounded
      lines.append(line("spent \(bytes), later", vault.mask("first secret and next-secret and first%2Dsecret")))
    }
    return lines
  }

  /// The class of headers whose schema depends on them, and which values of a document are about a person.
  private static var schemas: [String] {
    func picked(_ schema: WireSchema, _ value: JSON) -> String {
      guard case .depending(let pick) = schema else { return "fixed" }
      return pick(value).className
    }
    let types = [
      "application/json", "application/ion+json", "application/x-www-form-urlencoded", "text/html", "text/plain",
      "text/css",
    ]
    let ends = [
      "", "; okta-version=1.0.0", "; charset=utf-8", "; charset=UTF-8", ";charset=utf-8", ";charset=UTF-8", ";",
    ]
    let media = types.flatMap { type in ends.map { line(type + $0, picked(.mediaType, .string(type + $0))) } }
    let waits: [JSON] = ["5", "Thu, 15 Jan 2026 09:00:00 GMT", "soon", 5, .null]
    let schema = WireSchema.object([
      "name": .personal, "login": .login, "word": .text, "map": .map(.personal), "list": .array(.personal),
      "inner": .object(["name": .personal]), "set": .setting(.personal), "by": .depending { _ in .personal },
    ])
    let document: JSON = [
      "name": "Ann", "login": 5, "word": "w", "map": ["k": 7, "l": "", "m": "$secret.a.1$"],
      "list": ["x", ["y"], true],
      "inner": ["name": "Lee", "odd": "o"], "set": "s", "by": .null, "odd": ["name": "n"],
    ]
    var names: [String] = []
    for value in [document, .members([("login", "ann"), ("by", "b"), ("name", .array(["z"])), ("list", "one")])] {
      schema.forEachPersonal(in: value) { names.append($0) }
      names.append(";")
    }
    return media + waits.map { line("wait \($0.text)", picked(.retryAfter, $0)) } + [line("personal", names)]
  }
}
