import EventStore
import Foundation
import Testing

@testable import Authn
@testable import FlowRecording

/// Bodies that orgs really sent: masked, revealed, and searched for secrets.
@Suite struct CorpusMaskingTests {
  private static let secretNames: Set<String> = [
    "stateToken", "sessionToken", "recoveryToken", "sharedSecret", "signature", "nonce", "correctAnswer", "userCode",
    "relayState", "password", "answer",
  ]

  @Test(
    "each body of the corpus is revealed byte for byte and shows no secret",
    .enabled(if: Corpus.isThere, "../shared/corpus is not there"))
  func corpus() throws {
    var undeclared: [String: Int] = [:]
    for (name, json) in try Corpus.bodies() {
      var vault = Vault()
      let masker = Masker(policy: AuthnCore.policy)
      let masked = masker.mask(HTTPResponse(status: 200, body: json.bytes), into: &vault)
      guard case .json(let body) = masked.body else {
        Issue.record("\(name) is not JSON")
        continue
      }
      #expect(vault.reveal(body).bytes == json.bytes, "\(name)")
      #expect(Self.readable(body).isEmpty, "\(name)")
      for secret in Self.values(json) where secret.utf8.count >= 8 {
        #expect(!body.text.contains(secret), "\(name)")
      }
      for key in Self.undeclared(body, vault) { undeclared[key, default: 0] += 1 }
    }
    print("undeclared in the corpus: \(undeclared.sorted { $0.key < $1.key })")
  }

  /// Values under a secret name that are not placeholders.
  private static func readable(_ json: JSON) -> [String] {
    members(json).compactMap { member in
      switch member.value {
      case .string(let text) where secretNames.contains(member.key) && !text.isEmpty && !text.hasPrefix("$secret."):
        text
      case .number(let text) where secretNames.contains(member.key): text
      default: nil
      }
    }
  }

  /// Strings under a secret name.
  private static func values(_ json: JSON) -> [String] {
    members(json).filter { secretNames.contains($0.key) }.compactMap(\.value.string)
  }

  private static func undeclared(_ json: JSON, _ vault: Vault) -> [String] {
    members(json).filter { $0.key.hasPrefix("$secret.") }.map { vault.reveal($0.key) }
  }

  private static func members(_ json: JSON) -> [JSONObject.Member] {
    switch json {
    case .array(let elements): elements.flatMap(members)
    case .object(let object): object.members + object.members.flatMap { members($0.value) }
    default: []
    }
  }
}
