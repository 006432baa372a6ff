import ArgumentParser
import AuditReports
import DeviceAuthenticator
import EventStore

/// `auditctl device pin`
struct DevicePINCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pin", abstract: "Set the PIN that shows that you are there.",
    discussion: """
      The PIN is asked for twice without echo, or comes from a file. Keys of --user-verification are sealed under it: \
      whoever changes the PIN enrolls them again. Five wrong PINs in a row cost a pause.

      EXAMPLES
        auditctl device pin --org https://acme.example --store device
        auditctl device pin --org https://acme.example --store device \\
          --pin-file new.txt \\
          --old-pin-file old.txt
      """)

  @OptionGroup var options: DeviceOptions
  @Option(help: ArgumentHelp("Take the PIN that is set from the first line of a file.", valueName: "FILE"))
  var oldPinFile: String?

  func run() throws {
    let file = try options.pin()
    let old: String? =
      if let oldPinFile {
        try SecretInput.file(oldPinFile)
      } else if file.isSet {
        try SecretInput.ask("PIN now: ")
      } else {
        nil
      }
    let pin = try new()
    do {
      try file.setPIN(pin, replacing: old)
    } catch {
      throw CommandFailure(.permission, "the PIN is not set: \(error.sentence)")
    }
    let output = Output()
    if options.json.isOn { try output.json(["set": true]) } else { try output.line("The PIN is set.") }
    try output.flush()
  }

  private func new() throws -> String {
    if let file = options.pinFile { return try SecretInput.file(file) }
    let pin = try SecretInput.ask("New PIN: ")
    guard try !Terminal.canAsk || SecretInput.ask("Again: ") == pin else {
      throw CommandFailure(.usage, "the PINs are not the same; nothing is set")
    }
    return pin
  }
}
