import ArgumentParser
import AuditReports
import EventStore

/// `auditctl backup`
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy a store, also while it is written to, and verify the copy.",
    discussion: """
      The backup is a valid store: every command that reads takes it, and verify treats it as the log it is a copy of. \
      Nothing can be appended to it, since that would make two logs under one name; restore makes a store from it that \
      continues under a new one. DIR must be new or empty. It is called DIR.incomplete until it is whole.

      EXAMPLES
        auditctl backup --store audit -o /backup/audit-friday
        auditctl verify --store /backup/audit-friday --public-key audit.pub
      """)

  @OptionGroup var store: StoreOption
  @Option(name: .shortAndLong, help: ArgumentHelp("The new directory.", valueName: "DIR")) var output: String
  @OptionGroup var json: JSONFlag

  func run() throws {
    let report = try ProgressBar.during("Copying") { progress in
      try Creation.copy(of: store.directory, to: output) { () throws(StoreError) in
        try Backup(of: store.directory).write(to: output, progress: progress)
      }
    }
    try CopyText(report, directory: output).tell(json: json.isOn)
  }
}
