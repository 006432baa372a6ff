import Foundation
import Testing

/// Orgs that write back what they received in confidence, in other forms and in every place for text.
@Suite struct ReflectionTests {
  /// A way to write a text.
  struct Form: Sendable {
    var name: String
    var write: @Sendable (String) -> String

    init(_ name: String, _ write: @escaping @Sendable (String) -> String) {
      self.name = name
      self.write = write
    }
  }

  private static func percent(_ text: String, upper: Bool = true, all: Bool = false) -> String {
    text.utf8.map { byte in
      let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      if isPlain, !all { return String(UnicodeScalar(byte)) }
      let hex = String(byte, radix: 16, uppercase: upper)
      return "%" + (hex.count == 1 ? "0" : "") + hex
    }.joined()
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  private static func urlBase64(_ text: String) -> String {
    base64(text).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// As a JSON text inside a text.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "/": "\\/"
      default:
        scalar.isASCII ? String(scalar) : "\\u" + String(format: "%04x", scalar.value)
      }
    }.joined()
  }

  static let forms: [Form] = [
    Form("plain") { $0 }, Form("in a sentence") { "The password \($0) is wrong." }, Form("in quotes") { "'\($0)'" },
    Form("twice") { $0 + $0 }, Form("in a list") { "a,\($0);b|\($0)" }, Form("between letters") { "x\($0)y" },
    Form("percent-encoded") { percent($0) }, Form("percent-encoded, lower case") { percent($0, upper: false) },
    Form("percent-encoded, each byte") { percent($0, all: true) },
    Form("percent-encoded twice") { percent(percent($0)) },
    Form("percent-encoded three times") { percent(percent(percent($0))) },
    Form("a form") { "user=ann&password=\(percent($0).replacing("%20", with: "+"))" },
    Form("a query") { "https://hostile.example/?next=\(percent($0))" },
    Form("a query in a query") { "https://a.example/?u=\(percent("https://b.example/?p=" + percent($0)))" },
    Form("a fragment") { "https://hostile.example/#\(percent($0))" },
    Form("a path") { "https://hostile.example/reset/\(percent($0))/now" },
    Form("base64") { base64($0) }, Form("base64 for URLs") { urlBase64($0) },
    Form("base64 without its end") { base64($0).replacing("=", with: "") },
    Form("base64, a byte later") { base64("x" + $0) }, Form("base64, two bytes later") { base64("xy" + $0) },
    Form("base64 of a sentence") { base64("The password is \($0), is it not?") },
    Form("base64 twice") { base64(base64($0)) }, Form("base64 three times") { base64(base64(base64($0))) },
    Form("Basic") { "Basic " + base64("ann:" + $0) },
    Form("a data URL") { "data:text/plain;base64," + base64($0) },
    Form("a token") { "eyJhbGciOiJub25lIn0.\(urlBase64(#"{"pw":"\#($0)"}"#))." },
    Form("JSON") { #"{"password":"\#(escaped($0))"}"# }, Form("escaped") { escaped($0) },
    Form("escaped twice") { escaped(escaped($0)) },
    Form("percent-encoded base64") { percent(base64($0)) }, Form("base64, percent-encoded") { base64(percent($0)) },
    Form("escaped, percent-encoded") { percent(escaped($0)) },
    Form("base64 of JSON") { base64(#"{"p":"\#(escaped($0))"}"#) },
    Form("percent-encoded base64, percent-encoded") { percent(base64(percent($0))) },
    Form("with a line end") { $0 + "\n" }, Form("with tabs") { "\t\($0)\t" }, Form("in markup") { "<b>\($0)</b>" },
    Form("in a comment") { "<!-- \($0) -->" }, Form("in brackets") { "[\($0)]{\($0)}" },
    Form("beside a placeholder") { "$secret.password.1$\($0)$secret.password.2$" },
  ]

  private static func json(_ text: String) -> String {
    let data = try? JSONSerialization.data(withJSONObject: [text], options: [.withoutEscapingSlashes])
    return String(String(decoding: data ?? Data("[\"\"]".utf8), as: UTF8.self).dropFirst().dropLast())
  }

  /// Places for text in an error of the classic API.
  private static func error(_ text: String) -> String {
    let text = json(text)
    return
      #"{"errorCode":\#(text),"errorSummary":\#(text),"errorLink":\#(text),"errorId":\#(text),"errorCauses":[{"errorSummary":\#(text)},\#(text)],"status":\#(text),"factorResult":\#(text),"factorResultMessage":\#(text)}"#
  }

  /// Places for text in a transaction of the classic API.
  private static func transaction(_ text: String, _ url: String) -> String {
    let text = json(text)
    return
      #"{"stateToken":"\#(Canary.stateToken)","status":"MFA_REQUIRED","relayState":\#(text),"type":\#(text),"_embedded":{"user":{"id":\#(text),"profile":{"login":\#(text),"firstName":\#(text),"lastName":\#(text),"locale":\#(text),"timeZone":\#(text)},"recovery_question":{"question":\#(text)}},"target":{"label":\#(text),"name":\#(text)},"policy":{"allowRememberDevice":true,"x":\#(text)},"factors":[{"id":\#(text),"factorType":\#(text),"provider":\#(text),"vendorName":\#(text),"profile":{"name":\#(text),"phoneNumber":\#(text),"question":\#(text),"questionText":\#(text),"email":\#(text)},"_links":{"verify":{"href":"\#(url)/api/v1/authn/factors/f1/verify","name":\#(text)}}}]},"_links":{"cancel":{"href":"\#(url)/api/v1/authn/cancel","name":\#(text)}}}"#
  }

  /// Places for text in a page of the Identity Engine, after which the sign-in goes no further.
  private static func page(_ text: String, _ url: String) -> String {
    let text = json(text)
    return
      #"{"version":\#(text),"stateHandle":"\#(Canary.stateHandle)","intent":\#(text),"step":\#(text),"messages":{"type":"array","value":[{"message":\#(text),"class":\#(text),"i18n":{"key":\#(text),"params":[\#(text)]}}]},"user":{"type":"object","value":{"id":\#(text),"identifier":\#(text),"profile":{"firstName":\#(text),"lastName":\#(text),"timeZone":\#(text)}}},"app":{"type":"object","value":{"name":\#(text),"label":\#(text),"id":\#(text)}},"authenticators":{"type":"array","value":[{"type":\#(text),"key":\#(text),"id":\#(text),"displayName":\#(text),"profile":{"email":\#(text),"phoneNumber":\#(text)},"methods":[{"type":\#(text)}]}]},"remediation":{"type":"array","value":[{"rel":[\#(text)],"name":\#(text),"method":"POST","accepts":\#(text),"relatesTo":[\#(text)],"value":[{"name":\#(text),"label":\#(text),"type":\#(text),"value":\#(text),"hint":\#(text),"options":[{"label":\#(text),"value":\#(text)}]}]}]}}"#
  }

  @Test("a password that comes back in any of these forms is found, wherever it stands", arguments: API.allCases)
  func password(api: API) async throws {
    let step: Step = api == .authn ? .authenticate : .answer
    // Each sign-in gets the next form: first on an error, then on an answer that goes on.
    let attack = Attack(
      name: "password", api: api,
      act: { moment in
        guard moment.step == step else { return .honest }
        let text = Self.forms[moment.count / 2 % Self.forms.count].write(Canary.password)
        let header = "X-Okta-Request-Id: \(Self.percent(Canary.password))"
        if moment.count % 2 == 0 {
          return .answer(
            api == .authn ? Self.error(text) : Self.page(text, moment.url),
            status: "401 \(Self.percent(Canary.password))",
            headers: [header]
          )
        }
        return .answer(
          api == .authn ? Self.transaction(text, moment.url) : Self.page(text, moment.url), headers: [header])
      }, settings: ["times=\(2 * Self.forms.count)"], requests: 16 * Self.forms.count)
    let secrets = Self.forms.map { $0.write(Canary.password) }.filter { $0.utf8.count >= 12 }
    let after = try await attack.run(
      secrets: Array(Set(secrets + secrets.map { String(Self.json($0).dropFirst().dropLast()) })))
    // Each form came back twice, once on an error, by which a sign-in by the classic API fails.
    #expect(after.requests(of: step).count == 2 * Self.forms.count)
    #expect(after.outcomes.count == 2 * Self.forms.count)
    #expect(api == .idx || after.outcomes.count(where: { $0 == "failed" }) >= Self.forms.count)
    for secret in secrets { #expect(!after.output.contains(secret)) }
  }
}
