import EventStore
import FlowRecording
import Testing

@testable import Replay

/// Recordings from strangers that are small and would be large in memory.
@Suite struct CraftedRecordingTests {
  /// So many records whose data has `values` values in 60 KB.
  private func recording(_ count: Int, of value: String, _ values: Int) -> [UInt8] {
    let list = Array(repeating: value, count: values).joined(separator: ",")
    var bytes: [UInt8] = []
    for number in 0..<count {
      bytes += Array(
        """
        {"n":\(number),"at":"2026-11-21T08:35:00.123456Z","stream":"a/0","rev":\(number),"type":"note.added","v":1,\
        "data":{"text":"n","more":[\(list)]}}

        """.utf8)
    }
    return bytes
  }

  @Test func `more values than records of that size have are refused before they take memory`() throws {
    let error = #expect(throws: ReplayError.self) {
      try Recording(name: "crafted", bytes: recording(150, of: "0", 30_000))
    }
    #expect("\(try #require(error))".contains("which no flow's have"))
    #expect(throws: Never.self) { try Recording(name: "long", bytes: recording(150, of: "\"a word\"", 5_000)) }
  }

  /// A golden recording in which each event was changed.
  private func golden(_ name: String, _ change: (inout FlowEvent) -> Void) throws -> Recording {
    var recording = try GoldenRecordings.read(name)
    recording.digests = nil
    for flow in recording.flows.indices {
      for index in recording.flows[flow].records.indices { change(&recording.flows[flow].records[index].event) }
    }
    return recording
  }

  @Test(arguments: [Int.max, Int.min, -1, 1 << 62], ReplayDepth.allCases)
  func `a jitter that no draw gives is a divergence, and no trap`(_ jitter: Int, _ depth: ReplayDepth) throws {
    var changed = 0
    let recording = try golden("poll-troubles") { event in
      guard case .drawMade(var draw) = event, draw.kind == .jitter else { return }
      draw.result = .success(.int(jitter))
      event = .drawMade(draw)
      changed += 1
    }
    #expect(changed > 0)
    #expect(try !Replay.replay(recording, depth: depth).isEmpty)
  }

  @Test(arguments: ["1e300", "-1e300", "1e19", "9223372036854775807"], ReplayDepth.allCases)
  func `a clock that is off by more than time has is no trap`(_ skew: String, _ depth: ReplayDepth) throws {
    var changed = 0
    let recording = try golden("oidc-edge-clock") { event in
      switch event {
      case .callMade(var made):
        guard case .object(var arguments) = made.arguments, arguments["clockSkew"] != nil else { return }
        arguments["clockSkew"] = .number(skew)
        made.arguments = .object(arguments)
        event = .callMade(made)
        changed += 1
      case .responseReceived(var response):
        response.headers.removeAll { $0.name.lowercased() == "date" }
        event = .responseReceived(response)
      default: break
      }
    }
    #expect(changed > 0)
    _ = try Replay.replay(recording, depth: depth)  // anything but a trap
  }
}
