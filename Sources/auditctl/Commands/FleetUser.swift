import ArgumentParser
import AuditReports
import EventStore
import Fleet

#if Nats
  import FleetNats
#endif

extension FleetCommand {
  /// `auditctl fleet user`
  struct User: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "user", abstract: "Make a user of nats:// servers for a host or a collector, and print its rights.",
      discussion: """
        The seed of its key goes to a new file, which only its owner may read: that is what --creds takes, and the \
        servers never see it. What is printed goes into the users of the servers' file: with it a host publishes in its \
        own name alone, and reads no other's messages; a collector publishes no messages at all.

        EXAMPLES
          auditctl fleet user --creds web-1.nk \\
            --id 0123456789abcdef0123456789abcdef
          auditctl fleet user --creds collector.nk --collector
        """)

    @Option(help: ArgumentHelp("The file that is made.", valueName: "FILE")) var creds: String
    @Option(help: ArgumentHelp("The id of a host's store, as auditctl info prints it.", valueName: "ID"))
    var id: String?
    @Flag(help: "A collector's user.") var collector = false

    mutating func validate() throws {
      guard collector != (id != nil) else { throw ValidationError("give either --id or --collector") }
      guard id.map(FleetMessage.isStore) ?? true else {
        throw ValidationError("--id is not 32 hexadecimal digits, as auditctl info prints them")
      }
    }

    func run() throws {
      #if Nats
        let made = UserKey.make()
        let file = try SystemDisk().open(creds, .createNew)
        try file.write(Array((made.seed + "\n").utf8).span, at: 0)
        try file.sync()
        let rights = id.map(NatsRights.init(host:)) ?? .collector
        let output = Output()
        try output.line(rights.configuration(of: made.publicKey))
        try output.flush()
      #else
        throw CommandFailure(.usage, "this build makes no users of servers; build it with make install TRAITS=Nats")
      #endif
    }
  }
}
