import Foundation
import Testing

/// What a replay reads of the objects that it is handed.
@Suite struct ObjectCheckTests {
  /// Members that no answer of an org says anything about, and those that no recording has.
  private static let exceptions: [String: Set<String>] = [
    "Authn": [
      // The words that the SDK knows, and what people see of errors.
      "known", "advice", "sentence", "errorDescription", "recoverySuggestion",
      // The application's own.
      "deviceToken", "responseHandler", "flowID",
      "customMirror", "debugDescription", "description",
    ],
    "IDX": [
      // What holds of each collection or word.
      "startIndex", "endIndex", "capabilities", "isUnknown", "stringValue", "isNetwork",
      // Of passkeys and captchas no recording has what they are made of.
      "userId", "userVerification", "attestation", "algorithms", "activationData", "relyingPartyIdentifier",
      "challengeData", "webAuthnRegistration", "webAuthnAuthentication", "captcha", "siteKey",
      // The application's own.
      "recoveryToken", "maxAge", "acrValues", "client", "additionalParameters", "deviceIdentifier", "flowID",
      "customMirror", "debugDescription", "description",
    ],
  ]

  @Test("each public property of what an org sent is read by the check of a replay", arguments: ["Authn", "IDX"])
  func properties(sdk: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/Flows/\(sdk)")
    func sources(_ part: String) throws -> [String] {
      let files = try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(part).path)
      return try (files ?? []).filter { $0.hasSuffix(".swift") }.sorted().map { name in
        try String(contentsOf: folder.appendingPathComponent(part).appendingPathComponent(name), encoding: .utf8)
      }
    }
    let words = Set(
      try sources("Kind").flatMap { source in source.matches(of: /[.\\]([a-zA-Z]+)/).map { String($0.1) } })
    let declared = try (sources("Model") + sources("Facade")).flatMap { source in
      source.matches(of: /\n *(?:public|open) (?:[a-z() ]+ )?(?:var|let) ([a-zA-Z]+)/).map { String($0.1) }
    }
    #expect(declared.count > 50)
    let unread = Set(declared).subtracting(words).subtracting(Self.exceptions[sdk] ?? [])
    #expect(unread.isEmpty, "no check reads \(unread.sorted())")
  }
}
