// A push payload or a challenge JWT as the authenticator interprets it, for display.

package import DeviceAuthenticator
package import EventStore

/// What a challenge asks, its signer, and the result of each check.
package struct ChallengeExplanation: Sendable {
  /// The results of the checks.
  package let judgement: ChallengeJudgement

  /// Explains a judgment.
  package init(_ judgement: ChallengeJudgement) { self.judgement = judgement }

  /// Whether the text is a challenge that can be explained.
  package var isChallenge: Bool { judgement.isChallenge }

  /// The explanation as JSON, with secrets replaced by placeholders.
  package var json: JSON {
    .members([
      ("challenge", judgement.challenge.map(asked) ?? .null),
      ("signed", judgement.isSigned.map(JSON.bool) ?? .null),
      ("checks", .array(judgement.findings.map(Self.json))),
    ])
  }

  private func asked(_ challenge: Challenge) -> JSON {
    .members([
      ("kid", challenge.header["kid"]), ("alg", challenge.header["alg"]), ("claims", challenge.claims),
      ("transactionType", .string(challenge.transactionType)),
      ("userVerification", .string(challenge.requirement.rawValue)),
      ("message", challenge.bindingMessage.map { .string(BindingMessage.shown($0)) }),
      ("issued", Self.time(challenge.claims["iat"]).map(JSON.string)),
      ("expires", Self.time(challenge.claims["exp"]).map(JSON.string)),
    ])
  }

  private static func json(_ finding: ChallengeJudgement.Finding) -> JSON {
    let (word, reason) = words(finding.verdict)
    return .members([
      ("check", .string(finding.check.rawValue)), ("verdict", .string(word)),
      ("means", .string(finding.check.sentence)),
      ("reason", reason.map(JSON.string)),
    ])
  }

  private static func words(_ verdict: ChallengeJudgement.Verdict) -> (word: String, reason: String?) {
    switch verdict {
    case .passed: ("passed", nil)
    case .failed(let reason): ("failed", reason)
    case .open(let reason): ("open", reason)
    }
  }

  /// The explanation in lines of a width; text of the challenge is made safe for a terminal.
  package func lines(width: LineWidth) -> [String] {
    let rows = (judgement.challenge.map(self.rows) ?? []) + judgement.findings.map(Self.row)
    return rows.flatMap { name, text in Paragraph.lines(text.printable, width: width, lead: name.padded(to: 10)) }
  }

  private static func row(_ finding: ChallengeJudgement.Finding) -> (String, String) {
    let (word, reason) = words(finding.verdict)
    return (finding.check.rawValue, "\(word) \(finding.check.sentence)" + (reason.map { ": \($0)" } ?? ""))
  }

  private func rows(_ challenge: Challenge) -> [(String, String)] {
    func claim(_ name: String) -> String? { challenge.claims[name].flatMap { $0.string ?? $0.int.map(String.init) } }
    let context = challenge.context
    func texts(_ name: String) -> String? {
      let texts = (context[name]?.array ?? []).compactMap(\.string)
      return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
    let asks = [
      challenge.transactionType, challenge.appInstanceName.map { "for \($0)" }, challenge.clientOS.map { "from \($0)" },
      challenge.clientLocation.map { "in \($0)" },
    ]
    let rows: [(String, String?)] = [
      ("challenge", claim("transactionId")), ("signed", signature(challenge)), ("org", claim("iss")),
      ("person", claim("userId")), ("device", claim("authenticatorEnrollmentId")),
      ("asks", asks.compactMap { $0 }.joined(separator: " ")),
      ("message", challenge.bindingMessage.map(BindingMessage.shown)), ("compare", texts("challengeTextItems")),
      ("unusual", texts("unusualActivitiesTextItems")),
      ("verify", "user verification \(challenge.requirement.rawValue)"),
      ("issued", Self.time(challenge.claims["iat"])), ("expires", Self.time(challenge.claims["exp"])),
      ("answer to", claim("verificationUri")),
    ]
    return rows.compactMap { name, text in text.map { (name, $0) } }
  }

  private func signature(_ challenge: Challenge) -> String {
    let how = "\(challenge.header["alg"]?.string ?? "no algorithm"), key \(challenge.keyID ?? "not named")"
    return switch judgement.isSigned {
    case true?: "\(how): the signature is right"
    case false?: "\(how): the signature is not that of a given key"
    case nil: "\(how): not checked"
    }
  }

  private static func time(_ claim: JSON?) -> String? {
    Challenge.seconds(claim).map { Timestamp(microseconds: Int64($0) * 1_000_000).description }
  }
}
