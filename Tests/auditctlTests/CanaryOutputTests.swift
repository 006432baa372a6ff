import Authn
import EventStore
import FlowRecording
import Foundation
import Scenarios
import SimulatedOrg
import Testing

/// DESIGN §5: no secret in any byte under the store, nor in what the commands print or export.
@Suite struct CanaryOutputTests {
  private static let password = "canary-Password-9f3k2l"
  private static let wrong = "canary-wrong-12ab-77"
  private static let undeclared = "canary-undeclared-7d1e"
  private static let key = "canaryKeyQx81"

  @Test("canaries are in no file of the store, in no output, in no export")
  func nowhere() async throws {
    let folder = try Folder()
    let store = folder("audit")
    let secrets = try await record(into: store)
    #expect(secrets.count >= 7)

    var texts: [String: Data] = [:]
    for name in try #require(FileManager.default.enumerator(atPath: store)).compactMap({ $0 as? String }) {
      if let data = FileManager.default.contents(atPath: "\(store)/\(name)") { texts["file \(name)"] = data }
    }
    #expect(texts.keys.contains { $0.contains("segments/") })
    let flow = try #require(
      try Program.run(["flows", "--store", store, "--json"], in: folder).lines.first.map {
        try JSON(parsing: Array($0.utf8))["flow"]?.string
      } ?? nil)
    let recording = folder("flow.ndjson.lz4")
    let commands: [[String]] = [
      ["cat", "--store", store], ["flows", "--store", store], ["flows", "--store", store, "--json"],
      ["show", flow, "--store", store], ["show", flow, "--store", store, "--json"],
      ["show", flow, "--store", store, "--at", "9", "--json"], ["info", "--store", store],
      ["verify", "--store", store], ["report", "summary", "--store", store],
      ["report", "summary", "--store", store, "--format", "html"],
      ["report", "summary", "--store", store, "--format", "csv"],
      ["report", "--html", "--store", store, "--check"],
      ["export", flow, "--store", store, "--as", "recording", "-o", recording],
      ["export", flow, "--store", store, "--as", "ndjson", "-o", folder("flow.ndjson")],
      ["replay", recording], ["replay", "--store", store, "--json"],
      ["export", "--store", store, "--as", "ocsf", "-o", "-"], ["export", "--store", store, "--as", "cef", "-o", "-"],
      ["export", "--store", store, "--as", "ecs", "-o", "-"], ["export", "--store", store, "--as", "otlp", "-o", "-"],
      ["checkpoint", "--store", store], ["evidence", flow, "--store", store, "-o", folder("evidence.zip")],
    ]
    // Each report, and what an index holds.
    let reports = try JSON(parsing: Array(try Program.run(["report", "--list", "--json"], in: folder).output.utf8))
    let names = (reports["reports"]?.array ?? []).compactMap { $0["name"]?.string }
    #expect(names.count > 20)
    let asked = names.map { ["report", $0, "--store", store, "--user", Scenario.login] }
    let index = folder("index.sqlite")
    let more =
      names.filter { $0 != "user" }.map { ["report", $0, "--store", store, "--format", "html"] } + asked
      + [
        ["index", "--store", store, "--index", index], ["search", Scenario.login, "--store", store, "--index", index],
        ["flows", "--store", store, "--index", index], ["report", "sign-ins", "--store", store, "--index", index],
      ]
    for command in commands + more {
      let run = try Program.run(command, in: folder)
      #expect([0, 10].contains(run.code), "\(command): \(run.errors)")
      texts["stdout of \(command)"] = Data(run.output.utf8)
      texts["stderr of \(command)"] = Data(run.errors.utf8)
    }
    // A recording that diverges: its report shows both sides.
    let slice = try SliceFile.read(path: recording)
    let changed = try slice.records.map { record in
      guard record.type == "response.received" else { return record }
      let line = String(decoding: record.line, as: UTF8.self)
      return try StoredRecord(line: Array(line.replacingOccurrences(of: "MFA_REQUIRED", with: "MFA_CHALLENGE").utf8))
    }
    try SliceFile.write(
      records: changed, source: StoreIdentity(id: slice.header.store, origin: slice.header.origin),
      to: folder("changed.ndjson.lz4"))
    let diverged = try Program.run(["replay", folder("changed.ndjson.lz4")], in: folder)
    #expect(diverged.code == 1)
    texts["divergence"] = Data((diverged.output + diverged.errors).utf8)
    for name in ["flow.ndjson.lz4", "flow.ndjson", "evidence.zip", "index.sqlite"] {
      texts[name] = try Data(contentsOf: URL(fileURLWithPath: folder(name)))
    }
    texts["index.sqlite-wal"] = FileManager.default.contents(atPath: folder("index.sqlite-wal"))

    for (place, data) in texts {
      for secret in secrets {
        #expect(data.range(of: Data(secret.utf8)) == nil, "\(secret) is in \(place)")
      }
    }
  }

  /// Signs in with canaries everywhere, and gives them and every token and code of the org.
  private func record(into store: String) async throws -> [String] {
    let user = OrgUser(
      login: Scenario.login, password: Self.password,
      factors: [.sms(phone: "+1-555-415-1337"), .push(device: "Ann's phone")])
    let seen = Locked<[String]>([Self.password, Self.wrong, Self.undeclared, Self.key])
    let configuration = OrgConfiguration(
      users: [user],
      decorate: { _, body in
        for name in ["stateToken", "sessionToken"] {
          if let token = body[name]?.string { seen.withLock { $0.append(token) } }
        }
        var body = body
        body[Self.key] = .string(Self.undeclared)
        return body
      })
    let recorder = LogRecorder(directory: store)
    let scenario = Scenario("canary", configuration) { stage in
      let start = stage.begin()
      let status = try await start.authenticate(username: Scenario.login, password: Self.password)
      _ = try? await start.authenticate(username: Scenario.login, password: Self.wrong)
      let required = try #require(status as? OktaAuthStatusFactorRequired)
      let sms = try #require(required.availableFactors.first { $0.type == .sms })
      let challenge = try #require(try await required.selectFactor(sms) as? OktaAuthStatusFactorChallenge)
      let code = try #require(stage.org.outbox.last?.code)
      let last = try await challenge.verifyFactor(passCode: code, answerToSecurityQuestion: nil)
      seen.withLock { $0.append(code) }
      return last
    }
    try await scenario.run(recorder: recorder)
    try recorder.close()
    return Array(Set(seen.withLock { $0 }))
  }
}
