// Sessions, tokens and devices.

import EventStore
import FlowRecording

/// `sessions` and `tokens`
struct TokensTally: HistoryTally {
  static let parts: FlowParts = [.tokens, .tries, .place]
  /// What the report of tokens needs alone.
  static let tokenParts: FlowParts = [.tokens, .place, .onlyWithTokens]
  let isSessions: Bool
  /// The time as of which all is said; nil for the end of the log.
  private let asOf: Timestamp?
  /// The time at which tokens have run out or not.
  private let now: Timestamp
  private var lives = TokenLives()
  private var origins: [String: TokenOrigin] = [:]
  private var sessions: [[ReportTable.Cell]] = []
  /// The times that they show.
  private var times: [Timestamp] = []
  private var tokensOfFlow: [(row: Int, id: String)] = []
  /// The tokens that flows had to do with that are asked for.
  private var asked: Set<String> = []

  init(isSessions: Bool, asOf: Timestamp?, now: Timestamp) {
    self.isSessions = isSessions
    self.asOf = asOf
    self.now = asOf ?? now
  }

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    let place = flow.tokens.isEmpty || isSessions ? nil : flow.place
    for fact in flow.tokens where asOf.map({ fact.at <= $0 }) ?? true {
      lives.add(fact, of: flow.stream, in: flow.store ?? "")
      guard !isSessions else { continue }
      let id = fact.id(in: flow.stream)
      origins[id, default: TokenOrigin(at: fact.at)].take(flow, place, at: fact.at)
      if isAsked { asked.insert(id) }
    }
    guard isSessions, isAsked, flow.isSignIn, flow.outcome == "success", asOf.map({ flow.latest <= $0 }) ?? true else {
      return
    }
    let issued = flow.tokens.first { $0.name == "issued" }
    let session = flow.signIn.memory["session"]
    guard issued != nil || session != nil || flow.kind == "idx" else { return }
    if let issued { tokensOfFlow.append((sessions.count, issued.id(in: flow.stream))) }
    times.append(flow.latest)
    sessions.append([
      .time(flow.latest), .text(flow.user), .text(issued == nil ? session ?? "session" : "tokens"), .text(flow.place),
      .text(flow.context.device), .text(flow.factors.joined(separator: ", ")), .text(nil), .time(nil),
      .text(flow.stream),
    ])
  }

  var tables: [ReportTable] {
    mutating get {
      guard isSessions else {
        lives.sort()
        return tokens(lives.lives.filter { asked.contains($0.id) })
      }
      lives.sortEvents()
      for (row, id) in tokensOfFlow {
        let standing = lives[id]?.standing(at: now)
        sessions[row][6] = .text(standing?.word)
        sessions[row][7] = .time(standing?.expires)
      }
      let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
      sessions = order.map { sessions[$0] }
      return [sessionTable]
    }
  }

  private var sessionTable: ReportTable {
    ReportTable(
      "sessions", "Sign-ins that brought a session or tokens",
      [
        .at, .user, .init("brought", "brought"), .place, .device.minor, .init("factors", "factors").minor,
        .init("tokens", "tokens now"), .init("expires", "run out").minor, .flow.minor,
      ], sessions)
  }

  private func tokens(_ lives: [TokenLife]) -> [ReportTable] {
    var statuses = Counts()
    let standings = lives.map { $0.standing(at: now) }
    for standing in standings { statuses.add(standing.word) }
    return [
      statuses.table("statuses", "How they stand, as far as the log says", of: .init("status", "status")),
      ReportTable(
        "tokens", "Tokens",
        [
          .init("id", "tokens"), .user, .init("began", "began"), .init("status", "status"), .place, .device.minor,
          .init("lastPlace", "used last from"), .init("renewed", "renewed").minor, .init("lastAt", "last event").minor,
          .init("last", "what").minor, .init("expires", "run out").minor, .init("scope", "scope").minor,
          .init("issuer", "issuer").minor, .flow.minor,
        ],
        zip(lives, standings).map { life, standing in
          let origin = origins[life.id]
          return [
            .text(life.id), .text(origin?.user), .time(life.events.first?.at), .text(standing.word),
            .text(origin?.place), .text(origin?.device), .text(origin?.lastPlace),
            .number(life.events.reduce(0) { $0 + ($1.name == "refreshed" ? 1 : 0) }), .time(life.events.last?.at),
            .text(life.events.last?.name), .time(standing.expires), .text(life.scope), .text(life.issuer),
            .text(life.events.first?.stream),
          ]
        }),
    ]
  }

  var notes: [String] {
    [
      "Tokens are active until the log says otherwise\(asOf == nil ? ", to its end, whatever time is asked for" : " up to the time that is given with --as-of"). When their access token has run out they are renewable if a refresh token came with them, else expired. What was revoked elsewhere is not in the log, nor how long a refresh token or a session lasts."
    ]
  }
}

/// Whose some tokens are, and from where they were used.
private struct TokenOrigin {
  var user: String?
  var place: String?
  var device: String?
  var lastPlace: String?
  private var first: Timestamp
  private var last: Timestamp

  init(at time: Timestamp) { (first, last) = (Timestamp(microseconds: .max), time) }

  mutating func take(_ flow: FlowFacts, _ place: String?, at time: Timestamp) {
    if user == nil { user = flow.user }
    if time < first { (first, self.place, device) = (time, place, flow.context.device) }
    if time >= last { (last, lastPlace) = (time, place) }
  }
}

/// `devices`
struct DevicesTally: ReportTally {
  static let parts: FlowParts = [.changes, .memory]
  private var challenges: [[ReportTable.Cell]] = []
  private var changes: [[ReportTable.Cell]] = []
  private var outcomes = Counts()

  mutating func add(_ flow: FlowFacts) {
    guard flow.kind == "device" else { return }
    let memory = flow.signIn.memory
    if flow.signIn.purpose == .challenge {
      outcomes.add(flow.status ?? flow.outcome)
      challenges.append([
        .time(flow.started), .text(flow.user), .text(memory["transaction"]), .text(memory["answer"]),
        .text(flow.status), .text(memory["keyType"]), .text(memory["key"]), .text(memory["verification"]),
        .text(flow.reason?.rawValue), .text(flow.stream),
      ])
    }
    for change in flow.signIn.changes {
      changes.append([
        .time(change.at), .text(flow.user), .text(change.kind == .factorEnrolled ? "enrolled" : "removed"),
        .text(flow.stream),
      ])
    }
  }

  var tables: [ReportTable] {
    [
      outcomes.table("outcomes", "Challenges, by how they ended", of: .init("status", "status")),
      ReportTable(
        "challenges", "Challenges",
        [
          .at, .user, .init("transaction", "transaction"), .init("answer", "answer"), .init("status", "ended"),
          .init("keyType", "key of"), .init("key", "key"), .init("verification", "verification"),
          .init("reason", "reason"), .flow,
        ], challenges),
      ReportTable(
        "changes", "Devices set up and removed", [.at, .user, .init("change", "change"), .flow], changes),
    ]
  }
}
