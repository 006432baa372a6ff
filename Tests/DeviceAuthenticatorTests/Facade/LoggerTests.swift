// What loggers of an application get: events by name and level, and nothing that is secret or personal.

import DeviceAuthenticator
import EventStore
import FlowRecording
import Foundation
import Logging
import SimulatedOrg
import Testing

/// A logger that hands its lines to a test.
private final class Lines: OktaLoggerProtocol, LogHandler {
  struct Line: Sendable {
    var level: String
    var event: String
    var text: String
  }
  private let lines: AsyncStream<Line>
  private let continuation: AsyncStream<Line>.Continuation

  init() { (lines, continuation) = AsyncStream.makeStream(of: Line.self) }

  func log(
    level: OktaLoggerLogLevel, eventName: String, message: String?, properties: [AnyHashable: Any]?, file: String,
    line: NSNumber, funcName: String
  ) {
    let words: [OktaLoggerLogLevel: String] = [.error: "error", .warning: "warning", .info: "info", .debug: "debug"]
    continuation.yield(
      Line(
        level: words[level] ?? "?", event: eventName,
        text: "\(eventName) \(message ?? "") \(properties ?? [:]) \(file) \(line) \(funcName)"))
  }

  /// The lines up to the end of so many flows.
  func untilFlowsEnd(_ count: Int) async -> [Line] {
    var taken: [Line] = []
    var left = count
    for await line in lines {
      taken.append(line)
      if line.event == "flow.ended" { left -= 1 }
      if left == 0 { break }
    }
    return taken
  }

  // MARK: The same as a handler of swift-log

  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }
  var logLevel: Logger.Level {
    get { .trace }
    set {}
  }
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) {
    let metadata = event.metadata ?? [:]
    continuation.yield(
      Line(
        level: event.level.rawValue, event: metadata["event"].map { "\($0)" } ?? "",
        text: "\(event.message) \(metadata)"))
  }
}

@Suite struct LoggerTests {
  /// An enrollment with user verification, a challenge approved, and one that its signature does not fit.
  private func play(_ rig: Rig) async throws -> [String] {
    let enrollment = try await rig.enroll(verification: true, ciba: true, pushToken: "feedc0de")
    let challenge = try rig.challenge(enrollment) {
      ($0.transactionType, $0.requirement, $0.bindingMessage) = (.ciba, .required, "Pay 42 to Bob")
    }
    try await rig.parse(challenge).resolve(onRemediation: Answers().handle)
    let second = try rig.challenge(enrollment)
    let token = second.token ?? ""
    let forged = token.dropLast(8) + "AAAAAAAA"
    let push = try rig.authenticator.parsePushNotification(["payloadVersion": "IDXv1", "challenge": String(forged)])
    _ = try? await push.resolve(onRemediation: Answers().handle)
    guard case .bearer(let access) = try rig.token() else { return [] }
    let claims = try JSON(parsing: Base64URL.decode(String(challenge.token?.split(separator: ".")[1] ?? "")) ?? [])
    return [access, "feedc0de", challenge.token ?? "-", token, claims["nonce"]?.string ?? "-"]
  }

