import Foundation
import Testing

/// What an org can do against the masking itself.
@Suite struct MaskingTests {
  @Test(
    "a password that comes back in an error is in no text that the application prints",
    arguments: [
      (Step.answer, "500 Internal Server Error"), (.token, "400 Bad Request"),
    ])
  func errorTexts(step: Step, status: String) async throws {
    let bodies = [
      #"{"errorCode":"E0000004","errorSummary":"\#(Canary.password)-client is \#(Canary.password)"}"#,
      #"{"error":"invalid_grant","error_description":"\#(Canary.password)-client is \#(Canary.password)"}"#,
      #"{"version":"1.0.0","messages":{"type":"array","value":[{"message":"\#(Canary.password)-client \#(Canary.password)","class":"ERROR"}]}}"#,
    ]
    let attack = Attack(
      name: "errors of \(step)", api: .idx,
      act: { moment in
        moment.step == step ? .answer(bodies[moment.count % bodies.count], status: status) : .honest
      }, settings: ["times=\(bodies.count)"], requests: 20)
    let after = try await attack.run()
    #expect(after.requests(of: step).count == bodies.count)
    #expect(after.outcomes == bodies.map { _ in "failed" })
    #expect(after.output.contains("error"))
    #expect(!after.output.contains(Canary.password))
  }

  @Test("cookies with placeholders in their attributes, and with nothing at all, are recorded so that they replay")
  func cookieAttributes() async throws {
    let cookies = ["Set-Cookie: DT=a; Path=/$secret.x.1$; Domain=$secret.cookie.1$; SameSite=Lax", "Set-Cookie:"]
    for attack in Attack.onEach("odd cookies", { .answer($0.honest, headers: cookies) }) {
      let after = try await attack.run()
      // With the Identity Engine, the honest org's ID token is what fails.
      #expect(after.outcomes == [attack.api == .authn ? "success" : "failed"])
    }
  }

  @Test("a body of any depth is recorded so that it can be read", arguments: [127, 128, 254, 255, 256, 257, 258])
  func depth(levels: Int) async throws {
    for attack in Attack.onEach(
      "\(levels) levels",
      { _ in
        .answer(String(repeating: #"{"a":"#, count: levels - 1) + "{}" + String(repeating: "}", count: levels - 1))
      })
    {
      let after = try await attack.run()
      // It is no answer of either API.
      #expect(after.outcomes == ["failed"])
      #expect(after.output.contains("error"))
    }
  }

  @Test(
    "bodies of small values cost neither memory nor time",
    arguments: [
      "0,", "[],", "\"a\",", "null,", "{\"a\":0},", "1.5,",
    ])
  func smallValues(value: String) async throws {
    let body = "[" + String(repeating: value, count: 2_000_000 / value.utf8.count) + "0]"
    for attack in Attack.onEach(
      "2 MB of \(value)", settings: ["timeout=40000"],
      { moment in
        .answer(moment.honest.dropLast() + #","odd":\#(body)}"#)
      })
    {
      let after = try await attack.run()
      // With the Identity Engine, the honest org's ID token is what fails.
      #expect(after.outcomes == ["failed"] || attack.api == .authn && after.outcomes == ["success"])
      #expect(after.peakMemory < Attack.memory)
      #expect(after.disk <= Attack.disk)
    }
  }

  /// Forms of a password that a reader of the log reads as easily as itself.
  static let forms: [(name: String, write: @Sendable (String) -> String)] = [
    ("upper case", { $0.uppercased() }), ("lower case", { $0.lowercased() }),
    ("decomposed", { $0.decomposedStringWithCanonicalMapping }),
    ("UTF-8 as Latin-1", { String(String.UnicodeScalarView($0.utf8.map { Unicode.Scalar($0) })) }),
    ("entities", { $0.replacing("ä", with: "&auml;").replacing("+", with: "&#43;") }),
    ("hexadecimal entities", { $0.unicodeScalars.map { "&#x\(String($0.value, radix: 16));" }.joined() }),
    ("%u", { $0.unicodeScalars.map { "%u" + String(format: "%04X", $0.value) }.joined() }),
    ("\\x", { $0.utf8.map { "\\x" + String(format: "%02x", $0) }.joined() }),
    (
      "base64 in lines",
      { text in
        let base64 = Array(Data((String(repeating: "x", count: 50) + text).utf8).base64EncodedString())
        return String(base64.prefix(76)) + "\r\n" + String(base64.dropFirst(76))
      }
    ),
    ("base64 of UTF-16", { $0.data(using: .utf16LittleEndian)?.base64EncodedString() ?? "" }),
  ]

  @Test("a password that comes back in other spellings is found", arguments: forms.indices)
  func spellings(index: Int) async throws {
    let text = Self.forms[index].write(Canary.password)
    let attack = Attack(name: Self.forms[index].name, api: .authn) { moment in
      guard moment.step == .authenticate,
        let body = try? JSONEncoder().encode(["errorSummary": text, "errorCode": "E1"])
      else { return .honest }
      return .answer(String(decoding: body, as: UTF8.self), status: "401 Unauthorized")
    }
    let after = try await attack.run(secrets: [text])
    #expect(after.outcomes == ["failed"])
    #expect(after.output.contains("error"))
    #expect(!after.output.contains(text))
  }
}
