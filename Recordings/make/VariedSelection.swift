// Chooses the varied flows of `Recordings/varied.json`: `make vary`. Plays thousands, and keeps those that show what no other
// recording does.

import EventStore
import FlowKinds
import FlowRecording
import Foundation
import Replay
import Scenarios

/// Plays variations of every scenario, and chooses among them.
///
/// `make-recordings --vary FOLDER COUNT BYTES`: so many of each scenario, and recordings of about so many bytes before they
/// are compressed.
enum VariedSelection {
  /// A flow, or the flows of one scenario, that could be kept.
  private struct Candidate: Sendable {
    var part: FormRecording.Part
    var kind: String
    var features: Set<UInt64>
    var bytes: Int
  }

  private enum Played: Sendable {
    case flows([RecordedFlow])
    case nothing(String)
  }

  static func run() async {
    let arguments = Array(CommandLine.arguments.dropFirst(2))
    let folder = arguments.first ?? "Recordings"
    let count = arguments.dropFirst().first.flatMap(Int.init) ?? 24
    let budget = arguments.dropFirst(2).first.flatMap(Int.init) ?? 12_000_000
    do {
      var known = try knownFeatures(in: folder)
      let candidates = await play(count, FeatureReader(keys: known.keys))
      print("\(candidates.count) flows could be kept")
      let chosen = choose(candidates, &known.features, budget)
      try write(chosen, to: "\(folder)/varied.json")
    } catch {
      FileHandle.standardError.write(Data("variations cannot be chosen: \(error)\n".utf8))
      exit(74)
    }
  }

  /// The features of the recordings that were not made by variation.
  private static func knownFeatures(in folder: String) throws -> (features: Set<UInt64>, keys: [String: Set<String>]) {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let recordings = try names.filter { $0.hasSuffix(".ndjson.lz4") && !$0.hasPrefix("varied-") }.map {
      try Recording(contentsOf: "\(folder)/\($0)")
    }
    var reader = FeatureReader(keys: [:])
    for recording in recordings { for flow in recording.flows { reader.learn(flow) } }
    var features: Set<UInt64> = []
    for recording in recordings {
      for flow in recording.flows { features.formUnion(reader.features(of: flow)) }
    }
    return (features, reader.keys)
  }

  // MARK: Playing

  private static func parts(_ count: Int) -> [(part: FormRecording.Part, kind: String)] {
    let classic = (Scenario.flows + Scenario.rare).map(\.name)
    let engine = (IDXScenario.golden + IDXScenario.rare).map(\.name)
    let device = (DeviceScenario.golden + DeviceScenario.rare).map(\.name)
    let tokens = (OIDCScenario.golden + OIDCScenario.rare).map(\.name)
    var parts: [(FormRecording.Part, String)] = []
    for (names, kind, wanders) in [
      (classic, "authn", true), (engine, "idx", true), (device, "device", false), (tokens, "oidc", false),
    ] {
      for name in names {
        for number in 0..<count {
          parts.append((FormRecording.Part(scenario: name, seed: 0, variation: number), kind))
          guard wanders, number % 2 == 0 else { continue }
          parts.append((FormRecording.Part(scenario: name, seed: 0, variation: 1000 + number, wanders: true), kind))
        }
      }
    }
    return parts
  }

