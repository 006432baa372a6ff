// A test that fails leaves a recording of its sign-ins behind.

import EventStore
import FlowRecording
import Foundation
import Replay
public import Testing

/// Records the flows of a test, and leaves them behind as a recording if the test fails.
///
/// ```swift
/// @Test(.leavesRecording) func signIn() async throws {
///   let flow = try await OktaAuthSdk.authenticate(with: org, username: "ann", password: "…")
///   #expect(flow.statusType == .success)
/// }
/// ```
///
/// Flows are recorded that take their environment from `FlowEnvironment.current`, as all do that are given none.
/// Secrets are replaced, as in any recording. The recording is an attachment of the test
/// (`swift test --attachments-path DIR`), and a file if a folder is named; `auditctl show`, `debug` and `minimise` take
/// it.
public struct RecordingTrait: TestTrait, SuiteTrait, TestScoping {
  /// The folder that recordings of failed tests are written to; `nil` for none.
  public let folder: String?

  /// A trait that writes to a folder, or to none.
  public init(folder: String? = nil) { self.folder = folder }

  /// Every test of a suite, and of those in it, leaves its own recording.
  public var isRecursive: Bool { true }

  /// The test itself is recorded, and not the suite around it.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> RecordingTrait? { testCase == nil ? nil : self }

  /// Runs a test with a recorder of its own.
  ///
  /// - Throws: what the test throws.
  @concurrent
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let recorder = MemoryRecorder()
    let hasFailed = Locked(false)
    var environment = FlowEnvironment.current
    environment.recorder = recorder
    let recorded = environment
    let watch = IssueHandlingTrait.compactMapIssues { issue in
      hasFailed.withLock { $0 = true }
      return issue
    }
    do {
      try await watch.provideScope(for: test, testCase: testCase) {
        try await recorded.run { try await function() }
      }
    } catch {
      leave(recorder, of: test)
      throw error
    }
    if hasFailed.withLock({ $0 }) { leave(recorder, of: test) }
  }

  /// Leaves what was recorded behind. A test without a flow leaves nothing.
  private func leave(_ recorder: MemoryRecorder, of test: Test) {
    let flows = recorder.streams.map { RecordedFlow(stream: $0, records: recorder.records(of: $0)) }
    guard !flows.isEmpty else { return }
    let name = String(test.name.prefix { $0 != "(" }.map { $0.isLetter || $0.isNumber ? $0 : "-" }.prefix(80))
    let file = "\(name).ndjson.lz4"
    let recording = Recording(name: file, flows: flows)
    do {
      if let folder { try recording.write(to: "\(folder)/\(file)") }
      let bytes = try SliceFile.encode(records: recording.records(), source: Recording.source)
      Attachment.record(bytes, named: file)
    } catch {
      Issue.record("no recording could be left behind: \(error)")
    }
  }
}

extension Trait where Self == RecordingTrait {
  /// Leaves a recording behind as an attachment if the test fails.
  public static var leavesRecording: RecordingTrait { RecordingTrait(folder: nil) }

  /// Leaves a recording behind if the test fails.
  ///
  /// - Parameter folder: the folder that it is written to, named by the test; one that is there is replaced.
  public static func leavesRecording(in folder: String) -> RecordingTrait { RecordingTrait(folder: folder) }
}
