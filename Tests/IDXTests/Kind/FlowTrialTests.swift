import Testing

@testable import IDX

/// The table of whole sign-ins that the digests of golden recordings stand on.
@Suite struct FlowTrialTests {
  @Test("trials reach the end of a sign-in, refusals, delegates and redirects; twice they say the same")
  func reach() {
    let lines = FlowTrials.all
    #expect(lines == FlowTrials.all && lines.count > 200)
    func has(_ beginning: String, _ parts: String...) -> Bool {
      lines.contains { line in line.hasPrefix(beginning) && parts.allSatisfy(line.contains) }
    }
    #expect(has("4 limited", "access-1 Bearer"), "a sign-in goes on after a 429")
    #expect(has("1 400", "No."), "the org's words")
    #expect(has("2 connectionLost", "connectionLost") || has("2 connectionLost", "invalidHTTPResponse"))
    #expect(
      has("listened", "one started state=", " true ; two started state=", "one finished"), "delegates are called once")
    #expect(
      has("anew", "one finished ; one started state=second true", "one error", "state=second true ; one ["),
      "a start ends what was under way; a first response that is missing ends nothing")
    #expect(has("rested, a failure", #""verdict""#, "why"))
    let rested = lines.filter { $0.hasPrefix("rested") }.map { $0.split(separator: " ; ").last ?? "" }
    #expect(rested.count == 3 && !rested.contains { $0.contains("verdict") })
    #expect(has("left", "none false true ; state=first first true"), "a reset and a context that is put back")
    let redirect = lines.filter { $0.hasPrefix("com.acme:/callback interaction_code=code-1&state=first") }
    #expect(redirect.contains { $0.contains("; access-1 ;") }, "\(redirect)")
    #expect(has("twice", "second"))
    #expect(has("twice", "request.sent", "response.received"), "what is recorded stands beside it")
    #expect(has("opened list", "more=1") && has("opened file", "urn:a") && has("opened later", "idx/"))
    #expect(!lines.contains { $0.hasPrefix("opened") && $0.contains("flow.started") })
    for place in ["append", "barrier", "laterBarrier"] {
      for steps in 0..<6 {
        let line = lines.first { $0.hasPrefix("unwritten \(place) \(steps) | ") } ?? ""
        #expect(line.split(separator: "The disk is full.").count == 3, "both sign-ins end: \(line)")
      }
    }
  }

  @Test("trials of objects show, fill in, send, poll and refuse; twice they say the same")
  func objects() {
    let lines = ObjectTrials.all
    #expect(lines == ObjectTrials.all && lines.count > 250)
    func has(_ beginning: String, _ parts: String...) -> Bool {
      lines.contains { line in line.hasPrefix(beginning) && parts.allSatisfy(line.contains) }
    }
    #expect(has("choice, recover", "/idp/idx/recover") && has("choice, send", "/idp/idx/send"))
    #expect(has("plain = words", #""plain":["a","b"]"#) && has("flag = 'FALSE'", #""flag":false"#))
    #expect(has("flag = number", "invalidParameterValue"), "what has no form of the field is refused")
    #expect(has("choice [Optional(1), nil]") && has("authenticator [Optional(1)]", #""methodType":"voice""#))
    #expect(
      has("register transports", #""transports":"[\"usb\",\"nfc\"]""#) && has("assert text", #""userHandle":"00u1""#))
    #expect(has("duo signature", #""signatureData":"AUTH|duo-1:APP|duo-2""#))
    #expect(has("no cancel", "one error unknownRemediationOption"), "delegates learn of it")
  }
}
