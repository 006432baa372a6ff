import ArgumentParser
import AuditReports
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
    if given[0].isEmpty { throw ValidationError("--store is empty; give the store's directory") }
  }
}

/// What `--store` names, given once or more often.
protocol GivenStores {
  /// The paths as they were given.
  var directories: [String] { get }
}

/// The stores or recording files that a command reads; `--store` may be repeated.
struct StoresOption: ParsableArguments, GivenStores {
  @Option(
    name: .customLong("store"), parsing: .singleValue,
    help: ArgumentHelp("A store's directory, or a recording. May be repeated.", valueName: "DIR"))
  var directories: [String] = []
  @Flag(name: .customLong("keep-going"), help: "Read past damaged bytes; say what is lost, and exit with 65.")
  var keepsGoing = false

  /// Opens what is given: stores, and recording files.
  func sources() throws -> [LogSource] { try required().map { try LogSource(path: $0, keepsGoing: keepsGoing) } }

  /// The same, each once, for what counts or merges.
  func once() throws -> [LogSource] { try Self.distinct(sources()) }

  /// Refuses `--keep-going` for what needs all of a flow.
  func refuseKeepGoing(for what: String) throws {
    guard !keepsGoing else {
      throw ValidationError("--keep-going is not for \(what), which needs all records of a flow")
    }
  }
}

/// The stores that a command is about that needs more than their records; `--store` may be repeated.
struct DirectoriesOption: ParsableArguments, GivenStores {
  @Option(
    name: .customLong("store"), parsing: .singleValue,
    help: ArgumentHelp("A store's directory. May be repeated.", valueName: "DIR"))
  var directories: [String] = []

  /// Opens the stores for reading.
  func open() throws -> [LogReader] { try required().map { try LogReader(directory: $0) } }

  /// The same, each once, for what counts or merges.
  func once() throws -> [LogReader] { try Self.distinct(open()) }
}

extension GivenStores {
  /// The directories, at least one. Asked when the command runs, so that an unknown option is reported before a missing
  /// one.
  func required() throws -> [String] {
    guard !directories.isEmpty else { throw ValidationError("Missing expected argument '--store <DIR>'") }
    guard !directories.contains("") else { throw ValidationError("--store is empty; give the store's directory") }
    return directories
  }

  /// What a document or block of output names its store by: nothing if there is one only.
  func label(_ directory: String) -> String? { directories.count > 1 ? directory : nil }

  /// What was given twice, once. Records that are in two copies of a log would count twice.
  ///
  /// - Throws: exit 64 for two copies of one store.
  static func distinct<Log: RecordReading>(_ logs: [Log]) throws(CommandFailure) -> [Log] {
    var places: Set<String> = []
    var stores: [String: String] = [:]
    var found: [Log] = []
    for log in logs {
      guard places.insert(FilePlace.canonical(log.directory)).inserted else { continue }
      // Several recordings may be cut from one store.
      if !InputFile.isFile(log.directory) {
        if let other = stores.updateValue(log.directory, forKey: log.identity.id) {
          throw CommandFailure(
            .usage, "\(other.printable) and \(log.directory.printable) are copies of one log; give one of them")
        }
      }
      found.append(log)
    }
    return found
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
