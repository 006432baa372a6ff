// The sign-ins of the demo: real requests over loopback, through the public API of the SDK.

import Authn
import DeviceAuthenticator
import EventStore
import FlowRecording
import SimulatedOrg

/// One sign-in of the demo.
struct DemoPlay: Sendable {
  /// What the person does.
  enum Action: Sendable {
    case password
    case wrongPassword
    /// Answered on a device of the person, once the org has asked the sign-in to wait that many times.
    case push(UserConsentResponse, afterWaiting: Int)
    case sms
  }

  var title: String
  var login: String
  var action: Action
  var startsLocked = false

  /// Whether the person has a device for pushes.
  var hasDevice: Bool {
    switch action {
    case .push: true
    case .password, .wrongPassword, .sms: false
    }
  }

  /// All sign-ins, by one person each.
  static let all: [DemoPlay] = [
    DemoPlay(title: "password only", login: "ann@acme.example", action: .password),
    DemoPlay(
      title: "push, approved on a device at the third poll", login: "bob@acme.example",
      action: .push(.approved, afterWaiting: 2)),
    DemoPlay(
      title: "push, denied on a device", login: "cat@acme.example", action: .push(.denied, afterWaiting: 1)),
    DemoPlay(title: "text message: one wrong code, then the right one", login: "dan@acme.example", action: .sms),
    DemoPlay(title: "wrong password", login: "eve@acme.example", action: .wrongPassword),
    DemoPlay(title: "locked account", login: "fay@acme.example", action: .password, startsLocked: true),
  ]

  /// The person as the org knows them.
  func user(password: String) -> OrgUser {
    let factors: [OrgFactor] =
      switch action {
      case .password, .wrongPassword: []
      case .push: [.push(device: "Phone")]
      case .sms: [.sms(phone: "+1 415-555-0199")]
      }
    return OrgUser(login: login, password: password, factors: factors, lockedOut: startsLocked)
  }
}

/// A sign-in that was played: how it ended, and the objects an application would hold now.
struct DemoTake: Sendable {
  var title: String
  var login: String
  /// What the application received, in order.
  var heard: [String] = []
  /// Where the flow began: keeps it alive.
  var start: OktaAuthStatusUnauthenticated
  /// The status the application holds.
  var status: OktaAuthStatus?
  /// Values that must not be in the log.
  var secrets: [DemoSecret] = []

  /// The flow's stream.
  var stream: String { start.flowID }
  /// The current state of the live flow.
  var liveState: AuthnCore { start.object.session.flow.core }
}

extension DemoPlay {
  /// Plays the sign-in to its end.
  ///
  /// - Parameter device: the person's; nil if they have none.
  func run(
    on org: SimulatedOrg, password: String, environment: FlowEnvironment, device: DemoDevice? = nil
  ) async -> DemoTake {
    let start = OktaAuthStatusUnauthenticated(
      oktaDomain: org.url, responseHandler: OktaAuthStatusResponseHandler(pollInterval: 1), environment: environment)
    var take = DemoTake(title: title, login: login, start: start)
    take.secrets = [DemoSecret(kind: "password", value: password)]
    do throws(OktaError) {
      var typed = password
      if case .wrongPassword = action {
        typed = "Not-" + password
        take.secrets.append(DemoSecret(kind: "wrong password", value: typed))
      }
      try await take.hear(start.authenticate(username: login, password: typed))
      switch action {
      case .password, .wrongPassword: break
      case .push(let answer, let count): try await push(answer, afterWaiting: count, on: device, &take)
      case .sms: try await text(on: org, &take)
      }
    } catch {
      take.heard.append(DemoPlay.code(of: error))
    }
    if let token = (take.status as? OktaAuthStatusSuccess)?.sessionToken {
      take.secrets.append(DemoSecret(kind: "session token", value: token))
    }
    return take
  }

  private func push(
    _ answer: UserConsentResponse, afterWaiting count: Int, on device: DemoDevice?, _ take: inout DemoTake
  ) async throws(OktaError) {
    guard let required = take.status as? OktaAuthStatusFactorRequired, let factor = required.availableFactors.first
    else { return }
    try await take.hear(required.selectFactor(factor))
    guard let challenge = take.status as? OktaAuthStatusFactorChallenge else { return }
    take.secrets += device?.secrets ?? []
    let (waiting, signal) = AsyncStream<Void>.makeStream()
    let answered = Task { await device?.answer(answer, after: count, of: waiting) }
    defer { signal.finish() }
    let results = Locked<[String]>([])
    let status = try await challenge.verifyFactor(
      passCode: nil, answerToSecurityQuestion: nil,
      onFactorStatusUpdate: { result in
        results.withLock { $0.append(result.raw) }
        if result == .waiting { signal.yield() }
      })
    take.heard += results.withLock { $0 }
    if let problem = await answered.value { take.heard.append(problem) }
    take.hear(status)
  }

  private func text(on org: SimulatedOrg, _ take: inout DemoTake) async throws(OktaError) {
    guard let required = take.status as? OktaAuthStatusFactorRequired, let factor = required.availableFactors.first
    else { return }
    try await take.hear(required.selectFactor(factor))
    guard let challenge = take.status as? OktaAuthStatusFactorChallenge,
      let code = org.outbox.last(where: { $0.userLogin == login })?.code
    else { return }
    let wrong = String(code.map { $0 == "9" ? "0" : Character(String(($0.wholeNumberValue ?? 0) + 1)) })
    take.secrets += [DemoSecret(kind: "pass code", value: code), DemoSecret(kind: "wrong pass code", value: wrong)]
    do throws(OktaError) {
      try await take.hear(challenge.verifyFactor(passCode: wrong, answerToSecurityQuestion: nil))
    } catch {
      take.heard.append(DemoPlay.code(of: error))
      try await take.hear(challenge.verifyFactor(passCode: code, answerToSecurityQuestion: nil))
    }
  }

  /// `E0000004`, or what else went wrong.
  private static func code(of error: OktaError) -> String {
    if case .serverRespondedWithError(let response) = error, let code = response.errorCode { return code }
    return error.description
  }
}

extension DemoTake {
  fileprivate mutating func hear(_ status: OktaAuthStatus) {
    heard.append(status.statusType.raw)
    self.status = status
  }
}
