import ArgumentParser
import AuditReports
import EventStore

/// `auditctl doctor`
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Say what is wrong with this machine or a store, and what to do.",
    discussion: """
      Looks at libraries, the clock and the place of keys; of each store at its permissions, whether this user can \
      write to it, its writer, the disk, the tail of the log, its content (as auditctl verify does without a key), its \
      checkpoints and its key. It changes nothing. Exits 1 if something does not work or is not safe, such as a store \
      that other users can read.

      EXAMPLES
        auditctl doctor
        auditctl doctor --store audit
        auditctl doctor --store audit --json \\
          | jq '.checks[] | select(.state != "ok")'
      """)

  @Option(
    name: .customLong("store"), parsing: .singleValue,
    help: ArgumentHelp("A store's directory. May be repeated.", valueName: "DIR"))
  var directories: [String] = []
  @Option(
    name: .customLong("signing-key"),
    help: ArgumentHelp("The key that signs (default: as for checkpoint).", valueName: "FILE"))
  var key: String?
  @OptionGroup var json: JSONFlag

  mutating func validate() throws {
    guard key == nil || directories.count == 1 else {
      throw ValidationError("--signing-key is about one store: give one --store")
    }
  }

  func run() throws {
    let parts: [(store: String?, checks: [Diagnosis])] =
      [(nil, MachineDiagnosis.run())] + directories.map { ($0, StoreDiagnosis.run($0, key: key)) }
    let output = Output()
    if json.isOn {
      let checks = parts.flatMap { part in
        part.checks.map { check -> JSON in
          guard let store = part.store, var object = check.json.object else { return check.json }
          object["store"] = .string(store)
          return .object(object)
        }
      }
      try output.json(["checks": .array(checks)])
    } else {
      for part in parts {
        try output.line(part.store.map { "Store \($0.printable)" } ?? "This machine")
        for check in part.checks { try output.lines(check.lines(width: Terminal.width, style: Terminal.style)) }
      }
    }
    try output.end()
    let all = parts.flatMap(\.checks)
    if all.contains(where: { $0.state == .problem }) { throw ExitCode(ExitStatus.finding.rawValue) }
  }
}
