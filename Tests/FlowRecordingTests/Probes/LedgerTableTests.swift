// The table of the org's time: that an answer from a cache, or from elsewhere, does not set it.

import Testing

@testable import FlowRecording

@Suite struct LedgerTableTests {
  @Test("only a fresh answer of the org sets its time")
  func clocked() {
    let lines = Set(RuntimeTables.clocked)
    #expect(lines.contains("no headers | - 3600000000"))
    #expect(lines.contains("date | 5000000 5000000") && lines.contains("age 0 | 5000000 5000000"))
    #expect(lines.contains("age 1 | - 3600000000") && lines.contains("age soon | 5000000 5000000"))
    #expect(lines.contains("https://b.example/ of https://acme.example | - 3600000000"))
  }
}