  private static func play(_ count: Int, _ reader: FeatureReader) async -> [Candidate] {
    let parts = parts(count)
    return await withTaskGroup(of: (Int, Candidate?).self) { group in
      var next = 0
      var done: [(Int, Candidate)] = []
      func add() {
        guard next < parts.count else { return }
        let (number, (part, kind)) = (next, parts[next])
        next += 1
        group.addTask { (number, await candidate(part, kind, reader)) }
      }
      for _ in 0..<3 { add() }
      while let (number, candidate) = await group.next() {
        if let candidate { done.append((number, candidate)) }
        add()
      }
      return done.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// What a part shows, if it is the same twice and replays.
  private static func candidate(_ part: FormRecording.Part, _ kind: String, _ reader: FeatureReader) async -> Candidate?
  {
    let name = "\(part.scenario) \(part.variation ?? 0)\(part.wanders == true ? " wandering" : "")"
    guard case .flows(let flows) = await inTime(part, kind) else {
      print("left out: \(name) does not end")
      return nil
    }
    guard !flows.isEmpty, flows.reduce(0, { $0 + $1.records.count }) < 400 else { return nil }
    guard case .flows(let again) = await inTime(part, kind), again == flows else {
      print("left out: \(name) is not the same twice")
      return nil
    }
    let recording = Recording(name: name, flows: flows)
    do {
      for depth in [ReplayDepth.core, .whole] {
        if let divergence = try Replay.replay(recording, depth: depth).first {
          print(
            "left out: \(name) diverges (\(depth)): \(divergence.message.split(separator: "\n").joined(separator: " "))"
          )
          return nil
        }
      }
    } catch {
      print("left out: \(name): \(error)")
      return nil
    }
    guard flows.allSatisfy({ KindRegistry.standard.kind(of: $0.records)?.canRunWhole($0) == true }) else {
      print("left out: \(name) does not run whole")
      return nil
    }
    var features: Set<UInt64> = []
    var bytes = 0
    for flow in flows {
      features.formUnion(reader.features(of: flow))
      bytes += flow.records.reduce(0) { $0 + 120 + $1.event.data.text.utf8.count }
    }
    return Candidate(part: part, kind: kind, features: features, bytes: bytes)
  }

  /// Plays a part, if it ends within seconds.
  private static func inTime(_ part: FormRecording.Part, _ kind: String) async -> Played {
    let playing = Task { () -> Played in
      let recorder = MemoryRecorder()
      let watched = WatchedRecorder(recorder)
      do {
        try await part.run(recorder: watched)
        try await watched.flowsAreGone()
      } catch {
        return .nothing("\(error)")
      }
      return .flows(
        recorder.streams.filter { $0.hasPrefix(kind + "/") }.map {
          RecordedFlow(stream: $0, records: recorder.records(of: $0))
        })
    }
    return await withCheckedContinuation { continuation in
      let isOver = Locked(false)
      @Sendable func end(_ played: Played) {
        if isOver.withLock({ over in
          defer { over = true }
          return over
        }) {
          return
        }
        continuation.resume(returning: played)
      }
      Task { end(await playing.value) }
      DispatchQueue.global().asyncAfter(deadline: .now() + 8) {
        playing.cancel()
        end(.nothing("no end"))
      }
    }
  }

  // MARK: Choosing

  /// The flows that show the most that is new for their size, as long as the budget lasts.
  private static func choose(_ candidates: [Candidate], _ known: inout Set<UInt64>, _ budget: Int) -> [Candidate] {
    func worth(_ candidate: Candidate) -> Double {
      Double(candidate.features.subtracting(known).count) / Double(candidate.bytes + 1500)
    }
    var queue = candidates.enumerated().map { (index: $0.offset, worth: worth($0.element)) }
    var chosen: [Int] = []
    var bytes = 0
    while !queue.isEmpty {
      queue.sort { ($0.worth, $1.index) > ($1.worth, $0.index) }
      // What one shows is no longer new in another: the first that is still worth the most is taken.
      var best = (place: -1, worth: 0.0)
      for place in queue.indices {
        guard queue[place].worth > best.worth else { break }
        queue[place].worth = worth(candidates[queue[place].index])
        if queue[place].worth > best.worth { best = (place, queue[place].worth) }
      }
      guard best.place >= 0 else { break }
      let index = queue.remove(at: best.place).index
      guard bytes + candidates[index].bytes <= budget else { continue }
      let new = candidates[index].features.subtracting(known).count
      guard new >= 3 else { continue }
      bytes += candidates[index].bytes
      known.formUnion(candidates[index].features)
      chosen.append(index)
    }
    print("\(chosen.count) chosen, \(bytes) bytes")
    return chosen.sorted().map { candidates[$0] }
  }

  private static func write(_ chosen: [Candidate], to path: String) throws {
    var lines: [String] = []
    for kind in ["authn", "idx", "device", "oidc"] {
      let parts = chosen.filter { $0.kind == kind }.map { candidate in
        let part = candidate.part
        return
          "      {\"scenario\": \"\(part.scenario)\", \"seed\": \(part.seed), \"variation\": \(part.variation ?? 0)"
          + (part.wanders == true ? ", \"wanders\": true}" : "}")
      }
      guard !parts.isEmpty else { continue }
      lines.append(
        "  {\n    \"name\": \"varied-\(kind)\",\n    \"kind\": \"\(kind)\",\n    \"parts\": [\n"
          + parts.joined(separator: ",\n") + "\n    ]\n  }")
    }
    try Data(("[\n" + lines.joined(separator: ",\n") + "\n]\n").utf8).write(to: URL(fileURLWithPath: path))
  }
}
