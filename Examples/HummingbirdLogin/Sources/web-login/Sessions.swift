/// The browser sessions of this process.
///
/// They are bounded in number and in time, since any visitor gets one. A site of several processes keeps them in a
/// place that all of them reach, and sends a browser back to the process that holds its sign-in.
actor Sessions {
  private var sessions: [String: Session] = [:]
  private let limit: Int
  private let idle: Duration
  private let lifetime: Duration

  /// - Parameters:
  ///   - limit: how many there are at most.
  ///   - idle: how long one lives without a request.
  ///   - lifetime: how long one lives at most.
  init(limit: Int, idle: Duration, lifetime: Duration = .seconds(8 * 3600)) {
    self.limit = limit
    self.idle = idle
    self.lifetime = lifetime
  }

  var count: Int { sessions.count }

  /// Returns the session that a browser's cookie names, if it is still there.
  func session(_ id: String?, now: ContinuousClock.Instant = .now) async -> Session? {
    await removeExpired(now: now)
    guard let id, sessions[id] != nil else { return nil }
    sessions[id]?.used = now
    return sessions[id]
  }

  /// Opens a session. If there are too many, the visitor who was away longest loses his. Returns `nil` if all of them
  /// are of people who have signed in: those keep theirs.
  func open(now: ContinuousClock.Instant = .now) async -> Session? {
    await removeExpired(now: now)
    if sessions.count >= limit {
      guard let oldest = sessions.values.filter({ !$0.isSignedIn }).min(by: { $0.used < $1.used }) else { return nil }
      await remove(oldest.id)
    }
    let session = Session(now: now)
    sessions[session.id] = session
    return session
  }

  /// Gives a session a new sign-in. Ends the one that was under way.
  func begin(_ signIn: SignIn, of id: String) async {
    guard let former = sessions[id]?.state else { return }
    sessions[id]?.state = .signingIn(signIn)
    if case .signingIn(let former) = former { await former.end() }
  }

  /// Puts a session with a new id in the place of one whose person has signed in. If the old id was known to someone
  /// else, it is worth nothing now.
  func renew(_ id: String, as account: Account, now: ContinuousClock.Instant = .now) -> Session? {
    guard sessions.removeValue(forKey: id) != nil else { return nil }
    var session = Session(now: now)
    session.state = .signedIn(account)
    sessions[session.id] = session
    return session
  }

  /// Ends a session, and the sign-in that may be under way in it.
  func remove(_ id: String) async {
    guard let session = sessions.removeValue(forKey: id) else { return }
    if case .signingIn(let signIn) = session.state { await signIn.end() }
  }

  func removeExpired(now: ContinuousClock.Instant = .now) async {
    for session in sessions.values where session.used + idle < now || session.opened + lifetime < now {
      await remove(session.id)
    }
  }

  func removeAll() async {
    for id in sessions.keys { await remove(id) }
  }
}
