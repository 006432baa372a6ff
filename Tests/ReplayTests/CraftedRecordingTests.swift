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
}
