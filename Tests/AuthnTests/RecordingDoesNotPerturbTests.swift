import FlowRecording
import Scenarios
import SimulatedOrg
import Testing

@testable import Authn

/// DESIGN §2 rule 7: the same flow sends the same bytes, recorded or not.
@Suite struct RecordingDoesNotPerturbTests {
  @Test("the same bytes reach the org with and without a recorder", arguments: Scenario.golden.map(\.name))
  func sameBytes(name: String) async throws {
    let scenario = try #require(Scenario.golden.first { $0.name == name })
    let with = try await scenario.run(recorder: MemoryRecorder())
    let without = try await scenario.run(recorder: nil)
    #expect(!with.isEmpty)
    #expect(with.map(Sent.init) == without.map(Sent.init))
  }
}

/// A request as it reached the org, but for the port in `Host`.
struct Sent: Equatable, CustomStringConvertible {
  var line: String
  var headers: [String]
  var body: String

  init(_ request: ReceivedRequest) {
    line = "\(request.method) \(request.target)"
    headers = request.headers.filter { $0.name.lowercased() != "host" }.map { "\($0.name): \($0.value)" }
    body = request.text
  }

  var description: String { "\(line) \(headers) \(body)" }
}
