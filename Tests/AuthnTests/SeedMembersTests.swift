import EventStore
import FlowRecording
import Foundation
import Testing

@testable import Authn

/// Every name of the seed documents, called with their labels; and the table of `docs/AUTHN.md`, which lists each.
@Suite struct SeedMembersTests {
  /// A method of the seed, how it is called there, and the intent that is recorded.
  struct Method: Sendable, CustomTestStringConvertible {
    var name: String
    var status: String
    var factor: String
    var intent: String
    var call: @Sendable (OktaAuthStatus, @escaping @Sendable () -> Void) -> Void
    var testDescription: String { name }
  }

  @Test(
    "a method of the seed, called as the seed calls it, records its intent and calls back once", arguments: Method.all)
  func calls(method: Method) async throws {
    let script = Script(
      method.status == "" ? Wire.success : Self.offering(method.status, factor: method.factor),
      method.intent == "downloadSecurityQuestions" ? [["question": "a", "questionText": "b"]] : Wire.success)
    let object: OktaAuthStatus = method.status == "" ? script.begin() : try await script.status(OktaAuthStatus.self)
    let calls = Locked(0)
    await withCheckedContinuation { continuation in
      method.call(object) {
        calls.withLock { $0 += 1 }
        continuation.resume()
      }
    }
    let made = script.recorder.records(of: object.flowID).compactMap { record -> String? in
      if case .callMade(let made) = record.event { made.call } else { nil }
    }
    #expect(made.last == method.intent)
    #expect(calls.withLock { $0 } == 1)
    try await script.expectWhole(object, method.name)
  }

  /// A status that offers everything, with a factor that offers everything.
  private static func offering(_ status: String, factor: String) -> JSON {
    let links: [(String, JSON?)] = ["next", "prev", "cancel", "skip", "resend"].map { ($0, Wire.link("/\($0)")) }
    let send: JSON = [Wire.link("/send/email", name: "email"), Wire.link("/send/sms", name: "sms")]
    let one = Wire.factor(
      factor,
      links: [
        ("verify", Wire.link("/verify")), ("enroll", Wire.link("/factors")),
        ("questions", Wire.link("/questions", allow: "GET")),
      ], [("_embedded", ["activation": ["_links": ["send": send]]])])
    return Wire.transaction(status, embedded: [("factors", [one])], links: links)
  }

  // MARK: The table

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL

  private static func text(_ folder: String, suffix: String) throws -> [String: String] {
    let base = root.appendingPathComponent(folder)
    let paths = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
    var texts: [String: String] = [:]
    for path in paths where path.hasSuffix(suffix) {
      texts[path] = try String(contentsOf: base.appendingPathComponent(path), encoding: .utf8)
    }
    return texts
  }

  @Test("docs/AUTHN.md has a row for every name of the seed, and each row names a test that exists")
  func table() throws {
    let page = try String(contentsOf: Self.root.appendingPathComponent("docs/AUTHN.md"), encoding: .utf8)
    let tests = try Self.text("Tests", suffix: ".swift").values.joined()
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    let told = Set(rows.map { $0[0].trimmingCharacters(in: ["`"]) })
    for name in SeedNames.all { #expect(told.contains(name), "docs/AUTHN.md does not list \(name)") }
    for row in rows {
      #expect(row.count == 3, "\(row)")
      let suite = row.last?.trimmingCharacters(in: ["`"]).split(separator: ".").first.map(String.init) ?? ""
      #expect(tests.contains("struct \(suite)") || tests.contains("class \(suite)"), "\(row[0]): no test \(suite)")
    }
  }

  @Test("every name of the seed stands in the sources, in its class, with its labels in their order")
  func sources() throws {
    let files = try Self.text("Sources/Flows/Authn", suffix: ".swift")
    for name in SeedNames.all {
      let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
      let owner = try #require(parts.first)
      // What classes share stands in the classes between them and their base.
      var text = Self.declaring(owner, in: files)
      var heir = owner
      while let shared = Self.ancestor(of: heir, in: files.values) {
        text += Self.declaring(shared, in: files)
        heir = shared
      }
      #expect(!text.isEmpty, "\(owner) is missing")
      guard parts.count == 2 else { continue }
      #expect(Self.declares(parts[1], in: text), "\(name) is missing")
    }
  }

  @Test("the README's misspelled names are the classes they mean")
  @available(*, deprecated)
  func misspellings() async throws {
    let script = Script(Wire.transaction("PASSWORD_RESET"))
    let _: OktaAuthStatuPasswordReset = try await script.status(OktaAuthStatusPasswordReset.self)
    let _: OktaAuthUnauthenticated = script.begin()
  }

  @Test("the check of the sources finds what is missing")
  func checkWorks() {
    let text = "open func a(\n    x: Int, y z: Int = 1,\n    b: () -> Void\n  ) {"
    #expect(Self.declares("a(x:b:)", in: text))
    #expect(!Self.declares("a(b:x:)", in: text))
    #expect(!Self.declares("c", in: text))
  }

  /// The first name behind the colon of a class.
  private static func ancestor(of name: String, in texts: some Sequence<String>) -> String? {
    for text in texts {
      let heads = text.components(separatedBy: "class \(name): ").dropFirst()
      if let ancestor = heads.first?.split(separator: ",").first, !ancestor.hasPrefix("@") { return String(ancestor) }
    }
    return nil
  }

  /// The sources that declare a type.
  private static func declaring(_ owner: String, in files: [String: String]) -> String {
    let heads = ["class", "enum", "struct", "typealias"].flatMap { kind in
      [":", " "].map { "\(kind) \(owner)\($0)" }
    }
    return files.values.filter { text in heads.contains { text.contains($0) } }.joined()
  }

  private static func declares(_ member: String, in text: String) -> Bool {
    guard let open = member.firstIndex(of: "(") else {
      return ["var ", "let ", "case ", "enum ", "struct "].contains { text.contains("\($0)\(member)") }
    }
    let name = String(member[..<open])
    let labels = member[member.index(after: open)...].dropLast().split(separator: ":").map(String.init)
    let opening = name == "init" ? "init(" : "func \(name)("
    for piece in text.components(separatedBy: opening).dropFirst() {
      let head = piece.prefix(1500).components(separatedBy: "{").first ?? ""
      var rest = labels[...]
      for parameter in head.split(whereSeparator: { $0 == "," || $0 == "\n" }) {
        let word = parameter.trimmingCharacters(in: .whitespaces).split(whereSeparator: { " :".contains($0) }).first
        if let word, String(word) == rest.first { rest = rest.dropFirst() }
      }
      if rest.isEmpty { return true }
    }
    return false
  }
}
