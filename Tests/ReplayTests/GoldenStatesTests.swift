import EventStore
import FlowKinds
import FlowRecording
import FlowTestKit
import Foundation
import Replay
import Testing

/// The states of the golden recordings: all of each is shown, and no input traps or returns a call that is not open.
@Suite struct GoldenStatesTests {
  @Test("every kind: inputs of all flows at states of all flows, and `show --at` hides nothing")
  func states() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Recordings").standardizedFileURL.path
    var flows: [String: [RecordedFlow]] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where file.hasSuffix(".lz4") {
      for flow in try Recording(contentsOf: "\(folder)/\(file)").flows {
        guard case .flowStarted(let started)? = flow.records.first?.event else { continue }
        flows[started.kind, default: []].append(flow)
      }
    }
    for kind in KindRegistry.standard.all {
      let all = try #require(flows[kind.name], "no golden recording is of kind \(kind.name)")
      let ours = Effort.isLong ? all : Effort.part(of: all, 120)
      #expect(findings(of: kind, ours) == [])
    }
  }

  private func findings<Kind: FlowKind>(of kind: Kind.Type, _ flows: [RecordedFlow]) -> [String] {
    let types = Set(
      flows.flatMap(\.records).compactMap { record -> String? in
        if case .domain(let event) = record.event { event.type } else { nil }
      })
    let unlisted = types.subtracting(kind.declarations.map { $0.type })
    return unlisted.sorted().map { "\(kind.name) does not list \($0)" }
      + FlowBattery(kind).states(of: flows, fed: 8, with: 40)
  }
}
