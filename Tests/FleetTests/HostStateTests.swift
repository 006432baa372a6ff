import EventStore
import Testing

@testable import Fleet

/// How it stands with a host, from what its collector remembers.
@Suite struct HostStateTests {
  private let now = Timestamp(microseconds: 1_700_000_000_000_000)

  private func ago(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: now.microseconds - seconds * 1_000_000) }

  private func state(_ change: (inout HostRecord) -> Void) -> HostState {
    var record = HostRecord()
    change(&record)
    return record.state(at: now, within: FleetLimits())
  }

  @Test func `a host is silent if neither a question nor a record has come of it`() {
    #expect(state { _ in } == .silent)
    #expect(state { $0.heard = ago(119) } == .ok)
    #expect(state { $0.heard = ago(121) } == .silent)
    // Its question came before the collector listened.
    #expect(state { $0.collected = ago(119) } == .ok)
    #expect(state { $0.collected = ago(121) } == .silent)
    #expect(state { ($0.heard, $0.collected) = (ago(5), ago(500)) } == .ok)
    #expect(state { ($0.heard, $0.collected) = (ago(500), ago(5)) } == .ok)
    #expect(state { ($0.heard, $0.collected) = (ago(500), ago(500)) } == .silent)
  }

  @Test func `the gravest state counts`() {
    #expect(state { ($0.heard, $0.lateSince) = (ago(1), ago(61)) } == .late)
    #expect(state { ($0.heard, $0.unsignedSince) = (ago(1), ago(901)) } == .unsigned)
    #expect(state { ($0.gapSince, $0.lateSince) = (ago(61), ago(61)) } == .gap)
    #expect(state { ($0.gapSince, $0.trouble) = (ago(61), .rolledBack) } == .rolledBack)
    #expect(state { ($0.heard, $0.cosigned) = (ago(1), 7) } == .damaged)
    #expect(state { ($0.cosigned, $0.trouble) = (7, .rolledBack) } == .rolledBack)
    #expect(state { ($0.trouble, $0.isForked) = (.rolledBack, true) } == .forked)
    #expect(Set(HostState.byGravity) == Set(HostState.allCases))
    #expect(HostState.byGravity.count == HostState.allCases.count)
  }
}