  private func check(_ lines: [Lines.Line], _ secrets: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    let text = lines.map(\.text).joined(separator: "\n")
    for secret in secrets + [Rig.login, Rig.displayName, "Pay 42", "$secret"] {
      #expect(!text.contains(secret), "\(secret)", sourceLocation: sourceLocation)
    }
    func levels(_ event: String) -> Set<String> { Set(lines.filter { $0.event == event }.map(\.level)) }
    #expect(
      levels("enrollment.completed") == ["info"] && levels("challenge.verified") == ["info"],
      sourceLocation: sourceLocation)
    #expect(
      levels("request.sent") == ["debug"] && levels("challenge.rejected") == ["error"], sourceLocation: sourceLocation)
    #expect(
      levels("call.made") == ["debug"] && levels("call.returned") == ["debug", "error"], sourceLocation: sourceLocation)
    #expect(text.contains("check V6 fails") && text.contains("challenge.resolved"), sourceLocation: sourceLocation)
  }

  @Test func `a logger of the seed's kind gets each event by name and level, and no secret`() async throws {
    let lines = Lines()
    try await withRig(configure: { $0.addLogger(lines) }) { rig in
      let secrets = try await play(rig)
      check(await lines.untilFlowsEnd(3), secrets)
      // The recorder of the application has what it had without a logger.
      #expect(rig.recorder.streams.count == 3)
    }
  }

  @Test func `a logger of swift-log gets the same`() async throws {
    let lines = Lines()
    try await withRig(configure: { $0.addLogger(Logger(label: "device") { _ in lines }) }) { rig in
      let secrets = try await play(rig)
      check(await lines.untilFlowsEnd(3), secrets)
    }
  }

  @Test func `destinations of one logger take what their levels say, as these are now`() {
    final class Kept: OktaLoggerDestinationBase, @unchecked Sendable {
      let events = Locked<[String]>([])
      override func log(
        level: OktaLoggerLogLevel, eventName: String, message: String?, properties: [AnyHashable: Any]?, file: String,
        line: NSNumber, funcName: String
      ) {
        events.withLock { $0.append(eventName) }
      }
    }
    let all = Kept(identifier: "all", level: .all, defaultProperties: nil)
    let few = Kept(identifier: "few", level: .warning, defaultProperties: nil)
    let logger = OktaLogger(destinations: [all, few, Kept(identifier: "all", level: .all, defaultProperties: nil)])
    func write() {
      logger.debug(eventName: "debug", message: nil)
      logger.info(eventName: "info", message: "moved on")
      logger.warning(eventName: "warning", message: nil)
      logger.uiEvent(eventName: "ui", message: nil)
      logger.error(eventName: "error", message: nil, properties: ["a": 1])
    }
    write()
    logger.setLogLevel(level: .error, identifiers: ["few", "none"])
    write()
    logger.setLogLevel(level: .off, identifiers: ["all"])
    write()
    let five = ["debug", "info", "warning", "ui", "error"]
    #expect(all.events.withLock { $0 } == five + five)
    #expect(few.events.withLock { $0 } == ["warning", "ui", "error", "error", "error"])
  }

  @Test func `an authenticator that must be audited keeps a log of its own, and does nothing that is not in it`()
    async throws
  {
    let folder = try OwnFolder()
    let org = try await SimulatedOrg.start(
      OrgConfiguration(users: [OrgUser(login: Rig.login, password: "Correct-horse-1")]))
    func enroll(_ name: String) async throws -> any AuthenticatorEnrollmentProtocol {
      let config = ApplicationConfig(applicationName: "a", applicationVersion: "1", applicationGroupId: "g")
      return try await DeviceAuthenticatorBuilder(applicationConfig: config).environment(FlowEnvironment(device: nil))
        .directory(folder.file(name)).auditing(true).create()
        .enroll(
          authenticationToken: .bearer(try #require(org.accessToken(for: Rig.login))),
          authenticatorConfig: DeviceAuthenticatorConfig(orgURL: org.url, oidcClientId: OrgClient.sample.id),
          enrollmentParameters: EnrollmentParameters(deviceToken: .empty))
    }
    _ = try await enroll("good")
    // A second authenticator of the process writes into the same log.
    _ = try await enroll("good")
    let log = try LogReader(directory: folder.file("good/audit"))
    var cursor = try log.cursor()
    var completed = 0
    while let record = try cursor.next() { if record.type == "enrollment.completed" { completed += 1 } }
    #expect(completed == 2)
    try FileManager.default.createDirectory(atPath: folder.file("bad"), withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: folder.file("bad/audit")))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.file("bad"))
    await #expect(throws: DeviceAuthenticatorError.auditUnavailable("")) { try await enroll("bad") }
  }
}
