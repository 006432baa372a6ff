import ArgumentParser
import EventStore

/// The store that a command writes to, or reads alone.
struct StoreOption: ParsableArguments {
  @Option(
    name: .customLong("store"), parsing: .singleValue,
    help: ArgumentHelp("The store's directory.", valueName: "DIR"))
  var given: [String]

  /// The directory.
  var directory: String { given[0] }

  mutating func validate() throws {
    guard given.count == 1 else { throw ValidationError("--store is given \(given.count) times; this takes one store") }
  }
}

/// The stores that a command reads; `--store` may be repeated.
struct StoresOption: ParsableArguments {
  @Option(
    name: .customLong("store"), parsing: .singleValue,
    help: ArgumentHelp("A store's directory, or a recording if it only reads. May be repeated.", valueName: "DIR"))
  var directories: [String] = []

  /// The directories, at least one. Asked when the command runs, so that an unknown option is reported before a missing
  /// one.
  func required() throws -> [String] {
    guard !directories.isEmpty else { throw ValidationError("Missing expected argument '--store <DIR>'") }
    return directories
  }

  /// What a document or block of output names its store by: nothing if there is one only.
  func label(_ directory: String) -> String? { directories.count > 1 ? directory : nil }

  /// Opens what is given: stores, and recording files.
  func sources() throws -> [LogSource] { try required().map { try LogSource(path: $0) } }

  /// Opens the stores for reading.
  func open() throws -> [LogReader] { try StoresOption.open(required()) }

  /// Opens stores for reading.
  static func open(_ directories: [String]) throws(StoreError) -> [LogReader] {
    try directories.map { directory throws(StoreError) in try LogReader(directory: directory) }
  }
}

/// The key that signs checkpoints.
struct SigningKeyOption: ParsableArguments {
  @Option(
    name: .customLong("signing-key"),
    help: ArgumentHelp(
      "The key that signs (default: $XDG_STATE_HOME/flowrecorder/<origin>.key, made on first use).", valueName: "FILE"))
  var file: String?
  @Option(
    name: .customLong("signer-state"),
    help: ArgumentHelp(
      "Where the key remembers what it signed (default: the key's file with .state).", valueName: "FILE"))
  var state: String?
}

/// Whether a program reads the output.
struct JSONFlag: ParsableArguments {
  @Flag(name: .customLong("json"), help: "Print JSON and nothing else on stdout.")
  var isOn = false
}
