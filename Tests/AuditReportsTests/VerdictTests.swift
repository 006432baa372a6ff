import AuditReports
import EventStore
import Testing

@Suite struct VerdictTests {
  @Test("where several verdicts hold, the gravest counts")
  func gravest() {
    #expect(VerdictText.gravest(of: []) == .ok)
    #expect(VerdictText.gravest(of: [.ok, .unanchored]) == .unanchored)
    #expect(VerdictText.gravest(of: [.torn, .altered, .missingSegment, .truncated]) == .truncated)
    #expect(VerdictText.gravest(of: [.pruned, .ok]) == .pruned)
    #expect(VerdictText.gravest(of: VerifyReport.Verdict.allCases) == .badSignature)
  }
}
