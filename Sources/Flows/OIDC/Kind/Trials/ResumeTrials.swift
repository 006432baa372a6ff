// Redirects that the application receives itself, by a custom URL scheme, and passes on, for the kind's tables.

import Dispatch
import EventStore
import FlowRecording
import Foundation

/// Keeps the page that is shown.
private final class KeptPage: URLPresenter {
  let page = Locked("")

  func show(_ url: URL) { page.withLock { $0 = url.absoluteString } }
}

/// Virtual time that says when a timer is set: the browser is opened on another thread, and its flow then waits for the
/// redirect.
private struct HeardTimers: FlowTimers {
  let time: VirtualTime
  let isSet = DispatchSemaphore(value: 0)

  func schedule(milliseconds: Int, fire: @escaping @Sendable () -> Void) -> any TimerTask {
    defer { isSet.signal() }
    return time.schedule(milliseconds: milliseconds, fire: fire)
  }
}

/// A sign-in or a sign-out in the browser, with the redirect that the application passes on.
enum ResumeTrials {
  private typealias Passing = @Sendable (_ auth: OktaAppAuth, _ url: URL) -> Bool

  /// Redirects; `STATE` is replaced by the one of the page.
  private static let redirects = [
    "com.acme:/cb?code=code-1&state=STATE", "com.acme:/cb?code=code-1&state=other", "com.acme:/cb?state=STATE",
    "com.acme:/cb?error=access_denied&error_description=no&state=STATE", "com.acme:/out?state=STATE",
    "com.acme:/other?code=code-1&state=STATE", "com.other:/cb?code=code-1&state=STATE", "com.acme:/out",
  ]

  /// One line per operation and redirect: whether the redirect is taken, and how the operation ends.
  static var all: Set<String> {
    let passings: [Passing] = [{ $0.resume($1) }, { $0.resume(url: $1, options: ["a": "b"]) }]
    var lines: [String] = []
    for isSignOut in [false, true] {
      for (number, redirect) in redirects.enumerated() {
        lines.append("\(isSignOut) \(redirect) \(end(redirect, isSignOut: isSignOut, passings[number % 2]))")
      }
      lines.append("\(isSignOut) no redirect \(end(nil, isSignOut: isSignOut, passings[0]))")
    }
    return Set(lines + idle)
  }

  private static func application(_ environment: FlowEnvironment) -> OktaAppAuth? {
    let values = [
      "issuer": CoreTrials.issuer, "clientId": "client-1", "redirectUri": "com.acme:/cb", "scopes": "profile",
      "logoutRedirectUri": "com.acme:/out",
    ]
    guard var configuration = try? OktaAuthConfig(with: values) else { return nil }
    configuration.noSSO = true
    return try? OktaAppAuth(configuration: configuration, environment: environment)
  }

  /// The result of a redirect if nothing waits for one.
  private static var idle: [String] {
    guard let auth = application(LiveTrials.environment()) else { return [] }
    return redirects.compactMap { URL(string: $0) }.map { "idle \($0) \(auth.resume($0)) \(auth.resume(url: $0))" }
  }

  /// How an operation ends that gets a redirect, or none in time.
  private static func end(_ redirect: String?, isSignOut: Bool, _ pass: @escaping Passing) -> String {
    let line = Locked("no end")
    let (apart, isOver) = (DispatchQueue(label: "trials.resume"), DispatchSemaphore(value: 0))
    // On a thread of its own: on the main queue, calls would call back there, after this has returned.
    apart.async {
      let said = run(redirect, isSignOut: isSignOut, pass)
      line.withLock { $0 = said }
      isOver.signal()
    }
    isOver.wait()
    return line.withLock { $0 }
  }

  private static func run(_ redirect: String?, isSignOut: Bool, _ pass: Passing) -> String {
    let answer: (status: Int, body: JSON) = (200, ["access_token": "access-1", "expires_in": 60])
    let transport = CannedTransport(json: [answer])
    var environment = LiveTrials.environment(transport: transport)
    let timers = HeardTimers(time: VirtualTime(start: TrialWorld.at(0)))
    environment.timers = timers
    environment.callbackQueue = DispatchQueue(label: "trials.callbacks")
    guard let auth = application(environment) else { return "no client" }
    let (presenter, heard, isDone) = (KeptPage(), Locked("nothing"), DispatchSemaphore(value: 0))
    @Sendable func hear(_ said: String) {
      heard.withLock { $0 = said }
      isDone.signal()
    }
    if isSignOut {
      let manager = OktaAuthStateManager(authState: OktaAuthState(LiveTrials.tokens), environment: environment)
      auth.signOutOfOkta(manager, from: presenter) { error in hear(error.map { "\($0)" } ?? "signed out") }
    } else {
      auth.signInWithBrowser(from: presenter) { manager, error in
        hear("\(manager?.accessToken ?? "-") \(error.map { "\($0)" } ?? "no error")")
      }
    }
    // The limits only keep a broken flow from waiting forever.
    guard timers.isSet.wait(timeout: .now() + 10) == .success else { return "no page \(heard.withLock { $0 })" }
    let page = presenter.page.withLock { $0 }
    let parameters = page.split { "?&".contains($0) }
    let state = parameters.first { $0.hasPrefix("state=") }.map { String($0.dropFirst(6)) } ?? "no state"
    var passed: [Bool] = []
    if let redirect, let url = URL(string: redirect.replacing("STATE", with: state)) {
      passed = [pass(auth, url), pass(auth, url)]
    } else {
      timers.time.advance(milliseconds: 3_600_000)
    }
    let isActive = passed == [false, false] && auth.hasActiveBrowserSession()
    if isActive { auth.cancelBrowserSession() }
    guard isDone.wait(timeout: .now() + 10) == .success else { return "no end \(passed)" }
    return "\(page) \(passed) \(isActive) \(heard.withLock { $0 }) \(auth.hasActiveBrowserSession()) \(transport.sent)"
  }
}
