// Turns recordings from production into a folder of regression tests.

public import EventStore
public import FlowKinds
public import FlowRecording

/// Why a recording cannot become a test.
public enum PromotionError: Error, Sendable, CustomStringConvertible {
  /// It diverges: the test would fail at once, since it shows something that the SDK does not do.
  case diverges(Divergence)

  /// One sentence: what, where, and what to do.
  public var description: String {
    switch self {
    case .diverges(let first):
      "\(first.recording) diverges when it is replayed, first at revision \(first.revision), so that its test would fail; "
        + "auditctl replay says how, and minimise --keep diverges makes it small"
    }
  }
}

/// A folder of recordings that tests replay, with an index of what each covers.
///
/// A promoted recording is minimized as long as it shows the same behavior (`FlowBehaviour`), personal data is
/// replaced, and it is named by its behavior. Bodies of responses stay whole: tests of reading them need their fields.
/// A recording that behaves like another one in the folder is left out.
public struct Promoter {
  /// A recording that was promoted or left out.
  public struct Entry: Sendable {
    /// The caller's name for it.
    public var name: String
    /// Its file in the folder; for a duplicate the file of the one that behaves the same.
    public var file: String
    /// Whether another recording in the folder behaves the same, so that this one was left out.
    public var isDuplicate: Bool
    /// What it covers.
    public var behaviour: FlowBehaviour
    /// How many events it had, and has.
    public var eventsBefore: Int
    /// How many events it has.
    public var events: Int
    /// How many personal values were replaced.
    public var values: Int
    /// The content of its file; nothing for a duplicate.
    public var bytes: [UInt8]
    /// The line of a test that replays it.
    public var testLine: String
  }

  private struct Known {
    var behaviour: FlowBehaviour
    var events: Int
  }

  private let kinds: KindRegistry
  private let folder: String
  private var known: [String: Known] = [:]
  private var files: [String: String] = [:]

  /// A folder with the recordings that are in it already.
  ///
  /// - Parameters:
  ///   - folder: what tests call the folder.
  ///   - recordings: the recordings in it, by the names of their files.
  ///   - kinds: the known kinds of flow.
  public init(
    into folder: String, with recordings: [(file: String, recording: Recording)], kinds: KindRegistry = .standard
  ) {
    (self.folder, self.kinds) = (folder, kinds)
    for (file, recording) in recordings { add(file, FlowBehaviour(recording, kinds: kinds), recording.eventCount) }
  }

  private mutating func add(_ file: String, _ behaviour: FlowBehaviour, _ events: Int) {
    known[file] = Known(behaviour: behaviour, events: events)
    // If two behave the same, which an earlier version did not detect, the first by name counts.
    if files[behaviour.name].map({ $0 > file }) ?? true { files[behaviour.name] = file }
  }

  /// Makes a test of a recording.
  ///
  /// - Parameters:
  ///   - recording: the recording.
  ///   - progress: called with the number of recordings tried so far.
  /// - Throws: `PromotionError` if it diverges; `ReplayError` or `MinimiseError` if it cannot be replayed; `StoreError`
  ///   if it cannot be written.
  public mutating func promote(
    _ recording: Recording, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> Entry {
    let kinds = kinds
    if let first = try Replay.replay(recording, kinds: kinds).first { throw PromotionError.diverges(first) }
    let behaviour = FlowBehaviour(recording, kinds: kinds)
    func entry(_ file: String, _ made: Recording, values: Int, bytes: [UInt8], isDuplicate: Bool) -> Entry {
      Entry(
        name: recording.name, file: file, isDuplicate: isDuplicate, behaviour: behaviour,
        eventsBefore: recording.eventCount, events: made.eventCount, values: values, bytes: bytes,
        testLine: testLine(of: file))
    }
    if let file = files[behaviour.name] { return entry(file, recording, values: 0, bytes: [], isDuplicate: true) }
    let condition = MinimiseCondition.test { candidate in
      candidate.flows.count == recording.flows.count && FlowBehaviour(candidate, kinds: kinds) == behaviour
    }
    let small = try Minimiser(keeping: condition, trimsResponses: false, kinds: kinds, progress: progress)
      .minimise(recording).recording
    let (made, values) = try Anonymiser(kinds: kinds).anonymise(small)
    // The folder is compared by its content.
    let final = FlowBehaviour(made, kinds: kinds)
    if let file = files[final.name] { return entry(file, recording, values: 0, bytes: [], isDuplicate: true) }
    let file = fileName(of: made, final)
    let digests = RecordedDigests(of: made.flows, kinds: kinds)?.json
    let bytes = try SliceFile.encode(records: made.records(), source: Recording.source, digests: digests)
    add(file, final, made.eventCount)
    return entry(file, made, values: values, bytes: bytes, isDuplicate: false)
  }

  /// The kind, the end of the last flow, and the behavior: `authn-success-1f3a90c2.ndjson.lz4`.
  private func fileName(of recording: Recording, _ behaviour: FlowBehaviour) -> String {
    let flow = recording.flows.last
    let kind = flow?.kind ?? "flow"
    var end = flow.flatMap { FlowStatuses.of($0, kinds: kinds).last }
    for record in flow?.records ?? [] {
      if case .flowEnded(let ended) = record.event { end = ended.outcome }
    }
    let words = [kind, end].compactMap { $0 }.map { word in
      String(word.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.prefix(40))
    }
    return (words + [String(behaviour.name.prefix(8))]).joined(separator: "-") + ".ndjson.lz4"
  }

  private func testLine(of file: String) -> String {
    let words = file.dropLast(".ndjson.lz4".count).split(separator: "-")
    let name = words.enumerated().map {
      $0.offset == 0 ? String($0.element) : $0.element.prefix(1).uppercased() + $0.element.dropFirst()
    }.joined()
    let path = Self.literal("\(folder)/\(file)")
    return "@Test func \(name)() throws { try expectReplays(\"\(path)\") }"
  }

  /// A text as it stands between the quotes of a Swift string. What a terminal would obey or not show is escaped too.
  private static func literal(_ text: String) -> String {
    text.unicodeScalars.map { scalar -> String in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: (scalar == "\\" || scalar == "\"" ? "\\" : "") + String(scalar)
      }
    }.joined()
  }

  /// The index of the folder: each file with what it covers, in the order of their names.
  public var index: JSON {
    [
      "schema": 1,
      "recordings": .array(
        known.sorted { $0.key < $1.key }.map { file, known in
          [
            "file": .string(file), "behaviour": .string(known.behaviour.name), "events": .int(known.events),
            "covers": known.behaviour.covers,
          ]
        }),
    ]
  }
}
