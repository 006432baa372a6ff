// One attack: what the org does, what the client may spend on it, and what holds afterwards.
import Authn
import EventStore
import FlowRecording
import Foundation
import IDX
import Replay
import Testing

/// An attack on a sign-in.
struct Attack: Sendable, CustomTestStringConvertible {
  var name: String
  var api: API
  /// What the org does.
  var act: @Sendable (Moment) -> Act
  /// Settings of the subject: `timeout=500`.
  var settings: [String] = []
  /// How many requests the client may send.
  var requests = 12
  /// What the output must contain; nil for anything.
  var says: String?

  var testDescription: String { "\(api): \(name)" }

  /// An attack on one step of each API.
  static func onEach(
    _ name: String, settings: [String] = [], requests: Int = 12, says: String? = nil,
    at steps: [API: Step] = [.authn: .select, .idx: .identify], _ act: @escaping @Sendable (Moment) -> Act
  ) -> [Attack] {
    API.allCases.compactMap { api in
      guard let step = steps[api] else { return nil }
      return Attack(
        name: name, api: api, act: { $0.step == step ? act($0) : .honest }, settings: settings, requests: requests,
        says: says)
    }
  }

  /// Memory that a client may have, in bytes.
  static let memory = 256 << 20
  /// Disk that a flow may take, in bytes.
  static let disk = 16 << 20

  /// Lets the subject sign in at an org that attacks, and holds it against what was promised.
  ///
  /// - Parameter secrets: what must not be found, beside the canaries.
  @discardableResult
  func run(secrets: [String] = [], sourceLocation: SourceLocation = #_sourceLocation) async throws -> Aftermath {
    let org = try HostileOrg(act)
    defer { org.server.stop() }
    var after = try await Aftermath.of(
      "hostile-subject", secrets: secrets, "\(self.testDescription)", sourceLocation: sourceLocation
    ) { store in
      [api.rawValue, org.server.url, store] + settings
    }
    after.requests = org.server.requests
    #expect(
      after.requests.count <= requests, "\(testDescription): \(after.requests.count) requests",
      sourceLocation: sourceLocation)
    if let says {
      #expect(
        after.output.contains(says), "\(testDescription): \(after.output.prefix(2_000))",
        sourceLocation: sourceLocation)
    }
    return after
  }
}

/// What is left after a run.
struct Aftermath: Sendable {
  /// What the program printed.
  var output: String
  /// How each flow ended, in the words of the log, in the order in which the flows began.
  var outcomes: [String]
  /// The most memory that the program ever had, in bytes.
  var peakMemory: Int
  /// The size of the store, in bytes.
  var disk: Int
  /// What the org of an attack received.
  var requests: [HostileRequest] = []

  /// The requests of one step that the org received.
  func requests(of step: Step) -> [HostileRequest] { requests.filter { Step(path: $0.path) == step } }

  /// Runs a program that signs in, and looks at everything that it leaves.
  @discardableResult
  static func of(
    _ program: String, secrets: [String] = [], input: String = Canary.password + "\n", code: Int32? = nil,
    _ name: String,
    sourceLocation: SourceLocation = #_sourceLocation, _ arguments: (_ store: String) -> [String]
  ) async throws -> Aftermath {
    let folder = FileManager.default.temporaryDirectory.appending(path: "hostile-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appending(path: "audit").path
    let fate = try await Victim.run(program, arguments(store), input: input, in: folder)
    #expect(!fate.wasTooLong, "\(name): longer than \(Victim.limit) s", sourceLocation: sourceLocation)
    #expect(fate.code != nil, "\(name): ended by a signal; \(fate.output.suffix(500))", sourceLocation: sourceLocation)
    if let code { #expect(fate.code == code, "\(name): \(fate.output.suffix(2_000))", sourceLocation: sourceLocation) }
    // Another program writes nothing down: it may have ended before it was looked at often enough.
    #expect(
      fate.peakMemory > 1 << 20 || (program != "hostile-subject" && fate.looks < 10),
      "\(name): nothing was measured", sourceLocation: sourceLocation)
    #expect(
      fate.wroteMemory == (program == "hostile-subject") || fate.code == nil,
      "\(name): the subject did not write down its memory", sourceLocation: sourceLocation)
    #expect(fate.peakMemory < Attack.memory, "\(name): \(fate.peakMemory >> 20) MiB", sourceLocation: sourceLocation)
    let left = try holds(store, fate.output, Canary.all + secrets, name, sourceLocation: sourceLocation)
    return Aftermath(output: fate.output, outcomes: left.outcomes, peakMemory: fate.peakMemory, disk: left.disk)
  }

  private static func holds(
    _ store: String, _ output: String, _ secrets: [String], _ name: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> (outcomes: [String], disk: Int) {
    let report = try Verifier(directory: store).run()
    #expect(report.verdict == .unanchored, "\(name): \(report.verdict)", sourceLocation: sourceLocation)
    let reader = try LogReader(directory: store)
    var cursor = try reader.cursor()
    var lines: [UInt8] = []
    var streams: [String] = []
    while let record = try cursor.next() {
      lines += record.bytes
      lines.append(UInt8(ascii: "\n"))
      if record.type == "flow.started" { streams.append(record.stream) }
    }
    #expect(!streams.isEmpty, "\(name): no flow", sourceLocation: sourceLocation)
    let size = try diskUse(store)
    #expect(
      size <= Attack.disk * max(1, streams.count), "\(name): \(size) bytes on disk", sourceLocation: sourceLocation)
    let written = String(decoding: lines, as: UTF8.self)
    for secret in secrets {
      #expect(!written.contains(secret), "\(name): '\(secret)' is in the log", sourceLocation: sourceLocation)
      #expect(
        !output.contains(secret), "\(name): '\(secret)' was printed: \(output.prefix(2_000))",
        sourceLocation: sourceLocation)
    }
    var outcomes: [String] = []
    for stream in streams {
      let recording = try Recording(flow: stream, of: reader)
      let records = recording.flows.first?.records ?? []
      let isOpen = stream.hasPrefix("idx") ? IDXCore.folding(records).isOpen : AuthnCore.folding(records).isOpen
      #expect(!isOpen, "\(name): \(stream) has no end", sourceLocation: sourceLocation)
      #expect(try Replay.replay(recording) == [], "\(name): \(stream) does not replay", sourceLocation: sourceLocation)
      let ends = records.compactMap { record -> String? in
        guard case .flowEnded(let ended) = record.event else { return nil }
        return ended.outcome
      }
      outcomes.append(ends.last ?? "none")
    }
    return (outcomes, size)
  }

  private static func diskUse(_ directory: String) throws -> Int {
    let files = FileManager.default.enumerator(atPath: directory)
    var sum = 0
    while let file = files?.nextObject() as? String {
      let attributes = try FileManager.default.attributesOfItem(atPath: directory + "/" + file)
      if attributes[.type] as? FileAttributeType == .typeRegular { sum += attributes[.size] as? Int ?? 0 }
    }
    return sum
  }
}
