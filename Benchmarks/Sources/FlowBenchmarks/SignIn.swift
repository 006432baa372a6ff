// The sign-in that is measured: six requests, over real HTTP, to an org in a process of its own.

import Authn
import FlowRecording
import Foundation
import SimulatedOrg

/// A six-request sign-in: password, text message, a wrong code, back, push, approved.
enum SignIn {
  static let login = "ann@acme.example"
  static let password = "Correct-Horse-7"
  static let requests = 6

  /// An org that lets it happen over and over.
  static func configuration() -> OrgConfiguration {
    let user = OrgUser(
      login: login, password: password, factors: [.sms(phone: "+1-555-415-1337"), .push(device: "Ann's phone")])
    return OrgConfiguration(
      users: [user, OrgUser(login: TokenExchange.login, password: password)], clock: .system,
      lockoutAfter: 1_000_000_000, wrongCodeLimit: 1_000_000_000, phoneInterval: 0,
      requestsPerMinute: 1_000_000_000)
  }

  struct Unexpected: Error {}

  /// Signs in once.
  static func run(against url: URL, environment: FlowEnvironment) async throws {
    let start = OktaAuthStatusUnauthenticated(oktaDomain: url, environment: environment)
    let required = try await start.authenticate(username: login, password: password)
    let challenge = try await select(.sms, of: required)
    let wrong = try? await challenge.verifyFactor(passCode: "nonsense", answerToSecurityQuestion: nil)
    guard wrong == nil else { throw Unexpected() }
    let push = try await select(.push, of: challenge.returnToPreviousStatus())
    let last = try await push.verifyFactor(passCode: nil, answerToSecurityQuestion: nil)
    guard last.statusType == .success else { throw Unexpected() }
  }

  /// Selects the first factor of a type.
  static func select(
    _ type: FactorType, of status: OktaAuthStatus
  ) async throws -> OktaAuthStatusFactorChallenge {
    guard let required = status as? OktaAuthStatusFactorRequired,
      let factor = required.availableFactors.first(where: { $0.type == type }),
      let challenge = try await required.selectFactor(factor) as? OktaAuthStatusFactorChallenge
    else { throw Unexpected() }
    return challenge
  }
}

/// An org in a process of its own, so that its work is not counted as the client's.
struct OrgProcess {
  let url: URL
  private let process: Process?

  /// Starts this program again as an org, and reads its URL; takes the one of `BENCH_ORG` if that is set, since not every tool
  /// that a program can run under lets it start another.
  init() throws {
    if let running = ProcessInfo.processInfo.environment["BENCH_ORG"].flatMap(URL.init(string:)) {
      (url, process) = (running, nil)
      return
    }
    let process = Process()
    self.process = process
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--org"]
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = Pipe()
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let url = URL(string: line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw SignIn.Unexpected()
    }
    self.url = url
  }

  func stop() { process?.terminate() }

  /// What the other process does: an org whose pushes are all approved.
  static func serve() async throws {
    let org = try await SimulatedOrg.start(SignIn.configuration())
    for _ in 0..<50_000 { org.answerPush(for: SignIn.login, .approve) }
    print(org.url.absoluteString)
    fflush(nil)
    // Until the process that started it is gone: then its end of the pipe closes.
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      Thread.detachNewThread {
        while !FileHandle.standardInput.availableData.isEmpty {}
        continuation.resume()
      }
    }
    await org.stop()
  }
}
