import ArgumentParser
import AuditReports
import EventStore

/// The store that a command writes to, or reads alone.
struct StoreOption: ParsableArguments {
  @Option(
    name: .customLong("store"),
    help: ArgumentHelp("The store's directory.", valueName: "DIR"))
  var directory: String

  mutating func validate() throws {
    if directory.isEmpty { throw ValidationError("--store is empty; give the store's directory") }
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

/// The stores or recording files that a command takes whole flows from; `--store` may be repeated.
struct WholeFlowsOption: ParsableArguments, GivenStores {
  @Option(
    name: .customLong("store"), parsing: .singleValue,
    help: ArgumentHelp("A store's directory, or a recording. May be repeated.", valueName: "DIR"))
  var directories: [String] = []
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
  /// - Throws: exit 64 for two copies of one store, for a store beside one that was restored from it, and for a
  ///   recording with a flow that another source has too.
  static func distinct<Log: RecordReading>(_ logs: [Log]) throws -> [Log] {
    var stores: [String: String] = [:]
    let found = unrepeated(logs)
    // Several recordings may be cut from one store.
    for log in found where !InputFile.isFile(log.directory) {
      let ids = log.identity.lineage.keys.sorted()
      if let other = ids.compactMap({ stores[$0] }).first { throw copies(other, log.directory) }
      for id in ids { stores[id] = log.directory }
    }
    if found.count > 1 { try refuseSharedFlows(found) }
    return found
  }

  /// What was given twice, by whatever path, once: for what says something of each by itself.
  static func unrepeated<Log: RecordReading>(_ logs: [Log]) -> [Log] {
    var places: Set<String> = []
    return logs.filter { places.insert(FilePlace.canonical($0.directory)).inserted }
  }

  private static func copies(_ one: String, _ other: String) -> CommandFailure {
    CommandFailure(
      .usage,
      "\(one.printable) and \(other.printable) are copies of one log; give one of them, or ask each by itself if both "
        + "went on")
  }

  /// Refuses a recording with a flow that another recording, or the store that it was cut from, has too.
  private static func refuseSharedFlows<Log: RecordReading>(_ logs: [Log]) throws {
    let files = logs.filter { InputFile.isFile($0.directory) }
    guard !files.isEmpty else { return }
    var owners: [String: [Log]] = [:]
    // Thousands of recordings may have flows of one name, so only those are compared that may be copies: those of one
    // store, and those with the same first record of the flow.
    var ofStores: [[String]: Log] = [:]
    var begun: [ArraySlice<UInt8>: [Log]] = [:]
    for file in files {
      for stream in try file.streams() {
        let flow = [file.identity.id, stream]
        let start = (try? file.records(of: stream))?.first?.bytes ?? []
        if let other = ofStores[flow] ?? begun[start]?.first(where: { isShared(stream, by: $0, file) }) {
          throw copies(other.directory, file.directory)
        }
        owners[stream, default: []].append(file)
        begun[start, default: []].append(file)
        if !isUnnamed(file.identity) { ofStores[flow] = file }
      }
    }
    for store in logs where !InputFile.isFile(store.directory) {
      let streams = owners.filter { $0.value.contains { mayBeCut($0, from: store) } }
      // One pass over the store is less than many searches in it, or than a few that each read all of it.
      let needsPass = streams.count > 16 || !streams.isEmpty && readsAllToSearch(store)
      let held = try needsPass ? Set(store.streams()) : nil
      for (stream, files) in streams.sorted(by: { $0.key < $1.key }) where held?.contains(stream) ?? true {
        if let file = files.first(where: { isShared(stream, by: store, $0) }) {
          throw copies(store.directory, file.directory)
        }
      }
    }
  }

  /// Whether a search for one stream reads all records: a store read past its damages has no index.
  private static func readsAllToSearch(_ log: some RecordReading) -> Bool {
    guard case .damaged? = log as? LogSource else { return false }
    return true
  }

  /// Whether a recording may be cut from a store, or from one that this was restored from: it says so, or does not say
  /// from which.
  private static func mayBeCut(_ file: some RecordReading, from store: some RecordReading) -> Bool {
    store.identity.lineage[file.identity.id] != nil || isUnnamed(file.identity)
  }

  /// Whether an identity is that of a recording which does not name its store, or was made again.
  private static func isUnnamed(_ identity: StoreIdentity) -> Bool { identity.id.allSatisfy { $0 == "0" } }

  /// Whether two sources have one flow. The name of a flow is unique in a store; if one of them does not name its
  /// store, or names one that the other was restored from, the records decide. What cannot be read is not compared: the
  /// command that reads it reports it. Recordings that name one store are compared by `refuseSharedFlows` itself.
  private static func isShared<Log: RecordReading>(_ stream: String, by one: Log, _ other: Log) -> Bool {
    let isNamed = one.identity.id == other.identity.id && !isUnnamed(one.identity)
    guard isNamed || mayBeCut(one, from: other) || mayBeCut(other, from: one) else { return false }
    do throws(StoreError) {
      let (left, right) = (try one.records(of: stream), try other.records(of: stream))
      guard !left.isEmpty, !right.isEmpty else { return false }
      return isNamed || zip(left, right).allSatisfy { $0.bytes == $1.bytes }
    } catch {
      // The store has the later part of it; without a position it keeps none of it, and nothing counts twice.
      return isNamed && error.code == .pruned && error.position != nil
    }
  }
}

/// The key that signs checkpoints.
struct SigningKeyOption: ParsableArguments {
  @Option(
    name: .customLong("signing-key"),
    help: ArgumentHelp(
      "The key that signs (default: $XDG_STATE_HOME/flowrecorder/<origin>.key, made for the first checkpoint).",
      valueName: "FILE"))
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
