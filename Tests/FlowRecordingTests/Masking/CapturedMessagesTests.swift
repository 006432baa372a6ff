import EventStore
import Testing

@testable import FlowRecording

/// Messages that another tool captured.
@Suite struct CapturedMessagesTests {
  @Test("a secret of the URL is found in the body of the same request")
  func secretOfURL() {
    var policy = MaskedFlow().policy
    policy.arguments = .object(["note": .text])
    var messages = CapturedMessages(policy: policy)
    let sent = messages.request(
      HTTPRequest(
        method: "POST", url: "https://acme.example/a?sessionToken=canary-1",
        body: Array(#"{"note":"signed in with canary-1"}"#.utf8)))
    #expect(sent.body?["note"] == .string("signed in with $secret.sessionToken.1$"))
    #expect(sent.url == "https://acme.example/a?sessionToken=$secret.sessionToken.1$")
  }

  @Test(
    "of a form, only a percent sign before two hex digits encodes a byte",
    arguments: [
      ("a%2Bb%c3%a9", "a+b\u{e9}"), ("%+1", "% 1"), ("%-0", "%-0"), ("%-1", "%-1"), ("100%", "100%"), ("%4", "%4"),
      ("%zz%41", "%zzA"), ("%%41", "%A"),
    ])
  func formFields(text: String, decoded: String) {
    #expect(FormFields.decoded(text.utf8) == decoded)
    #expect(FormFields.members(of: Array("n=\(text)".utf8)) == .members([("n", .string(decoded))]))
  }
}
