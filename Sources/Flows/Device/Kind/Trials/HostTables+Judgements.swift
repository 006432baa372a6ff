// The verdicts on challenges outside of an authenticator, check by check.

import EventStore
import FlowRecording

extension HostTables {
  /// The verdict of each check on made-up notifications.
  static var judgements: [String] {
    let (keys, url) = ([HostSamples.key], "https://acme.example")
    let known = ChallengeJudgement.Evidence(keys: keys, orgURL: url, at: HostSamples.time())
    // Without a key, no signature is verified.
    let keyless = ChallengeJudgement.Evidence(keys: [], orgURL: url, at: known.at)
    let signed = HostSamples.signed()
    var trials: [(String, String, ChallengeJudgement.Evidence)] = [
      ("payload", payload(signed), known), ("token", signed, known), ("blanks", " \n\(signed)\n", keyless),
      ("payload in blanks", " \n\(payload(signed)) ", keyless),
      ("prefixed", payload(signed, prefix: "okta."), keyless), ("nothing known", signed, .init(at: known.at)),
      ("no URL", signed, .init(keys: [], at: known.at)), ("no keys", payload(signed), .init(orgURL: url, at: known.at)),
      ("other URL", signed, .init(keys: [], orgURL: "https://other.example", at: known.at)),
      ("weak key", signed, .init(keys: [HostSamples.with(["n": "AQAB"], in: keys[0])], orgURL: url, at: known.at)),
      ("bad signature", HostSamples.token(), known), ("late", signed, .init(keys: [], at: HostSamples.time(600))),
      ("at its end", signed, .init(keys: [], orgURL: url, at: HostSamples.time(299), skew: 0)),
      ("over", signed, .init(keys: [], orgURL: url, at: HostSamples.time(299, microseconds: 1), skew: 0)),
      ("early", signed, .init(keys: [], orgURL: url, at: HostSamples.time(-302))),
      ("other version", payload(signed, version: "IDXv2"), keyless),
      ("no challenge", #"{"payloadVersion":"IDXv1"}"#, keyless),
      ("a number", #"{"payloadVersion":"IDXv1","challenge":5}"#, keyless), ("no JSON", "{", keyless),
      ("empty", "", keyless), ("an object", "{}", keyless), ("no token", payload("a.b.c"), keyless),
      ("empty parts", "e30.e30.AA", keyless),
    ]
    let claims: [JSON] = [
      ["iss": "https://alias.example"], ["aud": "client-1"], ["orgId": "00o-2"], ["userId": nil], ["method": "totp"],
      ["verificationUri": "https://other.example/"], ["verificationUri": "nowhere"], ["nonce": nil],
      ["transactionId": nil], ["challengeContext": nil], ["challengeContext": ["transactionType": "CIBA"]],
      ["authorizationServerId": "aus-1"], ["authorizationServerId": "../aus"], ["loginHint": "ann@acme.example"],
    ]
    let headers: [JSON] = [
      ["alg": "ES256"], ["alg": "XX"], ["kid": nil], ["typ": "JWT"], ["typ": "okta-devicebind+jwt"],
    ]
    trials += claims.map { ("claims \($0.text)", HostSamples.token($0), keyless) }
    trials += headers.map { ("header \($0.text)", HostSamples.token(header: $0), keyless) }
    trials += headers.map { ("payload \($0.text)", payload(HostSamples.token(header: $0)), keyless) }
    return trials.map { name, text, evidence in
      line(name, outcome { await ChallengeJudgement(Array(text.utf8), evidence) }.map { show($0) })
    }
  }

  private static func payload(_ token: String, version: String = "IDXv1", prefix: String = "") -> String {
    let members: [(String, JSON?)] = [
      (prefix + "payloadVersion", .string(version)), (prefix + "challenge", .string(token)), ("aps", ["alert": "x"]),
    ]
    return JSON.members(members).text
  }

  private static func show(_ judgement: ChallengeJudgement) -> String {
    let findings = judgement.findings.map { finding in
      let verdict =
        switch finding.verdict {
        case .passed: "passed"
        case .failed(let reason): "failed: \(reason)"
        case .open(let reason): "open: \(reason)"
        }
      return "\(finding.check.rawValue) \(verdict)"
    }
    let challenge = judgement.challenge.map { "\($0.header.text) \($0.claims.text)" } ?? "none"
    let signed = judgement.isSigned.map { $0 ? "signed" : "not signed" } ?? "-"
    return "\(judgement.isChallenge) \(signed) \(challenge) \(findings.joined(separator: "; "))"
  }
}
