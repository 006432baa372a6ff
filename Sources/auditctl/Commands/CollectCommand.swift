import ArgumentParser
import AuditReports
import EventStore

/// `auditctl collect`
struct CollectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "collect", abstract: "Collect, verify and cosign the stores of a fleet's hosts.",
    discussion: """
      Of each host that auditctl fleet enroll has named it makes the store again, byte for byte but for \
      cosignatures: each record is hashed, each checkpoint checked with the host's key, before it counts. It runs \
      until it is stopped, and may be killed at any time. Bytes that contradict a copy go to evidence/ and are \
      reported on stderr.

      It cosigns the hosts' checkpoints, as a witness does, with a key of its own; the first run makes it and prints \
      its public half. The fleet's own store gets the newest checkpoints and the alarms.

      --on-alarm runs a command each time a host's state changes (auditctl fleet status names the states), by /bin/sh, \
      with FLEET_HOST, FLEET_STORE, FLEET_STATE and FLEET_CONFLICT in its environment.

      With --once it ends when all is collected, and exits with 1 if something contradicted a copy.

      A build with NATS (make install TRAITS=Nats) collects from nats://HOST:PORT and tls://HOST:PORT too, several \
      separated by commas, and makes the streams that are not there.

      EXAMPLES
        auditctl collect --fleet fleet --from /mnt/fleet
        auditctl collect --fleet fleet --from /media/stick --once
        auditctl collect --fleet fleet --from /mnt/fleet \\
          --on-alarm 'echo "$FLEET_HOST is $FLEET_STATE" | mail -s fleet ops'
        auditctl collect --fleet fleet --from tls://n1:4222,tls://n2:4222 \\
          --creds collector.nk --ca fleet.pem
      """)

  @OptionGroup var fleet: FleetOption
  @Option(
    name: .customLong("from"),
    help: ArgumentHelp("Where it comes from: a directory, or nats:// addresses.", valueName: "DIR|URL"))
  var engine: String
  @OptionGroup var access: EngineOptions
  @OptionGroup var streams: PartitionOptions
  @Option(
    name: .customLong("witness-key"),
    help: ArgumentHelp(
      "The key that cosigns (default: $XDG_STATE_HOME/flowrecorder/<origin>.witness.key).", valueName: "FILE"))
  var witnessKey: String?
  @Option(
    name: .customLong("signing-key"),
    help: ArgumentHelp("The key of the fleet's store (default: as of any store).", valueName: "FILE"))
  var signingKey: String?
  @Option(
    name: .customLong("on-alarm"),
    help: ArgumentHelp("A command to run when a host's state changes.", valueName: "CMD"))
  var alarm: String?
  @Flag(help: "End when all that is there is collected.") var once = false

  func run() throws {
    let run = try CollectRun(
      fleet.folder, from: engine, access, streams: streams, signingKey: signingKey, witnessKey: witnessKey,
      alarm: alarm.map(AlarmCommand.init))
    guard once else { return try run.forever() }
    let conflicts = try run.once()
    for conflict in conflicts { Messages.say(conflict.printable) }
    if !conflicts.isEmpty { throw ExitCode(ExitStatus.finding.rawValue) }
  }
}
