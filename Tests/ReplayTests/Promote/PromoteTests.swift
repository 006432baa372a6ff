import EventStore
import FlowRecording
import Replay
import Testing

/// Recordings of the field as regression tests.
@Suite struct PromoteTests {
  @Test("each golden recording is promoted once, replays, and behaves as before")
  func golden() throws {
    var promoter = Promoter(into: "R", with: [])
    var files: Set<String> = []
    for name in ["push-approved", "idx-lost-polls", "enroll-sms", "oidc-browser", "device-enroll", "taken-up"] {
      let recording = try GoldenRecordings.read(name)
      let entry = try promoter.promote(recording)
      #expect(!entry.isDuplicate && files.insert(entry.file).inserted && entry.events <= entry.eventsBefore)
      let made = try Recording(name: entry.file, bytes: entry.bytes)
      #expect(try Replay.replay(made) == [])
      #expect(FlowBehaviour(made).covers["status"] == FlowBehaviour(recording).covers["status"])
      #expect(entry.testLine.contains("expectReplays(\"R/\(entry.file)\")"))
      #expect(try promoter.promote(recording).isDuplicate && promoter.promote(made).isDuplicate)
      var again = Promoter(into: "R", with: [])
      #expect(try again.promote(recording).bytes == entry.bytes)
    }
    #expect(promoter.index["recordings"]?.array?.compactMap { $0["file"]?.string } == files.sorted())
  }

  @Test("a push that is polled for longer behaves the same, one that is rejected does not")
  func behaviour() throws {
    let (short, long) = (try GoldenRecordings.read("push-approved"), try GoldenRecordings.read("push-rejected"))
    #expect(FlowBehaviour(short) != FlowBehaviour(long))
    let small = try Minimiser(keeping: .status("SUCCESS"), trimsResponses: false).minimise(short).recording
    #expect(small.eventCount < short.eventCount)
    #expect(FlowBehaviour(short).name == FlowBehaviour(try GoldenRecordings.read("push-approved")).name)
  }
}
