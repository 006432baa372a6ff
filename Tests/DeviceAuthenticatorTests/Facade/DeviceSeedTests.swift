import Foundation
import Testing

/// The table of `docs/DEVICE.md`: a row for each name of the seed document, and a test for each row.
@Suite struct DeviceSeedTests {
  private static let names = [
    "ApplicationConfig",
    "ApplicationConfig.apsEnvironment",
    "DeviceAuthenticatorBuilder.create",
    "DeviceAuthenticatorBuilder.addLogger",
    "EnrollmentParameters",
    "AuthenticatorConfig",
    "AuthToken.bearer",
    "DeviceAuthenticatorProtocol.enroll",
    "DeviceAuthenticatorProtocol.allEnrollments",
    "DeviceAuthenticatorProtocol.delete",
    "DeviceAuthenticatorProtocol.parsePushNotification",
    "DeviceAuthenticatorProtocol.parsePushNotificationResponse",
    "AuthenticatorEnrollmentProtocol.updateDeviceToken",
    "AuthenticatorEnrollmentProtocol.setUserVerification",
    "AuthenticatorEnrollmentProtocol.delete",
    "AuthenticatorEnrollmentProtocol.deleteFromDevice",
    "AuthenticatorEnrollmentProtocol.retrievePushChallenges",
    "PushChallengeProtocol.resolve",
    "RemediationStepUserConsent.provide",
    "RemediationStepUserVerification.provide",
    "RemediationStepMessage.message",
    "RemediationStep.defaultProcess",
    "UserVerificationParameters",
  ]
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../..").standardizedFileURL

  @Test func `the page has a row for each name of the seed, and each row names a suite that exists`() throws {
    let page = try String(contentsOf: Self.root.appendingPathComponent("docs/DEVICE.md"), encoding: .utf8)
    let section = page.components(separatedBy: "\n## ").first { $0.hasPrefix("Seed member") } ?? ""
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: [" ", "`"]) } }
    #expect(Set(rows.map { $0[0] }) == Set(Self.names))
    let folder = Self.root.appendingPathComponent("Tests/DeviceAuthenticatorTests")
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    let tests = try paths.filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }.joined()
    for row in rows {
      #expect(row.count == 3, "\(row)")
      #expect(tests.contains("struct \(row[2])"), "\(row[0]): there is no suite \(row[2])")
    }
  }

  @Test func `each name of the seed is declared in the sources`() throws {
    let folder = Self.root.appendingPathComponent("Sources/Flows/Device")
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    let sources = try paths.filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }.joined(separator: "\n")
    for name in Self.names {
      let parts = name.split(separator: ".").map(String.init)
      let type = parts[0]
      let declared = ["class", "struct", "enum", "protocol", "typealias"].contains { sources.contains("\($0) \(type)") }
      #expect(declared, "\(type) is missing")
      guard parts.count == 2 else { continue }
      let member = ["func", "var", "let", "case"].contains { sources.contains("\($0) \(parts[1])") }
      #expect(member, "\(name) is missing")
    }
  }
}
