import AuditReports
import EventStore
import FlowRecording
import Foundation
import Testing

/// Reasons and factors as the golden recordings have them, in all kinds.
@Suite struct VocabularyTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Recordings").path

  static func facts(of name: String) throws -> LogFacts {
    var facts = LogFacts()
    for record in try SliceFile.read(path: "\(folder)/\(name).ndjson.lz4").records { facts.add(record) }
    return facts
  }

  struct Expected: Sendable, CustomTestStringConvertible {
    var recording: String
    var factors: String
    var setbacks: [FailureReason: Int] = [:]
    var reason: FailureReason?
    var outcome = "success"
    var testDescription: String { recording }
  }

  static let expectations: [Expected] = [
    Expected(recording: "password-only", factors: "password"),
    Expected(
      recording: "wrong-password", factors: "password", setbacks: [.wrongPassword: 1], reason: .wrongPassword,
      outcome: "failed"),
    Expected(recording: "push-approved", factors: "password push"),
    Expected(
      recording: "push-rejected", factors: "password push", setbacks: [.rejected: 1], reason: .rejected,
      outcome: "failed"),
    Expected(
      recording: "push-timed-out", factors: "password push", setbacks: [.timedOut: 1], reason: .timedOut,
      outcome: "failed"),
    Expected(recording: "sms-wrong-code", factors: "password sms", setbacks: [.wrongCode: 1]),
    Expected(recording: "totp", factors: "password totp", setbacks: [.wrongCode: 1]),
    Expected(recording: "question", factors: "password question", setbacks: [.wrongCode: 1]),
    Expected(recording: "yubikey", factors: "password token"),
    Expected(
      recording: "locked-out", factors: "password", setbacks: [.wrongPassword: 2, .locked: 1], reason: .locked,
      outcome: "lockedOut"),
    Expected(
      recording: "rate-limited", factors: "password", setbacks: [.rateLimited: 1], reason: .rateLimited,
      outcome: "failed"),
    Expected(recording: "idx-password", factors: "password"),
    Expected(recording: "idx-wrong-answer", factors: "password", setbacks: [.wrongPassword: 1]),
    Expected(
      recording: "idx-push-rejected", factors: "password push", setbacks: [.rejected: 1], reason: .rejected,
      outcome: "failed"),
    Expected(recording: "idx-policy-two-factors", factors: "password email"),
    Expected(recording: "idx-security-key", factors: "password webauthn"),
    Expected(recording: "device-consent", factors: "push", outcome: "approved"),
    Expected(
      recording: "device-denial", factors: "push", setbacks: [.rejected: 1], reason: .rejected, outcome: "denied"),
    Expected(recording: "oidc-state-mismatch", factors: "", setbacks: [.client: 1], reason: .client, outcome: "failed"),
  ]

  @Test("factors, setbacks, reason and outcome are the same words in every kind", arguments: expectations)
  func words(expected: Expected) throws {
    let facts = try Self.facts(of: expected.recording)
    let flow = try #require(facts.flows.last { $0.kind != "device" || $0.signIn.purpose == .challenge })
    #expect(flow.factors.joined(separator: " ") == expected.factors)
    #expect(flow.signIn.setbacks == expected.setbacks)
    #expect(flow.reason == expected.reason)
    #expect(flow.outcome == expected.outcome)
  }

  @Test("changes of accounts are read from both APIs")
  func changes() throws {
    func kinds(_ name: String) throws -> [AccountChange.Kind] {
      try Self.facts(of: name).flows.flatMap { $0.signIn.changes.map(\.kind) }
    }
    #expect(try kinds("expired-changed") == [.passwordChanged])
    #expect(try kinds("idx-expired-password") == [.passwordChanged])
    #expect(try kinds("sms-recovery") == [.passwordReset])
    #expect(try kinds("idx-recovery") == [.passwordReset])
    #expect(try kinds("locked-out-unlock") == [.unlocked])
    #expect(try kinds("idx-unlock") == [.unlocked])
    #expect(try kinds("enroll-sms") == [.factorEnrolled])
    #expect(try kinds("device-enroll") == [.factorEnrolled])
  }

  @Test("facts of every golden recording are the same after they were bytes, and no cut of the bytes traps")
  func coding() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder) where name.hasSuffix(".lz4") {
      for flow in try Self.facts(of: String(name.dropLast(".ndjson.lz4".count))).flows {
        let bytes = flow.bytes
        #expect(FlowFacts(bytes: bytes[...]) == flow, "\(name)")
        for length in stride(from: 0, to: bytes.count, by: 7) { _ = FlowFacts(bytes: bytes.prefix(length)) }
      }
    }
  }

  @Test("the context that an application gives is part of flow.started, and of the facts")
  func context() throws {
    let context = FlowContext(
      app: .init(id: "com.acme.mail", version: "4.2"), client: .init(os: "Linux 6", address: "192.0.2.7"),
      device: "d-1", instance: "web-3", correlation: "r-9", trace: String(repeating: "4", count: 600))
    let json = try #require(context.json)
    #expect(FlowContext(json).app == context.app && json["trace"]?.string?.count == 256)
    #expect(FlowContext().json == nil)
    let started = FlowStarted(kind: "authn", sdk: "s", settings: [:], context: json)
    #expect(try FlowStarted(data: started.data) == started)
    #expect(FlowStarted(kind: "authn", sdk: "s", settings: [:]).data["context"] == nil)
    var log = Written()
    try log.add("authn/1", "flow.started", started.data)
    #expect(log.facts.flows.first?.place == "192.0.2.7" && log.facts.flows.first?.context.app.version == "4.2")
  }

  @Test("an empty text of the context is neither recorded nor read: it is no place, no program and no address")
  func emptyContext() throws {
    let given = FlowContext(
      app: .init(name: "", version: ""), client: .init(address: ""), device: "d-1", instance: "", trace: "")
    #expect(given.json == ["device": "d-1"] && FlowContext(client: .init(address: "")).json == nil)
    // A log may have such texts: earlier builds recorded them.
    let context: JSON = [
      "app": ["name": "", "version": ""], "client": ["address": ""], "device": "d-1", "instance": "", "trace": "",
    ]
    var log = Written()
    try log.add("authn/1", "flow.started", ["kind": "authn", "sdk": "s", "settings": [:], "context": context])
    try log.add(
      "authn/1", "call.made", ["call": "authenticate", "arguments": ["username": "ann", "forwardedFor": ""]])
    let flow = try #require(log.facts.flows.first)
    #expect(flow.context == FlowContext(device: "d-1") && flow.place == "d-1")
    #expect(flow.originWords == "device d-1")
  }
}
