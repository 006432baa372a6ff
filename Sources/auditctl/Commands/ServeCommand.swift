import ArgumentParser
import AuditReports
import EventStore
import SimulatedOrg

/// `auditctl serve`
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Show a store in a browser on this machine, until interrupted.",
    discussion: """
      The first line on stdout is a link that works once; it gives the browser a cookie. The server listens on \
      127.0.0.1 alone, changes nothing, loads nothing from elsewhere, and answers under no other name. Whoever may \
      read your terminal may use the link.

      Views: all flows with a chart of outcomes; search; a flow as a sequence diagram with its time line, its state at \
      any revision, and the proof that it is in the log; a person; factors and pushes; detections; latency; every \
      report; the integrity of the log. With an index (auditctl index) the pages read that. They show one store; \
      auditctl report, flows and search take several.

      EXAMPLES
        auditctl serve --store audit
        auditctl serve --store audit --port 8800
        auditctl serve --store audit | head -1 | xargs xdg-open
      """)

  @OptionGroup var store: StoreOption
  @OptionGroup var index: IndexOption
  @Option(help: ArgumentHelp("The port; 0 for any free one.", valueName: "N")) var port: UInt16 = 0

  func run() async throws {
    let log = try LogReader(directory: store.directory)
    let listener = try HTTPListener(port: port)
    let service: WebService
    if try index.existing(for: [.store(log)]) != nil {
      service = WebService(IndexBook(log, at: index.place(of: [log])), port: listener.port)
    } else {
      service = WebService(LogBook(log), port: listener.port)
    }
    // Read before the link is printed: records appended from then on are new.
    let end = try log.statistics().records
    let output = Output()
    try output.line(service.link)
    try output.flush()
    let serving = Task(executorPreference: OrgThreads.shared) { await listener.run { service.answer($0) } }
    let following = Task(executorPreference: OrgThreads.shared) { await service.follow(from: end) }
    let beating = Task(executorPreference: OrgThreads.shared) {
      while (try? await Task.sleep(for: .seconds(15))) != nil { service.beat() }
    }
    await Termination.wait()
    for task in [serving, following, beating] { task.cancel() }
    await serving.value
  }
}
