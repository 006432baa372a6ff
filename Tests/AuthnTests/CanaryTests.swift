import EventStore
import FlowRecording
import Foundation
import Replay
import Scenarios
import SimulatedOrg
import Testing

@testable import Authn

/// DESIGN §5: canaries in every input, every secret response field, and in what nothing declares. None may be in what
/// is written, shown or thrown.
@Suite struct CanaryTests {
  /// Distinctive values; each is planted in one place.
  private static let password = "canary-Password-9f3k2l"
  private static let userName = "$secret.password.1$-canary-user"
  private static let undeclaredKey = "canaryKeyQx81"
  private static let undeclaredValue = "canary-undeclared-7d1e"
  private static let undeclaredCode = "739164"
  private static let distinctive = [
    password, userName, undeclaredKey, undeclaredValue, undeclaredCode, "canary-nested-55aa", "canary-in-array-0c",
    "canary-shared-secret", "canary-qr-path", "canary-nonce-11", "canary-signature-22", "canary-query-33",
    "canary-header-44", "canary-recovery-66", "canary-relay-77", "canary-cookie-88", "canary-activation-99",
    "canary-wrong-12ab",
  ]

  @Test("no canary is in any record, and the sign-in replays")
  func noCanaryIsWritten() async throws {
    let recorder = MemoryRecorder()
    let secrets = Locked<[String]>([])
    let codes = Locked<[String]>([])
    let errors = Locked<[String]>([])
    let user = OrgUser(
      login: Self.userName, password: Self.password,
      factors: [.sms(phone: "+1-555-415-1337"), .push(device: "Ann's phone")])
    let configuration = OrgConfiguration(
      users: [user], numberChallenge: true,
      decorate: { path, body in
        Self.collectSecrets(body, into: secrets)
        return Self.plant(in: body)
      })
    let scenario = Scenario("canary", configuration) { stage in
      let start = stage.begin()
      let status = try await start.authenticate(username: Self.userName, password: Self.password)
      // The org's answer to this one quotes the password that was typed before.
      do throws(OktaError) {
        _ = try await start.authenticate(username: Self.userName, password: "canary-wrong-12ab")
      } catch { errors.withLock { $0.append("\(error) \(error.localizedDescription)") } }
      let required = try #require(status as? OktaAuthStatusFactorRequired)
      let sms = try #require(required.availableFactors.first { $0.type == .sms })
      let challenge = try #require(try await required.selectFactor(sms) as? OktaAuthStatusFactorChallenge)
      codes.withLock { $0 = stage.org.outbox.map(\.code) + ["424242"] }
      do throws(OktaError) {
        _ = try await challenge.verifyFactor(passCode: "424242", answerToSecurityQuestion: nil)
      } catch { errors.withLock { $0.append("\(error) \(error.localizedDescription)") } }
      challenge.note("the user typed \(Self.password) into the wrong field, and 424242")
      let code = try #require(stage.org.outbox.last?.code)
      return try await challenge.verifyFactor(passCode: code, answerToSecurityQuestion: nil)
    }
    try await scenario.run(recorder: recorder)

    let records = try #require(recorder.streams.first.map(recorder.records(of:)))
    let written = records.map { $0.event.data.text }.joined(separator: "\n")
    let shown = errors.withLock { $0 }.joined(separator: "\n")
    let all = Self.distinctive + secrets.withLock { $0 } + codes.withLock { $0 }
    #expect(secrets.withLock { $0.count } > 2)
    #expect(codes.withLock { $0.count } == 2)
    for canary in all {
      for form in Self.forms(of: canary) {
        #expect(!written.contains(form), "\(canary) as \(form) was written")
        #expect(!shown.contains(form), "\(canary) as \(form) was shown")
      }
    }
    let recording = Recording(name: "canary", flows: [RecordedFlow(stream: "canary", records: records)])
    for divergence in try Replay.replay(recording) { Issue.record("\(divergence.message)") }

    // And in the report of a divergence, which shows both sides.
    var changed = recording
    let index = try #require(changed.flows[0].records.firstIndex { $0.event.type == "request.sent" })
    changed.flows[0].records[index].event = .timerSet(TimerSet(milliseconds: 1, purpose: "poll"))
    let report = try #require(try Replay.replay(changed).first).json.text
    for canary in all { #expect(!report.contains(canary)) }
  }

  @Test("values that occur by nature damage no record")
  func commonValues() async throws {
    let recorder = MemoryRecorder()
    let user = OrgUser(login: "push", password: "true", factors: [.push(device: "42")])
    let configuration = OrgConfiguration(
      users: [user],
      decorate: { _, body in
        var body = body
        body["oddFlag"] = .bool(true)
        body["oddZero"] = .int(0)
        body["oddNumber"] = .int(42)
        body["oddWord"] = .string("push")
        return body
      })
    let scenario = Scenario("common", configuration) { stage in
      let status = try await stage.begin().authenticate(username: "push", password: "true")
      let required = try #require(status as? OktaAuthStatusFactorRequired)
      #expect(required.availableFactors.first?.type == .push)
      let factor = try #require(required.availableFactors.first)
      let challenge = try #require(try await required.selectFactor(factor) as? OktaAuthStatusFactorChallenge)
      #expect(challenge.model.json["oddFlag"] == .bool(true))
      #expect(challenge.model.json["oddZero"] == .int(0))
      #expect(challenge.model.json["oddNumber"] == .int(42))
      #expect(challenge.model.json["oddWord"] == .string("push"))
      stage.org.answerPush(for: "push", .approve)
      return try await challenge.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    }
    try await scenario.run(recorder: recorder) { _, last in #expect(last?.statusType == .success) }
    let records = try #require(recorder.streams.first.map(recorder.records(of:)))
    for record in records {
      guard case .responseReceived(let response) = record.event, case .json(let body) = response.body else { continue }
      #expect(body["oddFlag"] == nil, "an undeclared key must not be readable")
      if let factor = body["_embedded"]?["factors"]?.array?.first {
        #expect(factor["factorType"] == "push")
        #expect(factor["provider"] == "OKTA")
      }
      #expect(response.status == 200)
    }
    let recording = Recording(name: "common", flows: [RecordedFlow(stream: "common", records: records)])
    for divergence in try Replay.replay(recording) { Issue.record("\(divergence.message)") }
  }

  // MARK: Planting

  private static func plant(in body: OrgJSON) -> OrgJSON {
    var body = body
    body[undeclaredKey] = .string(undeclaredValue)
    body["undeclaredCode"] = .string(undeclaredCode)
    body["nested"] = .object([
      .init("status", .string("canary-nested-55aa")), .init("list", .array([.string("canary-in-array-0c"), .int(7)])),
    ])
    body["relayState"] = .string("https://app.example/?t=canary-relay-77")
    body["recoveryToken"] = .string("canary-recovery-66")
    // Quotes of what was sent, in text that is public: as it is, percent-encoded, base64 and JSON in a string.
    let base64 = Data("user:\(password):x".utf8).base64EncodedString()
    let percent = password.replacingOccurrences(of: "-", with: "%2D")
    body["errorSummary"] = .string("tried \(password), \(percent), \(base64) and {\"code\":\"\(undeclaredCode)\"}")
    var embedded = body["_embedded"] ?? .object([])
    embedded["activationHint"] = .string("canary-activation-99")
    if case .array(let factors) = embedded["factors"] ?? .null, var factor = factors.first {
      factor["_embedded"] = .object([
        .init(
          "activation",
          .object([
            .init("sharedSecret", .string("canary-shared-secret")), .init("nonce", .string("canary-nonce-11")),
            .init("signature", .string("canary-signature-22")),
            .init(
              "_links",
              .object([
                .init("qrcode", .object([.init("href", .string("https://acme.example/qr/canary-qr-path"))])),
                .init(
                  "activate",
                  .object([
                    .init("href", .string("https://acme.example/a?stateToken=canary-query-33&odd=canary-query-33"))
                  ])),
              ])),
          ]))
      ])
      embedded["factors"] = .array([factor] + factors.dropFirst())
    }
    body["_embedded"] = embedded
    return body
  }

  private static func collectSecrets(_ body: OrgJSON, into secrets: Locked<[String]>) {
    for name in ["stateToken", "sessionToken"] {
      if case .string(let token)? = body[name] { secrets.withLock { $0.append(token) } }
    }
  }

  private static func forms(of canary: String) -> [String] {
    let bytes = Data(canary.utf8)
    // Aligned base64 without its end, as it stands at the start of a longer text.
    let base64 = bytes.base64EncodedString().prefix(canary.utf8.count / 3 * 4)
    return [canary, String(base64), canary.replacingOccurrences(of: "-", with: "%2D")].filter { $0.utf8.count >= 6 }
  }
}
