import EventStore
import FlowRecording
import Foundation
import OIDC
import Replay
import Scenarios
import SimulatedOrg
import Testing

@testable import IDX

/// DESIGN §5 for the Identity Engine: canaries in every input, every secret of a response, and in what nothing
/// declares. None may be in what is written, shown or thrown.
@Suite struct IDXCanaryTests {
  private static let password = "canary-Password-9f3k2l"
  private static let newPassword = "canary-New-Password-4h8"
  private static let planted = [
    "canaryKeyQx81", "canary-undeclared-7d1e", "739164", "canary-nested-55aa", "canary-field-preset",
    "canary-secret-field", "canary-query-33", "canary-shared-66", "canary-qr-88", "canary-challenge-99",
    "canary-otp-12", "canary-custom-attribute",
  ]

  @Test("no canary is in any record, and the sign-in replays", arguments: OrgPolicy.named.map(\.name))
  func noCanaryIsWritten(policy name: String) async throws {
    let recorder = MemoryRecorder()
    let secrets = Locked<[String]>([])
    let shown = Locked<[String]>([])
    let policy = try #require(OrgPolicy.named(name))
    var user = IDXScenario.everyone
    user.password = Self.password
    let configuration = OrgConfiguration(
      users: [user],
      decorate: { path, body in
        Self.collectSecrets(body, into: secrets)
        return path.contains("/idp/idx/") ? Self.plant(in: body) : body
      }, policy: policy)
    let scenario = IDXScenario("canary", configuration) { stage in
      var stage = stage
      let begun = Locked<InteractionCodeFlow?>(nil)
      stage.began = { flow in begun.withLock { $0 = flow } }
      var person = IDXPerson(password: Self.password)
      person.newPassword = Self.newPassword
      let last = Locked<Response?>(nil)
      let token = try #require(
        try await IDXScenario.lead(through: policy, on: stage, as: person) { response in
          last.withLock { $0 = response }
          shown.withLock { $0 += ["\(response)"] + response.remediations.map { "\($0)" } }
          shown.withLock { $0 += response.authenticators.flatMap { ["\($0)"] + $0.capabilities.map { "\($0)" } } }
          let context = begun.withLock { $0?.context }
          secrets.withLock { $0 += [context?.interactionHandle].compactMap { $0 } }
          shown.withLock { $0 += [context.map { "\($0)" }].compactMap { $0 } }
        })
      let flow = try #require(begun.withLock { $0 })
      let typed = policy.registration.isEmpty ? Self.password : Self.newPassword
      flow.note("the user typed \(typed) into the wrong field")
      secrets.withLock { $0 += [token.accessToken, token.idToken, token.refreshToken].compactMap { $0 } }
      shown.withLock { $0.append("\(token)") }
      do { _ = try await last.withLock { $0 }?.exchangeCode() } catch {
        shown.withLock { $0.append("\(error) \(error.localizedDescription)") }
      }
    }
    try await scenario.run(recorder: recorder) { stage in
      secrets.withLock { $0 += stage.org.outbox.map(\.code) }
      for request in stage.org.requests {
        let body = String(decoding: request.body, as: UTF8.self)
        for pair in body.split(separator: "&") where pair.hasPrefix("code_verifier=") {
          secrets.withLock { $0.append(String(pair.dropFirst("code_verifier=".count))) }
        }
      }
    }
    let stream = try #require(recorder.streams.first)
    let records = recorder.records(of: stream)
    let written = records.map { $0.event.data.text }.joined(separator: "\n")
    let told = shown.withLock { $0 }.joined(separator: "\n")
    let all =
      Self.planted + [Self.password, Self.newPassword, IDXPerson().answer] + secrets.withLock { Array(Set($0)) }
    #expect(secrets.withLock { Set($0).count } >= 6)
    for canary in all where canary.utf8.count >= 5 {
      for form in Self.forms(of: canary) {
        #expect(!written.contains(form), "\(canary) as \(form) was written")
        #expect(!told.contains(form), "\(canary) as \(form) was shown")
      }
    }
    let recording = Recording(name: "canary", flows: [RecordedFlow(stream: stream, records: records)])
    for divergence in try Replay.replay(recording) { Issue.record("\(divergence.message)") }
  }

  // MARK: Planting

  private static func plant(in body: OrgJSON) -> OrgJSON {
    var body = body
    body["canaryKeyQx81"] = .string("canary-undeclared-7d1e")
    body["oddCode"] = .string("739164")
    body["nested"] = .object([.init("list", .array([.string("canary-nested-55aa"), .int(7)]))])
    let data: OrgJSON = .object([
      .init("sharedSecret", .string("canary-shared-66")), .init("otp", .string("canary-otp-12")),
      .init("qrcode", .object([.init("href", .string("data:image/png;base64,canary-qr-88"))])),
      .init("challengeData", .object([.init("challenge", .string("canary-challenge-99"))])),
    ])
    let extra: OrgJSON = .object([
      .init("type", .string("app")), .init("id", .string("autcanary")), .init("contextualData", data),
    ])
    var list = body["authenticators"] ?? .object([.init("type", .string("array")), .init("value", .array([]))])
    if case .array(let entries)? = list["value"] { list["value"] = .array(entries + [extra]) }
    body["authenticators"] = list
    body["success"] = .object([
      .init("name", .string("success-redirect")),
      .init("href", .string("https://acme.example/login?stateToken=canary-query-33&odd=canary-query-33")),
    ])
    // Hidden fields with presets, at the end of the first form: sent back as they came.
    guard var remediation = body["remediation"], case .array(let forms)? = remediation["value"],
      var first = forms.first,
      case .array(let fields)? = first["value"], first["name"] == .string("identify")
    else { return body }
    first["value"] = .array(
      fields + [
        field("oddPreset", "canary-field-preset", secret: false), field("hint", "canary-secret-field", secret: true),
        .object([
          .init("name", .string("userProfile")),
          .init("form", .object([.init("value", .array([field("custom", "canary-custom-attribute", secret: false)]))])),
        ]),
      ])
    remediation["value"] = .array([first] + forms.dropFirst())
    body["remediation"] = remediation
    return body
  }

  private static func field(_ name: String, _ value: String, secret: Bool) -> OrgJSON {
    .object([
      .init("name", .string(name)), .init("value", .string(value)), .init("secret", .bool(secret)),
      .init("mutable", .bool(false)),
    ])
  }

  private static func collectSecrets(_ body: OrgJSON, into secrets: Locked<[String]>) {
    if case .string(let handle)? = body["stateHandle"] { secrets.withLock { $0.append(handle) } }
    if case .string(let handle)? = body["interaction_handle"] { secrets.withLock { $0.append(handle) } }
    for place in ["currentAuthenticator", "currentAuthenticatorEnrollment"] {
      guard let data = body[place]?["value"]?["contextualData"] else { continue }
      if case .string(let secret)? = data["sharedSecret"] { secrets.withLock { $0.append(secret) } }
      if case .string(let image)? = data["qrcode"]?["href"] { secrets.withLock { $0.append(image) } }
    }
  }

  private static func forms(of canary: String) -> [String] {
    let base64 = Data(canary.utf8).base64EncodedString().prefix(canary.utf8.count / 3 * 4)
    return [canary, String(base64), canary.replacingOccurrences(of: "-", with: "%2D")].filter { $0.utf8.count >= 5 }
  }
}
