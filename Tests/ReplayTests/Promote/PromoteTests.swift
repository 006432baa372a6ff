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

  @Test("the line of a test is Swift, however the folder is called")
  func testLine() throws {
    var promoter = Promoter(into: "a\"b\\(1+1)\n\u{1B}[31m\u{202E}ü", with: [])
    let entry = try promoter.promote(GoldenRecordings.read("wrong-password"))
    let path = #"a\"b\\(1+1)\u{A}\u{1B}[31m\u{202E}ü/"# + entry.file
    #expect(entry.testLine.hasSuffix("() throws { try expectReplays(\"\(path)\") }"), "\(entry.testLine)")
  }

  @Test("what is promoted has no address, device or correlation of a context, and replays")
  func contexts() throws {
    var promoter = Promoter(into: "R", with: [])
    let entry = try promoter.promote(GoldenRecordings.read("corner-contexts"))
    let made = try Recording(name: entry.file, bytes: entry.bytes)
    #expect(try Replay.replay(made) == [])
    let text = made.flows.flatMap(\.records).map(\.event.data.text).joined(separator: "\n")
    #expect(text.contains("\"context\"") && text.contains("192.0.2.1"), "\(text)")
    for value in ["192.0.2.7", "2001:db8::1", "dev-1", "req-9"] { #expect(!text.contains(value), "\(value)") }
  }

  @Test("a recording that diverges is made no test, be another like it in the folder or not")
  func diverging() throws {
    let planted = PlantedFailure(
      name: "another pause", recording: "push-approved", type: "timer.set", number: 0, change: .set(["ms"], 1_234))
    let changed = try planted.plant()
    #expect(try !Replay.replay(changed).isEmpty)
    var promoter = Promoter(into: "R", with: [])
    #expect(throws: PromotionError.self) { try promoter.promote(changed) }
    _ = try promoter.promote(GoldenRecordings.read("push-approved"))
    let error = #expect(throws: PromotionError.self) { try promoter.promote(changed) }
    #expect(error?.description.contains("diverges") == true)
  }

  @Test("a push that is polled for longer behaves the same, one that is rejected does not")
  func behaviour() throws {
    let (short, long) = (try GoldenRecordings.read("push-approved"), try GoldenRecordings.read("push-rejected"))
    #expect(FlowBehaviour(short) != FlowBehaviour(long))
    let small = try Minimiser(keeping: .status("SUCCESS"), trimsResponses: false).minimise(short).recording
    #expect(small.eventCount < short.eventCount)
    #expect(FlowBehaviour(short).name == FlowBehaviour(try GoldenRecordings.read("push-approved")).name)
  }

  @Test("what is promoted keeps all that its source does: results of factors, messages, remediations, failures")
  func keeps() throws {
    var promoter = Promoter(into: "R", with: [])
    for (name, words) in [
      ("push-rejected", ["event factor.updated result=REJECTED", "event status.changed summary.factors.type=push"]),
      (
        "push-timed-out",
        ["event factor.updated result=TIMEOUT", "fired poll several", "path MFA_REQUIRED > MFA_CHALLENGE"]
      ),
      ("idx-push-rejected", ["event message.shown key=api.authn.poll.error.push_rejected"]),
      (
        "device-fallback-locked-out",
        ["event verification.completed outcome=lockedOut", "event key.fallback cause=lockedOut"]
      ),
      (
        "number-challenge", ["says response.received _embedded.factor._embedded.challenge.correctAnswer=$correctAnswer"]
      ),
    ] {
      let recording = try GoldenRecordings.read(name)
      let behaviour = FlowBehaviour(recording)
      for word in words { #expect(behaviour.facts.contains { $0.hasSuffix(" \(word)") }, "\(name): \(word)") }
      let entry = try promoter.promote(recording)
      let made = try Recording(name: entry.file, bytes: entry.bytes)
      #expect(!entry.isDuplicate && FlowBehaviour(made) == behaviour, "\(name)")
      #expect(behaviour.covers["event"]?.array?.isEmpty == false)
    }
  }

  /// Golden recordings that do what another does, by that other.
  private static let duplicates: [String: [String]] = [
    // A device answers a push, whichever API the sign-in goes by.
    "both-classic-approved-device": ["both-engine-approved-device"],
    "both-classic-denied-device": ["both-engine-denied-device"],
    // The sign-ins of these pairs, which were recorded without a device too.
    "both-classic-denied-sign-in": ["push-rejected"],
    "both-engine-denied-sign-in": ["idx-push-rejected"],
    // One recording for each policy of the simulated org; these ask this user for the same.
    "idx-policy-enrol-required": [
      "idx-policy-number-challenge", "idx-policy-standard", "idx-policy-two-factors", "idx-policy-unlock-and-sign-in",
    ],
    "idx-policy-registration": ["idx-registration"],
    // The configuration, the times of polls and an address differ, which are no behavior.
    "idx-password": ["idx-property-list"],
    "push-timed-out": ["push-waits-long"],
    "oidc-open-query": ["oidc-session-token"],
    // How long a server puts an exchange off, and whether it ends by that, is seen by times alone.
    "oidc-edge-put-off": ["oidc-limited"],
  ]

  @Test("of the golden recordings, only those are duplicates that are named here")
  func goldenDuplicates() throws {
    var first: [String: String] = [:]
    var found: [String: [String]] = [:]
    for name in GoldenRecordings.names {
      let behaviour = FlowBehaviour(try GoldenRecordings.read(name)).name
      if let other = first[behaviour] { found[other, default: []].append(name) } else { first[behaviour] = name }
    }
    #expect(found == Self.duplicates)
    #expect(found.values.map(\.count).reduce(0, +) <= 13)
  }
}
