import Foundation
import SimulatedOrg
import Testing

/// An org, the site that people sign in to at it, the site's log, and a driver of browsers: all of one test.
struct TestSite {
  let org: SimulatedOrg
  let url: URL
  private let server: Program
  private let driver = WebDriver()
  private let directory: URL

  private var store: String { directory.appendingPathComponent("audit").path }

  /// Sets everything up, runs a test with it, looks at what was recorded, and takes everything down.
  ///
  /// - Parameters:
  ///   - options: further arguments of the site.
  ///   - expected: the flows that the log must have in the end, the oldest first: who, and how it ended.
  static func run(
    _ policy: OrgPolicy = .standard, users: [OrgUser], options: [String] = [], flows expected: [[String?]],
    _ body: (TestSite) async throws -> Void
  ) async throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("web-login-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    var configuration = OrgConfiguration(users: users, clock: .system, policy: policy)
    // A poll every four seconds is what orgs ask for; tests need not wait for so long.
    configuration.decorate = { _, body in
      body.mapObjects { members in members.map { $0.name == "refresh" ? .init("refresh", 500) : $0 } }
    }
    let org = try await SimulatedOrg.start(configuration)
    let server = try Program(
      "web-login",
      ["--client-id", OrgClient.sample.id, "--store", directory.appendingPathComponent("audit").path, "--port", "0"]
        + options,
      environment: ["WEB_LOGIN_ORG": org.url.absoluteString])
    let url = try #require(URL(string: await server.line() ?? ""), "the site did not start")
    let site = TestSite(org: org, url: url, server: server, directory: directory)
    let result: Result<Void, any Error>
    do { result = .success(try await body(site)) } catch { result = .failure(error) }
    await site.driver.stop()
    server.terminate()
    let status = await server.status()
    await org.stop()
    do {
      try result.get()
    } catch {
      Issue.record("the site wrote: \(String(decoding: server.output, as: UTF8.self))")
      throw error
    }
    #expect(status == 0, "the site did not end as it should")
    try await site.checkLog(expected)
    try await site.checkSecrets(users)
  }

  /// Opens a browser, with a profile of its own, at the front page.
  func browser(scripts: Bool = true) async throws -> Browser {
    let browser = try await driver.open(scripts: scripts)
    try await browser.visit(url)
    return browser
  }

  func address(_ path: String) -> URL { url.appendingPathComponent(path) }

  /// The code of the latest text message.
  func code(for login: String) throws -> String {
    try #require(org.outbox.last { $0.userLogin == login }?.code, "no message was sent")
  }

  // MARK: What is left afterwards

  private func checkLog(_ expected: [[String?]]) async throws {
    // Nothing is pinned, so that the best verdict is 10: consistent in itself.
    let (status, text) = try await Program.run("auditctl", ["verify", "--store", store])
    #expect(status == 10, "\(String(decoding: text, as: UTF8.self))")
    let (_, list) = try await Program.run("auditctl", ["flows", "--store", store, "--json"])
    let flows = String(decoding: list, as: UTF8.self).split(separator: "\n").compactMap { line in
      (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
    }
    #expect(flows.map { [$0["user"] as? String, $0["outcome"] as? String] } == expected)
  }

  /// Nothing that must stay secret is in any byte of the log, packed or unpacked, or in what the site wrote.
  private func checkSecrets(_ users: [OrgUser]) async throws {
    let secrets = users.compactMap(\.password) + org.outbox.map(\.code)
    var places: [(String, Data)] = [("the output", server.output)]
    let (_, records) = try await Program.run("auditctl", ["cat", "--store", store])
    // What is no secret is found in the same way.
    #expect(records.range(of: Data("log.opened".utf8)) != nil)
    places.append(("the records", records))
    let files = try #require(FileManager.default.enumerator(atPath: store))
    while let name = files.nextObject() as? String {
      if let data = FileManager.default.contents(atPath: store + "/" + name) { places.append((name, data)) }
    }
    for secret in secrets {
      for (name, data) in places where data.range(of: Data(secret.utf8)) != nil {
        Issue.record("\(secret) stands in \(name)")
      }
    }
  }
}
