import ArgumentParser
import AuditReports
import EventStore
import FlowRecording

/// `auditctl ship`
struct ShipCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ship", abstract: "Send stores of this machine to the collectors of a fleet.",
    discussion: """
      It runs beside the application, as its user, and only reads its stores; a directory without a store stands for \
      the stores directly below it. What goes out is durable here first. It asks the engine and the collectors for its \
      position: it keeps no state, and may be killed and started again at any time.

      --to is a directory that this machine shares with a collector, or a stick that is carried to one. With --once it \
      ends as soon as everything is there. A build with NATS (make install TRAITS=Nats) takes nats://HOST:PORT and \
      tls://HOST:PORT too, several separated by commas; --once then ends when a collector has all, or with exit 74 \
      when none has made progress for as long as --wait says.

      A log that was rolled back to an older copy, or that has become another one, is not shipped: exit 65.

      EXAMPLES
        auditctl ship --store audit --to /mnt/fleet
        auditctl ship --store audit --to /media/stick --once
        auditctl ship --store /var/lib/app/stores --to /mnt/fleet --linger 0.5
        auditctl ship --store audit --to tls://n1:4222,tls://n2:4222 \\
          --creds web-1.nk --ca fleet.pem
      """)

  @OptionGroup var stores: DirectoriesOption
  @Option(
    name: .customLong("to"),
    help: ArgumentHelp("Where it goes: a directory, or nats:// addresses.", valueName: "DIR|URL"))
  var engine: String
  @OptionGroup var access: EngineOptions
  @Option(help: ArgumentHelp("How long a few bytes wait for more, in seconds.", valueName: "S")) var linger = 2.0
  @Flag(help: "End when all is shipped.") var once = false
  @Option(
    help: ArgumentHelp("With --once to NATS, how long to wait for servers and collectors, in seconds.", valueName: "S"))
  var wait = 60.0
  @OptionGroup var json: JSONFlag

  mutating func validate() throws {
    guard (0...3_600).contains(linger) else { throw ValidationError("--linger \(linger) is not within 0...3600") }
    guard (0...86_400).contains(wait) else { throw ValidationError("--wait \(wait) is not within 0...86400") }
  }

  func run() throws {
    let run = try ShipRun(stores.required(), to: engine, access, linger: linger, wait: wait)
    guard once else { return try run.forever(linger: linger) }
    try run.once { documents in
      let output = Output()
      for document in documents {
        if json.isOn {
          try output.json(document)
        } else {
          let bytes = document["bytes"]?.int ?? 0
          try output.line(
            "\((document["directory"]?.string ?? "").printable): \(Quantity.count(document["messages"]?.int ?? 0, "message")),"
              + " \(bytes) bytes")
        }
      }
      try output.flush()
    }
  }
}
