import EventStore
import FlowRecording
import Foundation
import OIDC
import Replay
import Testing

@testable import IDX

/// Answers that are too large for a log, or costly.
@Suite struct LargeResponseTests {
  /// A folder for one log.
  private func folder() -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("large-\(UUID().uuidString)").path
  }

  /// Begins a flow that is recorded in a folder, and fills its first form in.
  private func begin(
    _ script: inout IDXScript, in path: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> (recorder: LogRecorder, flow: InteractionCodeFlow, identify: Remediation) {
    let recorder = LogRecorder(directory: path)
    script.environment.recorder = recorder
    let flow = script.flow()
    let identify = try #require(try await flow.start().remediations[.identify], sourceLocation: sourceLocation)
    identify.identifier?.value = "ann"
    return (recorder, flow, identify)
  }

  @Test(
    "an answer whose record the log cannot take fails the call, says that it was too large, and the flow goes on",
    arguments: ["long", "many"])
  func tooLarge(kind: String) async throws {
    let odd: JSON =
      kind == "long"
      ? .string(String(repeating: "x", count: 5 << 20)) : .array(Array(repeating: .int(0), count: 170_000))
    let path = folder()
    defer { try? FileManager.default.removeItem(atPath: path) }
    var script = IDXScript(ION.identify)
    let listened = Locked(0)
    script.environment.requestListener = { request in
      listened.withLock { $0 += 1 }
      return request
    }
    let (recorder, flow, identify) = try await begin(&script, in: path)
    script.add(["version": "1.0.0", "message": odd])
    let error = try await idxFailure { try await identify.proceed() }
    guard case .internalError(let failure) = error else { throw error }
    #expect(failure.code == .responseTooLarge)
    #expect(error.errorDescription?.contains("nothing is sent") == false)
    script.add(ION.challenge)
    #expect(try await identify.proceed().remediations[.challengeAuthenticator] != nil)
    #expect(script.transport.requests.count == 4)
    #expect(listened.withLock { $0 } == 4, "nothing runs twice")
    try recorder.close()
    let log = try LogReader(directory: path)
    let records = try EventCoding.decode(try log.records(of: flow.flowID))
    let opaque = records.compactMap { record in
      if case .responseReceived(let response) = record.event, case .opaque(let reason, let length, _) = response.body {
        "\(reason) \(length > 300_000)"
      } else {
        nil
      }
    }
    #expect(opaque == ["larger than can be recorded true"])
    for divergence in try Replay.replay(Recording(flow: flow.flowID, of: log)) { Issue.record("\(divergence.message)") }
  }

  @Test("of very many messages a hundred get events of their own, and all can be read")
  func messages() async throws {
    let path = folder()
    defer { try? FileManager.default.removeItem(atPath: path) }
    var script = IDXScript(ION.identify)
    let (recorder, flow, identify) = try await begin(&script, in: path)
    guard case .object(var odd) = ION.identify else { throw ShouldHaveFailed() }
    let message: JSON = ["message": "x", "class": "ERROR"]
    odd["messages"] = ["type": "array", "value": .array(Array(repeating: message, count: 20_000))]
    script.add(.object(odd))
    let response = try await identify.proceed()
    #expect(response.messages.allMessages.count == 20_000)
    try recorder.close()
    let log = try LogReader(directory: path)
    let types = try log.records(of: flow.flowID).map(\.type)
    #expect(types.count { $0 == "message.shown" } == 100)
    for divergence in try Replay.replay(Recording(flow: flow.flowID, of: log)) { Issue.record("\(divergence.message)") }
  }

  @Test("an answer of 256 levels is recorded, and what is recorded of it can be read and replays")
  func deep() async throws {
    let path = folder()
    defer { try? FileManager.default.removeItem(atPath: path) }
    var script = IDXScript(ION.identify)
    let (recorder, flow, identify) = try await begin(&script, in: path)
    var odd: JSON = "x"
    for _ in 0..<255 { odd = .array([odd]) }
    guard case .object(var body) = ION.challenge else { throw ShouldHaveFailed() }
    body["odd"] = odd
    script.add(.object(body))
    #expect(try await identify.proceed().remediations[.challengeAuthenticator] != nil)
    try recorder.close()
    let recording = try Recording(flow: flow.flowID, of: try LogReader(directory: path))
    for divergence in try Replay.replay(recording) { Issue.record("\(divergence.message)") }
  }

  @Test("the same without a log")
  func withoutLog() async throws {
    var script = IDXScript(ION.identify)
    script.environment.recorder = nil
    let flow = script.flow()
    let identify = try #require(try await flow.start().remediations[.identify])
    identify.identifier?.value = "ann"
    script.add(["version": "1.0.0", "message": .string(String(repeating: "x", count: 5 << 20))])
    guard case .internalError(let failure) = try await idxFailure({ try await identify.proceed() }) else {
      throw ShouldHaveFailed()
    }
    #expect(failure.code == .responseTooLarge)
  }

  /// The processor time for the body of a form of so many fields, in seconds.
  private func cost(ofFields count: Int) throws -> Double {
    let fields = (0..<count).map { ION.field("field-number-\($0)", [("value", .int($0))]) }
    let form = try #require(FormReading(ION.form("identify", nil, fields)))
    let start = ThreadTime.seconds
    let body = try FormSubmission(FormFills()).body(of: form)
    let end = ThreadTime.seconds
    #expect(body.object?.members.count == count + 1)
    return end - start
  }

  @Test("eight times the fields cost about eight times the time, not sixty-four times")
  func linear() throws {
    // Eight times, and eight times that again: 64 times if it is linear, 4,096 times if it grows with the square. The bound
    // is in the middle of the two, eight times away from each, which no load of the machine makes up for.
    let few = try (0..<5).map { _ in try cost(ofFields: 1_000) }.min() ?? 0
    let many = try cost(ofFields: 64_000)
    #expect(many < few * 512)
  }
}
