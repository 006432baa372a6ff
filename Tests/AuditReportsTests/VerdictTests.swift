import AuditReports
import EventStore
import Testing

@Suite struct VerdictTests {
  @Test("where several verdicts hold, the gravest counts")
  func gravest() {
    #expect(VerifyReport.Verdict.gravest(of: []) == .ok)
    #expect(VerifyReport.Verdict.gravest(of: [.ok, .unanchored]) == .unanchored)
    #expect(VerifyReport.Verdict.gravest(of: [.torn, .altered, .missingSegment, .truncated]) == .truncated)
    #expect(VerifyReport.Verdict.gravest(of: [.pruned, .ok]) == .pruned)
    #expect(VerifyReport.Verdict.gravest(of: VerifyReport.Verdict.allCases) == .badSignature)
  }
}
