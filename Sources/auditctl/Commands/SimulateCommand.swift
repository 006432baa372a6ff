import ArgumentParser
import SimulatedOrg

/// `auditctl simulate`
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Run an org on loopback until interrupted, or make up a company.",
    discussion: """
      The first line on stdout is its URL. Codes that leave by phone or mail are printed on stderr; on stdin, \
      approve LOGIN, reject LOGIN and timeout LOGIN answer pushes, pick NUMBER LOGIN taps the number a page shows, \
      and open LOGIN follows the link of the last mail.

      It serves the classic API (/api/v1/authn) and the Identity Engine (/oauth2/default/v1/interact, client \
      \(OrgClient.sample.id), redirect URI \(OrgClient.sample.redirectURIs[0])). Its authorization servers \
      sign in by a browser as well, with the same client and \(OrgClient.sample.redirectURIs[1]), any port.

      It takes push authenticators as well: `auditctl device` enrolls one. A user who has one is asked there when a \
      sign-in sends a push. With --token and --notification-port, further lines on stdout are token LOGIN TOKEN and \
      notifications 127.0.0.1:PORT.

      With --from it answers as a recording did, by method, path and order, for any client, user, password or code. \
      The last answer to a place stays, and a sign-in that starts again gets the first one. What has no answer there \
      is 404. Times in the answers (expiresAt, Date, cookies) move to now. An authorize request is sent back to the \
      client's redirect URI with a code, or the recorded error, and the client's state, also if a browser got that \
      answer. Each client has its own place in the recording, by the made-up handles, tokens and cookies that it \
      sends; up to 256 places are kept. If a recording repeats the request that begins a sign-in, such as a second \
      try of a password, and clients do not send cookies, let one sign in after the other.

      With --company no org runs: the events of a made-up company's sign-ins over four weeks are written into a store, \
      with attacks planted among them (fatigue, spray, stuffing, lockout, theft; from 2,500 flows on enrollment, shared \
      and guessing too), and what was planted is printed. The same --seed and --flows give the same flows. With \
      --rolled-back DIR the company's host is put back to an older copy of itself on the way, log and key, and goes on: \
      the store is whole and signed, and verify finds it by what was noted before, DIR/log.pub and DIR/checkpoint.txt.

      ON STDIN, ABOUT DEVICES
      \(HelpTable.text(DeviceDesk.orders))

      POLICIES OF THE IDENTITY ENGINE
      \(HelpTable.text(OrgPolicy.named.map { ($0.name, $0.summary) }))

      FAULTS: KIND[=VALUE][@PATH][:COUNT]
      \(HelpTable.text(FaultOption.kinds))

      PATH is a part of the path and query of the requests that are meant (default: all). COUNT says which of them: :3 \
      the first three, :2-4 the second to the fourth, :all each; without it the first. On stdin, fault KIND[...] adds \
      one while the org runs.

      DEFAULT USERS (password Correct-horse-1)
        ann@acme.example   no second factor
        bob@acme.example   push, text message
        fay@acme.example   locked

      A FILE OF USERS
        [{"login": "eve@acme.example", "password": "…", "firstName": "Eve",
          "factors": [{"type": "push", "device": "Phone"},
                      {"type": "sms", "phone": "+1 415-555-0100"},
                      {"type": "totp", "secret": "JBSWY3DPEHPK3PXP"}],
          "lockedOut": false}]

      EXAMPLES
        auditctl simulate --port 8080
        auditctl simulate --users users.json --approve-after 2
        auditctl simulate --policy any-two
        auditctl simulate --from push-approved.ndjson.lz4
        auditctl simulate --token ann@acme.example --notification-port 0
        auditctl simulate --fault latency=2 --fault 'rate-limit=30@/verify:2-3'
        auditctl simulate --company --seed 7 --flows 20000 --store company
        auditctl simulate --company --store host --rolled-back noted
        auditctl simulate --fault reset@/token --fault cut=100@/introspect
        auditctl simulate \\
          --fault 'reply=503,{"errorCode":"E0000010"}@/api/v1/authn:all'
      """)

  @OptionGroup var company: CompanyOptions
  @Option(parsing: .unconditional, help: ArgumentHelp("The port on 127.0.0.1; 0 for any free one.", valueName: "N"))
  var port: Int = 0
  @Option(help: ArgumentHelp("A JSON file of users.", valueName: "FILE")) var users: String?
  @Option(help: ArgumentHelp("Approve every push at its N-th poll.", valueName: "N")) var approveAfter: Int?
  @Flag(help: "Show a number to choose while a push waits.") var numberChallenge = false
  @Option(help: ArgumentHelp("What a sign-in through the Identity Engine asks.", valueName: "NAME"))
  var policy: String = OrgPolicy.standard.name
  @Option(help: ArgumentHelp("What devices must be able to do: preferred or required.", valueName: "POLICY"))
  var userVerification: String = "preferred"
  @Option(
    name: .customLong("token"), parsing: .singleValue,
    help: ArgumentHelp("Print an access token of this user that enrolls devices. May be repeated.", valueName: "LOGIN"))
  var tokens: [String] = []
  @Option(help: ArgumentHelp("Notify devices on this port of 127.0.0.1; 0 for any free one.", valueName: "N"))
  var notificationPort: Int?
  @Option(
    name: .customLong("fault"), parsing: .singleValue,
    help: ArgumentHelp("What goes wrong between a request and its answer. May be repeated.", valueName: "FAULT"))
  var faults: [String] = []

  @Option(name: .customLong("from"), help: ArgumentHelp("Answer as this recording did.", valueName: "RECORDING"))
  var recording: String?

  mutating func validate() throws {
    if company.isAsked {
      let isServer = port != 0 || users != nil || approveAfter != nil || numberChallenge || notificationPort != nil
      guard !isServer, tokens.isEmpty, faults.isEmpty, recording == nil, policy == OrgPolicy.standard.name else {
        throw ValidationError("--company writes a store and runs no org: give it without the org's options")
      }
    }
    if recording != nil {
      let isSet = users != nil || !faults.isEmpty || !tokens.isEmpty || policy != OrgPolicy.standard.name
      let hasDevices = notificationPort != nil || userVerification != "preferred"
      guard !isSet, !hasDevices, approveAfter == nil, !numberChallenge else {
        throw ValidationError("--from answers as recorded: give it without users, tokens, policy, faults and pushes")
      }
    }
    guard (0...65_535).contains(port) else {
      throw ValidationError("\(port) is no port: give one from 1 to 65535, or 0 for any free one")
    }
    if let notificationPort, !(0...65_535).contains(notificationPort) {
      throw ValidationError("\(notificationPort) is no port: give one from 1 to 65535, or 0 for any free one")
    }
    if verification == nil {
      throw ValidationError("--user-verification takes preferred or required, not \(userVerification)")
    }
    if OrgPolicy.named(policy) == nil {
      throw ValidationError("there is no policy \(policy); `auditctl help simulate` lists them")
    }
    for fault in faults {
      do throws(FaultOption.Problem) {
        _ = try FaultOption.fault(fault)
      } catch {
        throw ValidationError("--fault \(fault): \(error.reason)")
      }
    }
    if let approveAfter, approveAfter < 1 { throw ValidationError("--approve-after counts polls from 1") }
  }

  private var verification: OrgAppAuthenticator.UserVerification? { .init(rawValue: userVerification.uppercased()) }

  private func start(_ users: [OrgUser]) async throws -> SimulatedOrg {
    let authenticator = OrgAppAuthenticator(userVerification: verification ?? .preferred)
    return try await SimulatedOrg.start(
      OrgConfiguration(
        users: users, seed: .random(in: 1 ... .max), clock: .system, showsLockout: true,
        numberChallenge: numberChallenge, policy: OrgPolicy.named(policy) ?? .standard,
        devices: OrgDevices().with { $0.authenticators = [authenticator] },
        oidc: OrgOIDC(allowsAnyLoopbackPort: true)),
      port: UInt16(port))
  }

  func run() async throws {
    if company.isAsked { return try CompanyStore.write(company) }
    if let recording { return try await RecordedOrgServer.run(recording, port: UInt16(port)) }
    let users = try users.map { try UserFile.users($0) } ?? UserFile.standard
    let org = try await start(users)
    if let approveAfter {
      // Each answer ends one push; this never runs long enough for more.
      for user in users { for _ in 0..<1_000 { org.answerPush(for: user.login, .approve, afterPolls: approveAfter) } }
    }
    for fault in faults { org.inject(try FaultOption.fault(fault)) }
    try await SimulatedOrgServer.run(org, of: users.count, tokens: tokens, notificationPort: notificationPort)
  }
}
