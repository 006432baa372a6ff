import ArgumentParser
import AuditReports
import EventStore
import FlowKinds
import FlowRecording

/// `auditctl show`
struct ShowCommand: ParsableCommand, PagedCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a flow as a time line, or its state at a revision.",
    discussion: """
      FLOW is the stream (authn/01J…), its id, the beginning of either, or last for the one that began last. Secrets \
      are placeholders, as in the log. \
      With --at, the events up to that revision are folded into the state that the SDK had then.

      EXAMPLES
        auditctl show 01KAJ4 --store audit
        auditctl show 01KAJ4 --store audit --at 12
        auditctl show last --store audit
        auditctl show push.ndjson.lz4
        auditctl show 01KAJ4 --store audit --tz Europe/Berlin
        auditctl show authn/01KAJ4T5Z6M7N8P9Q0R1S2T3V4 --store audit --json |
          jq '.events[].words'
      """)

  @Argument(help: ArgumentHelp("The flow, or a recording of one.", valueName: "FLOW")) var flow: String
  @OptionGroup var stores: StoresOption
  @OptionGroup var index: IndexOption
  @OptionGroup var showing: FlowShowing

  func run() throws { try showing.print(FlowLookup.find(flow, in: stores, index)) }
}
