import FlowRecording
import Foundation
import Scenarios
import SimulatedOrg
import Testing

@testable import Authn

/// DESIGN §2 rule 1: a facade object holds a state that came out of the fold and a way to send intents, nothing else,
/// so that every public property is a function of that state and the vault.
@Suite struct FacadeReflectionTests {
  @Test("facade objects store their state, and the factors made of it once", arguments: Scenario.flows.map(\.name))
  func storedProperties(name: String) async throws {
    let scenario = try #require(Scenario.flows.first { $0.name == name })
    try await scenario.run(recorder: nil) { _, last in
      let status = try #require(last)
      #expect(labels(of: status) == ["object", "made"])
      // Beside these it keeps what the vault made of the state, which a dump does not show.
      #expect(labels(of: status.object) == ["state", "session"])
      #expect(labels(of: status.object.session).sorted() == ["handler", "session", "watch"])
      for factor in status.factors { #expect(labels(of: factor).sorted() == ["index", "object", "owner"]) }
    }
  }

  @Test("every class of the facade is known to this test")
  func everyClass() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/Flows/Authn/Facade").standardizedFileURL
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    var stored: [String] = []
    for file in files where file.lastPathComponent.hasPrefix("Okta") && !file.lastPathComponent.contains("+") {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let text = line.trimmingCharacters(in: .whitespaces)
        let words = text.split(separator: " ").drop { ["public", "package", "private", "open", "weak"].contains($0) }
        let declares = words.first == "let" || words.first == "var"
        // Two spaces of indentation: a member of the class. A body in braces makes it a computed one.
        guard declares, line.hasPrefix("  "), !line.hasPrefix("   "), !text.contains("{") else { continue }
        stored.append("\(file.lastPathComponent): \(text)")
      }
    }
    #expect(
      stored.sorted() == [
        "OktaAuthStatus.swift: package let object: AuthnObject",
        "OktaAuthStatus.swift: private let made = Locked<[OktaFactor]?>(nil)",
        "OktaAuthStatusResponseHandler.swift: private let followed = Locked<[Followed]>([])",
        "OktaAuthStatusResponseHandler.swift: private let interval: Locked<TimeInterval>",
        "OktaAuthStatusResponseHandler.swift: private let onceSent = Locked(true)",
        "OktaFactor.swift: package let index: Int",
        "OktaFactor.swift: package let object: AuthnObject",
        "OktaFactor.swift: private weak var owner: OktaAuthStatus?",
      ])
  }

  @Test("rebuilt from the log, every property is the live one with placeholders where secrets were")
  func rebuilt() async throws {
    let recorder = MemoryRecorder()
    try await Scenario.pushRejected.run(recorder: recorder) { stage, last in
      let live = try #require(last as? OktaAuthStatusFactorChallenge)
      let state = AuthnCore.folding(recorder.records(of: live.flowID))
      let other = AuthnSession(
        org: stage.org.url, handler: OktaAuthStatusResponseHandler(), environment: FlowEnvironment())
      let rebuilt = try #require(
        OktaAuthStatus.make(AuthnObject(state: state, session: other)) as? OktaAuthStatusFactorChallenge)
      #expect(rebuilt.statusType == live.statusType)
      #expect(rebuilt.canVerify() == live.canVerify())
      #expect(rebuilt.canResend() == live.canResend())
      #expect(rebuilt.canReturn() == live.canReturn())
      #expect(rebuilt.canCancel() == live.canCancel())
      #expect(rebuilt.user == live.user)
      #expect(rebuilt.factorResult == live.factorResult)
      #expect(rebuilt.model.expirationDate == live.model.expirationDate)
      #expect(rebuilt.model.stateToken == "$secret.stateToken.1$")
      #expect(live.model.stateToken?.hasPrefix("$") == false)
      #expect(live.object.session.flow.vault.reveal(rebuilt.model.json) == live.model.json)
    }
  }

  @Test("rebuilt from the log, the last status of every flow is the live one", arguments: Scenario.flows.map(\.name))
  func rebuiltFlows(name: String) async throws {
    let scenario = try #require(Scenario.flows.first { $0.name == name })
    let recorder = MemoryRecorder()
    try await scenario.run(recorder: recorder) { stage, last in
      let session = try #require(last?.object.session)
      let live = try #require(session.status(of: session.flow.core) ?? last)
      let state = AuthnCore.folding(recorder.records(of: live.flowID))
      let other = AuthnSession(
        org: stage.org.url, handler: OktaAuthStatusResponseHandler(), environment: FlowEnvironment())
      let object = AuthnObject(state: state, session: other)
      let rebuilt = OktaAuthStatus.make(object) ?? OktaAuthStatusUnauthenticated(object)
      #expect(type(of: rebuilt) == type(of: live))
      #expect(rebuilt.statusType == live.statusType)
      #expect(rebuilt.canReturn() == live.canReturn())
      #expect(rebuilt.canCancel() == live.canCancel())
      #expect(session.flow.vault.reveal(rebuilt.model.json) == live.model.json)
      for (factor, same) in zip(rebuilt.factors, live.factors) {
        #expect(type(of: factor) == type(of: same))
        #expect(factor.canEnroll() == same.canEnroll() && factor.canSelect() == same.canSelect())
        #expect(factor.canActivate() == same.canActivate() && factor.canVerify() == same.canVerify())
      }
    }
  }

  private func labels(of value: Any) -> [String] {
    var labels: [String] = []
    var mirror: Mirror? = Mirror(reflecting: value)
    while let current = mirror {
      labels += current.children.compactMap(\.label)
      mirror = current.superclassMirror
    }
    return labels
  }
}
