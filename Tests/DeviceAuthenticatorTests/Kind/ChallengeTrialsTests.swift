import Testing

@testable import DeviceAuthenticator

@Suite struct ChallengeTrialsTests {
  @Test("a made-up challenge fails each check that needs neither key nor memory, and one passes them all")
  func checks() {
    let lines = ChallengeTrials.challenges
    let elsewhere: Set<ChallengeCheck> = [.p7, .v6, .h7]
    for check in ChallengeCheck.allCases where !elsewhere.contains(check) {
      #expect(
        lines.contains { line in !line.hasPrefix("check ") && line.contains("\(check.rawValue) ") }, "\(check.rawValue)"
      )
    }
    #expect(lines.contains { $0.hasPrefix("claims 0 passed ") })
  }

  @Test("made-up messages, keys and signatures are read, and those that are none are refused")
  func texts() {
    #expect(ChallengeTrials.texts.contains("message 0 Pay 10 EUR Pay 10 EUR"))
    #expect(ChallengeTrials.texts.contains { $0.hasSuffix(" none") })
    #expect(ChallengeTrials.keys.contains { $0.hasSuffix(" none") })
    #expect(ChallengeTrials.keys.contains { $0.hasPrefix("thumbprint {\"crv\":\"P-256\"") })
  }
}
