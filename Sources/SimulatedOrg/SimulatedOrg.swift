// The org: an HTTP server on loopback that behaves like an identity server, written from the wire specification alone.

public import Foundation
import FlyingSocks
import Glibc

/// An Okta-compatible org in this process: real HTTP on loopback, real state, faults on demand.
///
/// Any number of orgs can live side by side; each has its own users, clock and port. Two orgs with the same seed give
/// the same answers to the same requests, but for the port in their hrefs (see ``OrgConfiguration/publicBaseURL``).
///
/// ```swift
/// let org = try await SimulatedOrg.start(.init(users: [.init(login: "ann@acme.example", password: "Correct-horse-1")]))
/// // … POST to org.url …
/// await org.stop()
/// ```
public final class SimulatedOrg: Sendable {
  /// `http://127.0.0.1:PORT`, without a slash at the end.
  public let url: URL
  let responder: Responder
  let notifications = NotificationService()
  private let serving: Task<Void, Never>

  private init(url: URL, responder: Responder, serving: Task<Void, Never>) {
    self.url = url
    self.responder = responder
    self.serving = serving
  }

  deinit { serving.cancel() }

  /// Starts an org; when this returns, it answers.
  ///
  /// - Parameters:
  ///   - configuration: Users and settings.
  ///   - port: The port on 127.0.0.1; 0 for any free one.
  /// - Throws: ``OrgError`` when the port cannot be had.
  public static func start(_ configuration: OrgConfiguration = .init(), port: UInt16 = 0) async throws -> SimulatedOrg {
    let listener = try HTTPListener(port: port)
    let address = "http://127.0.0.1:\(listener.port)"
    guard let url = URL(string: address) else { throw OrgError(.cannotListen, "\(address) is no URL.") }
    let responder = Responder(configuration, url: address)
    let serving = Task(executorPreference: OrgThreads.shared) { await listener.run { responder.respond(to: $0) } }
    return SimulatedOrg(url: url, responder: responder, serving: serving)
  }

  /// Closes the port and every connection, answers under way included. Can be called again.
  public func stop() async {
    serving.cancel()
    await notifications.stop()
    await serving.value
  }

  /// Adds a user, or replaces the one with that login.
  public func addUser(_ user: OrgUser) { responder.withMemory { $0.org.add(user) } }

  /// The codes and tokens that left by phone and mail, oldest first.
  public var outbox: [OutboxMessage] { responder.withMemory { $0.org.outbox } }

  /// Answers the push now waiting at its next poll, or the next push at its first.
  public func answerPush(for login: String, _ answer: PushAnswer) { answerPush(for: login, answer, afterPolls: 1) }

  /// Answers a push at the n-th poll from now; the answer to `verify` that started it and the polls before are WAITING.
  ///
  /// Several answers for one user queue up: each ends one push, and counts from when the previous one was given.
  public func answerPush(for login: String, _ answer: PushAnswer, afterPolls n: Int) {
    responder.withMemory { $0.org.script(answer, for: login, afterPolls: n) }
  }

  /// Adds a fault after the existing ones. If several match a request, the oldest applies.
  public func inject(_ fault: Fault) { responder.withMemory { $0.faults.append(fault) } }

  /// Drops the faults that have not played yet.
  public func clearFaults() { responder.withMemory { $0.faults = [] } }

  /// Every request as received, in the order of its arrival; of very many, the last 100,000 at least.
  public var requests: [ReceivedRequest] { responder.withMemory { $0.requests } }

  /// Empties ``requests``.
  public func forgetRequests() { responder.withMemory { $0.requests = [] } }

  /// Moves the org's clock.
  public func advanceClock(by seconds: TimeInterval) { responder.withMemory { $0.org.advanceClock(by: seconds) } }

  /// The time on the org's clock.
  public var now: Date { Date(timeIntervalSince1970: Double(responder.withMemory { $0.org.now.milliseconds }) / 1000) }

  /// The code an authenticator app with this base32 secret shows now, on the org's clock; `nil` if the text is not a
  /// secret.
  public func timeCode(secret: String) -> String? {
    guard let bytes = Base32.bytes(secret) else { return nil }
    return TimePasscode.code(secret: bytes, step: TimePasscode.step(at: responder.withMemory { $0.org.now }))
  }

  /// A state token as a custom sign-in page hands it over: its transaction is UNAUTHENTICATED and of type step-up.
  public func beginStepUp() -> String { responder.withMemory { $0.org.beginStepUp() } }

  /// Takes a session token, as the token endpoint will: the login it belongs to, once, within its lifetime.
  public func redeemSession(_ token: String) -> String? { responder.withMemory { $0.org.redeemSession(token) } }
}
