/// What the server knows of one browser.
struct Session: Sendable {
  /// Where the person stands.
  enum State: Sendable {
    case visitor
    case signingIn(SignIn)
    case signedIn(Account)
  }

  /// What the browser's cookie holds. A client that knows it counts as this browser.
  let id = Session.randomText()
  /// What every form has in it, so that another site cannot send one with this browser's cookie.
  let csrfToken = Session.randomText()
  let opened: ContinuousClock.Instant
  var used: ContinuousClock.Instant
  var state = State.visitor

  init(now: ContinuousClock.Instant) {
    opened = now
    used = now
  }

  var isSignedIn: Bool { if case .signedIn = state { true } else { false } }

  /// Whether a form belongs to this session. It takes equally long for every wrong token.
  func isTokenRight(_ token: String?) -> Bool {
    let (right, given) = (Array(csrfToken.utf8), Array((token ?? "").utf8))
    guard right.count == given.count else { return false }
    return zip(right, given).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// 256 random bits, from the system's generator, which is made for secrets.
  private static func randomText() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let digits = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
