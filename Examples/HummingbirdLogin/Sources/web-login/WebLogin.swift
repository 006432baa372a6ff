import ArgumentParser
import FlowRecording
import Foundation
import Hummingbird
import Logging

/// A web site that people sign in to with the Identity Engine of an org. Every sign-in is recorded in one log.
@main
struct WebLogin: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web-login",
    discussion: """
      The first line on standard output is the site's URL. WEB_LOGIN_ORG and WEB_LOGIN_CLIENT_ID take the place of \
      --org and --client-id. The secret of a confidential client is read from WEB_LOGIN_CLIENT_SECRET alone: other \
      users of a machine can see the arguments of a program.
      """)

  @Option(help: ArgumentHelp("The org's address, or that of one of its authorization servers.", valueName: "url"))
  var org: String?
  @Option(help: "The id that the org knows this application by.")
  var clientId: String?
  @Option(help: ArgumentHelp("The redirect URI, as it is registered at the org.", valueName: "uri"))
  var redirectUri = "com.example.app:/callback"
  @Option(help: ArgumentHelp("The directory of the log; made if it is missing.", valueName: "directory"))
  var store = "audit"
  @Option(help: "The port on 127.0.0.1; 0 for any free one.")
  var port = 8081
  @Flag(help: "The site is reached by https, through a proxy: its cookies are for https alone.")
  var https = false
  @Option(help: "Minutes until an idle browser session ends.")
  var sessionMinutes = 15
  @Option(help: "How many browser sessions are kept at once.")
  var maxSessions = 1000

  func run() async throws {
    let org = try orgSettings()
    let recorder = LogRecorder(directory: store)
    // Opening the log now, and not with the first sign-in, shows at once if it cannot be written.
    try recorder.open()
    // These settings apply to every sign-in. `device: nil`: the SDK would otherwise send the org a device token
    // of this machine, and all visitors would share one remembered device.
    FlowEnvironment.setDefault(FlowEnvironment(recorder: recorder, device: nil))

    // Standard output has one line, for scripts; the server's own log goes to standard error.
    LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
    var logger = Logger(label: "web-login")
    logger.logLevel = .notice
    let sessions = Sessions(limit: maxSessions, idle: .seconds(60 * sessionMinutes))
    let site = Site(org: org, sessions: sessions, isHTTPS: https)
    let app = Application(
      router: site.router(),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), serverName: "web-login"),
      onServerRunning: { channel in
        print("http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
        fflush(nil)
      },
      logger: logger)

    let sweeping = Task {
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(10))
        await sessions.removeExpired()
      }
    }
    // Returns when the process is asked to end, by ^C or SIGTERM.
    try await app.runService()
    sweeping.cancel()
    // Sign-ins under way are ended first, then the log is closed: it writes what is queued.
    await sessions.removeAll()
    try recorder.close()
  }

  private func orgSettings() throws -> OrgSettings {
    let environment = ProcessInfo.processInfo.environment
    guard let address = org ?? environment["WEB_LOGIN_ORG"],
      let clientId = clientId ?? environment["WEB_LOGIN_CLIENT_ID"]
    else { throw ValidationError("give --org and --client-id, or set WEB_LOGIN_ORG and WEB_LOGIN_CLIENT_ID") }
    guard
      let settings = OrgSettings(
        address: address, clientId: clientId, clientSecret: environment["WEB_LOGIN_CLIENT_SECRET"],
        redirectURI: redirectUri)
    else { throw ValidationError("\(address) or \(redirectUri) is no URL") }
    return settings
  }
}
