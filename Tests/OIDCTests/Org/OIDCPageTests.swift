import Foundation
import Testing

/// The table of `docs/OIDC.md`: a row for each name of the seed document, and a test for each row.
@Suite struct OIDCPageTests {
  private static let names = [
    "OktaAppAuth": [
      "init", "configuration", "signInWithBrowser", "signOutOfOkta", "authenticate", "resume",
    ],
    "OktaAuthConfig": [
      "default", "init", "issuer", "clientId", "scopes", "redirectUri", "logoutRedirectUri", "additionalParams",
    ],
    "OktaAuthStateManager": [
      "accessToken", "idToken", "refreshToken", "authState", "accessibility", "isValidToken", "decodeJWT", "renew",
      "introspect", "revoke", "getUser", "writeToSecureStorage", "readFromSecureStorage", "clear", "storageKey",
    ],
  ]
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../..").standardizedFileURL

  private static func sources(of folder: String) throws -> String {
    let folder = root.appendingPathComponent(folder)
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return try paths.filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }.joined(separator: "\n")
  }

  @Test func `the page has a row for each name of the seed, and each row names a suite that exists`() throws {
    let page = try String(contentsOf: Self.root.appendingPathComponent("docs/OIDC.md"), encoding: .utf8)
    let section = page.components(separatedBy: "\n## ").first { $0.hasPrefix("Seed member") } ?? ""
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: [" ", "`"]) } }
    let names = Self.names.flatMap { type, members in members.map { "\(type).\($0)" } }
    #expect(Set(rows.map { $0[0] }) == Set(names))
    let tests = try Self.sources(of: "Tests/OIDCTests")
    for row in rows {
      #expect(row.count == 3, "\(row)")
      #expect(tests.contains("struct \(row.last ?? "")"), "\(row[0]): there is no suite \(row.last ?? "")")
    }
  }

  @Test func `each name of the seed is declared in the sources`() throws {
    let sources = try Self.sources(of: "Sources/Flows/OIDC")
    for (type, members) in Self.names {
      #expect(["class", "struct"].contains { sources.contains("\($0) \(type)") }, "\(type) is missing")
      for member in members {
        let declared = ["func \(member)(", "func `\(member)`(", "var \(member)", "let \(member)", "public \(member)("]
        #expect(declared.contains { sources.contains($0) }, "\(type).\(member) is missing")
      }
    }
  }
}
