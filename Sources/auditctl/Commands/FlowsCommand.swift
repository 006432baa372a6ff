import ArgumentParser
import AuditReports
import EventStore
import FlowRecording

/// `auditctl flows`
struct FlowsCommand: ParsableCommand, PagedCommand {
  static let configuration = CommandConfiguration(
    commandName: "flows", abstract: "List the flows of a store, a line each.",
    discussion: """
      The columns are flow, kind, user, started, durationMs, status, events and outcome; --json has each by that \
      name, a document a line. The shortened ids of the table are enough for show, export and replay. Outcomes are \
      success, failed, lockedOut, cancelled, terminal, abandoned, and open for a flow that continues. Streams that an \
      application appends to are listed too.

      Of several stores the flows are merged by the time when they began, and each names its store. If stdout is not a \
      terminal, nothing is cut. Exits 1 if a filter is given and no flow passes it.

      EXAMPLES
        auditctl flows --store audit
        auditctl flows --store audit --status lockedOut --since -24h
        auditctl flows --store audit --user ann@acme.example --json | jq .outcome
        auditctl flows --store audit --kind idx --since 'yesterday 14:00' --tz local
        auditctl flows --store audit --sort -duration --limit 10
        auditctl flows --store paris --store oslo --last 20
        auditctl flows --store audit --search reqxsccVmC8y4mE8SA3A76XMxZf
        auditctl flows --store audit --reason rejected --last 5
        auditctl flows --store push.ndjson.lz4
      """)

  @OptionGroup var stores: StoresOption
  @OptionGroup var index: IndexOption
  @OptionGroup var listing: FlowListing

  func run() throws { try listing.print(stores.once(), index) }
}
