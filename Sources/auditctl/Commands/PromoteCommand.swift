import ArgumentParser
import AuditReports
import EventStore
import FlowRecording
import Replay

/// `auditctl promote`
struct PromoteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "promote", abstract: "Make regression tests of flows or recordings.",
    discussion: """
      Each is made smaller as long as it does the same: calls, requests, statuses and ends, in their order, factors \
      and their results, remediations, authenticators, messages, errors, draws, and whether it polls once or more \
      often. Personal data is replaced, and the result is written to DIR, named by what it shows. INDEX.json there \
      says what each recording covers. A line of a Swift test for each goes to stdout; a recording whose line \
      cannot be printed is not kept. One that does what another recording in DIR does is named on stderr and left \
      out, so that promoting twice changes nothing. One that diverges when it is replayed is named and left out too, \
      and the exit is 1. No socket is opened.

      EXAMPLES
        auditctl promote 01KAJ4 01KAJ5 --store audit --into Recordings
        auditctl promote field/*.ndjson.lz4 --into Recordings > tests.txt
        auditctl promote field.ndjson.lz4 --into Recordings --json
      """)

  @Argument(help: ArgumentHelp("Recordings; with --store, flows of it.", valueName: "FLOW")) var names: [String] = []
  @OptionGroup var stores: WholeFlowsOption
  @Option(help: ArgumentHelp("The folder of recordings that tests replay; made if it is missing.", valueName: "DIR"))
  var into: String
  @OptionGroup var json: JSONFlag

  mutating func validate() throws {
    guard !names.isEmpty else { throw ValidationError("Missing expected argument '<FLOW>'") }
  }

  func run() throws {
    let found = try names.map { try RecordingLookup.find($0, in: stores.directories) }
    for one in found { try one.recording.refuseUnknownKinds() }
    let folder = try RecordingFolder(making: into)
    var promoter = Promoter(into: into, with: try folder.recordings())
    let output = Output()
    let progress = Progress("promoting")
    var isFinding = false
    for one in found {
      let before = promoter.index
      let entry: Promoter.Entry
      do {
        entry = try promoter.promote(one.recording, progress: { progress.show($0) })
        progress.end()
      } catch let error as PromotionError {
        progress.end()
        isFinding = true
        Messages.say(error.description.printable + ".")
        continue
      }
      if !entry.isDuplicate { try Self.keep(entry, promoter.index, before: before, in: folder) }
      do {
        if json.isOn {
          try output.json(Self.json(entry))
        } else if !entry.isDuplicate {
          try output.line(entry.testLine)
        }
        try output.flush()
      } catch {
        // If the recording stayed, the next run would leave it out as a duplicate, and print no line.
        if !entry.isDuplicate { Self.withdraw(entry, before: before, in: folder) }
        throw error
      }
      if !json.isOn { Messages.say(Self.words(entry)) }
    }
    try Self.write(promoter.index, in: folder)
    if isFinding { throw ExitCodes.finding }
  }

  /// Writes a recording and the index that lists it. The index comes first: if the command is killed, nothing in the
  /// folder is unlisted, and the next run makes again what is listed and missing.
  private static func keep(
    _ entry: Promoter.Entry, _ index: JSON, before: JSON, in folder: RecordingFolder
  ) throws {
    try write(index, in: folder)
    do {
      try folder.write(entry.bytes, to: entry.file)
    } catch {
      try? write(before, in: folder)
      throw error
    }
  }

  /// Removes a recording that was written, and its place in the index.
  private static func withdraw(_ entry: Promoter.Entry, before: JSON, in folder: RecordingFolder) {
    folder.remove(entry.file)
    try? write(before, in: folder)
  }

  private static func write(_ index: JSON, in folder: RecordingFolder) throws {
    try folder.write(Array((IndexText.lines(index) + "\n").utf8), to: "INDEX.json")
  }

  private static func words(_ entry: Promoter.Entry) -> String {
    entry.isDuplicate
      ? "\(entry.name.printable) does what \(entry.file) does, and is left out."
      : "\(entry.name.printable) is \(entry.file): \(entry.events) of \(Quantity.count(entry.eventsBefore, "event")), "
        + "\(Quantity.count(entry.values, "personal value")) replaced."
  }

  private static func json(_ entry: Promoter.Entry) -> JSON {
    [
      "recording": .string(entry.name), "file": .string(entry.file), "duplicate": .bool(entry.isDuplicate),
      "eventsBefore": .int(entry.eventsBefore), "events": .int(entry.events), "values": .int(entry.values),
      "behaviour": .string(entry.behaviour.name), "covers": entry.behaviour.covers, "test": .string(entry.testLine),
    ]
  }
}

/// The index of a folder as text: a line a recording, so that a difference shows in a review.
enum IndexText {
  static func lines(_ index: JSON) -> String {
    let recordings = (index["recordings"]?.array ?? []).map { "  " + $0.text }
    let head = "{\"schema\":\(index["schema"]?.int ?? 1),\"recordings\":["
    return ([head] + [recordings.joined(separator: ",\n")].filter { !$0.isEmpty } + ["]}"]).joined(separator: "\n")
  }
}
