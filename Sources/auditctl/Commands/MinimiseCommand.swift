import ArgumentParser
import AuditReports
import EventStore
import FlowRecording
import Foundation
import Replay

/// `auditctl minimise`
struct MinimiseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "minimise", abstract: "Take everything out of a recording that is not needed to show something.",
    discussion: """
      Calls, polls, whole trailing parts, and members and headers of responses are left out as long as what remains \
      still shows what is to be kept. It folds and replays, or, if a divergence is kept, diverges in the same way; if the \
      recording diverges and something else is kept, what remains may diverge, and a message says so. If this version \
      makes something else of the inputs than what is to be kept, the events that remain are the recorded ones, with \
      whole responses. Nothing is sent and no socket is opened. Exits 1 if the recording does not show what is to be kept.

      WHAT TO KEEP
        diverges    the same first divergence of a replay, with the same values
        status=S    a flow that gets the status S
        outcome=O   a flow that ends with O, or a call that ends with the error O, the SDK's
                    or the org's

      With --exec, CMD decides: a shell runs it with the path of a candidate as its last argument, and it exits with 0 \
      if the candidate still shows what is looked for. --anonymise replaces logins, names, phone numbers and other \
      personal data by made-up ones of the same shape; then CMD runs once more, or what --keep names is looked for once \
      more, and if it is gone, a message says so and the exit is 1.

      EXAMPLES
        auditctl minimise field.ndjson.lz4 --keep diverges -o small.ndjson.lz4
        auditctl minimise 01KAJ4 --store audit --keep status=LOCKED_OUT \\
          --anonymise -o locked.ndjson.lz4
        auditctl minimise field.ndjson.lz4 --exec './shows-it.sh' -o small.ndjson.lz4
      """)

  @Argument(help: ArgumentHelp("A recording, or with --store a flow.", valueName: "RECORDING")) var name: String
  @OptionGroup var stores: WholeFlowsOption
  @Option(help: ArgumentHelp("What to keep: diverges, status=S or outcome=O.", valueName: "WHAT")) var keep: String?
  @Option(help: ArgumentHelp("A command that exits with 0 if a recording still shows it.", valueName: "CMD"))
  var exec: String?
  @Flag(help: "Replace personal data.") var anonymise = false
  @Option(
    name: .shortAndLong, help: ArgumentHelp("The recording to write. Overwrites an existing file.", valueName: "FILE")
  )
  var output: String
  @OptionGroup var json: JSONFlag

  mutating func validate() throws {
    switch (keep, exec) {
    case (nil, nil): throw ValidationError("Missing expected argument: give --keep WHAT or --exec CMD")
    case (_?, _?): throw ValidationError("--keep and --exec are two ways to say the same: give one")
    case (let keep?, nil):
      if KeepOption.condition(keep) == nil {
        throw ValidationError("--keep takes diverges, status=S or outcome=O, not '\(keep)'")
      }
    case (nil, let command?): if command.isEmpty { throw ValidationError("--exec takes a command") }
    }
  }

  func run() throws {
    let found = try RecordingLookup.find(name, in: stores.directories)
    let progress = Progress("minimising")
    let unable = Locked<String?>(nil)
    if exec != nil { CandidateFile.removeAtInterruption() }
    let condition =
      keep.flatMap(KeepOption.condition) ?? .test(KeepOption.test(running: exec ?? "", unable: unable))
    let minimiser = Minimiser(keeping: condition, progress: { progress.show($0) })
    let outcome: Result<Minimiser.Result, any Error> = Result { try minimiser.minimise(found.recording) }
    progress.end()
    try refuse(unable)
    var result = try outcome.get()
    let small = result.recording
    var values: Int?
    if anonymise {
      let made = try Anonymiser().anonymise(small)
      (result.recording, values) = (made.recording, made.values)
    }
    let records = try result.recording.records()
    let isLost = anonymise && !minimiser.keeps(small, in: result.recording)
    try refuse(unable)
    let source = anonymise ? Recording.source : found.source
    try Creation.recording(records, of: source, at: output)
    if keep != "diverges", try !Replay.replay(found.recording).isEmpty {
      Messages.say(
        "\(name.printable) diverges when it is replayed, and what remains may too; --keep diverges keeps that.")
    }
    if let unknown = found.recording.unknownVersion { Messages.say("\(name.printable): \(unknown).") }
    try say(result, of: found, values)
    guard isLost else { return }
    let wanted = keep.map { "--keep \($0.printable) holds" } ?? "--exec '\((exec ?? "").printable)' passes"
    Messages.say("\(output.printable) does not show it any more: \(wanted) without --anonymise only.")
    throw ExitCodes.finding
  }

  /// Throws exit 64 if a run of the command gave no verdict, and 130 if a signal came, which may have ended that run
  /// too.
  private func refuse(_ unable: Locked<String?>) throws {
    try Interruption.check()
    guard let problem = unable.withLock({ $0 }) else { return }
    throw CommandFailure(
      .usage,
      "--exec '\((exec ?? "").printable)' gives no verdict: \(problem); "
        + "give a command that exits with 0 or another code below 126")
  }

  private func say(_ result: Minimiser.Result, of found: RecordingLookup.Found, _ values: Int?) throws {
    let (before, after) = (found.recording.eventCount, result.recording.eventCount)
    let out = Output()
    if json.isOn {
      try out.json(
        .members([
          ("recording", .string(name)), ("output", .string(output)), ("kept", .string(keep ?? "exec")),
          ("eventsBefore", .int(before)), ("events", .int(after)),
          ("flowsBefore", .int(found.recording.flows.count)), ("flows", .int(result.recording.flows.count)),
          ("trials", .int(result.trials)), ("anonymised", .bool(anonymise)), ("values", values.map(JSON.int)),
        ]))
    } else {
      try out.line(
        "\(output.printable): \(after) of \(Quantity.count(before, "event")), "
          + "\(Quantity.count(result.trials, "recording")) tried"
          + (values.map { ", \(Quantity.count($0, "personal value")) replaced" } ?? ""))
    }
    try out.flush()
  }
}
