// Sessions, tokens and devices.

import EventStore
import FlowRecording

/// `sessions` and `tokens`
struct TokensTally: HistoryTally {
  static let parts: FlowParts = [.tokens, .tries, .place]
  let isSessions: Bool
  private var lives = TokenLives()
  private var sessions: [[ReportTable.Cell]] = []
  /// The times that they show.
  private var times: [Timestamp] = []
  private var tokensOfFlow: [(row: Int, id: String)] = []
  /// The tokens that flows had to do with that are asked for.
  private var asked: Set<String> = []

  init(isSessions: Bool) { self.isSessions = isSessions }

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    for fact in flow.tokens {
      lives.add(fact, of: flow.stream, in: flow.store ?? "")
      if isAsked, !isSessions { asked.insert(fact.id(in: flow.stream)) }
    }
    guard isSessions, isAsked, flow.isSignIn, flow.outcome == "success" else { return }
    let issued = flow.tokens.first { $0.name == "issued" }
    let session = flow.signIn.memory["session"]
    guard issued != nil || session != nil || flow.kind == "idx" else { return }
    if let issued { tokensOfFlow.append((sessions.count, issued.id(in: flow.stream))) }
    times.append(flow.latest)
    sessions.append([
      .time(flow.latest), .text(flow.user), .text(issued == nil ? session ?? "session" : "tokens"), .text(flow.place),
      .text(flow.factors.joined(separator: ", ")), .text(nil), .text(flow.stream),
    ])
  }

  private static func text(_ value: JSON?) -> String? { value.flatMap { $0.string ?? ($0 == .null ? nil : $0.text) } }

  var tables: [ReportTable] {
    mutating get {
      guard isSessions else {
        lives.sort()
        return tokens(lives.lives.filter { asked.contains($0.id) })
      }
      lives.sortEvents()
      for (row, id) in tokensOfFlow { sessions[row][5] = .text(lives[id]?.status) }
      let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
      sessions = order.map { sessions[$0] }
      return [sessionTable]
    }
  }

  private var sessionTable: ReportTable {
    ReportTable(
      "sessions", "Sign-ins that brought a session or tokens",
      [
        .at, .user, .init("brought", "brought"), .place, .init("factors", "factors"), .init("tokens", "tokens now"),
        .flow,
      ], sessions)
  }

  private func tokens(_ lives: [TokenLife]) -> [ReportTable] {
    var statuses = Counts()
    for life in lives { statuses.add(life.status) }
    return [
      statuses.table("statuses", "As far as the log says", of: .init("status", "status")),
      ReportTable(
        "tokens", "Tokens",
        [
          .init("id", "tokens"), .init("began", "began"), .init("status", "status"), .init("renewed", "renewed"),
          .init("lastAt", "last event"), .init("last", "what"), .init("scope", "scope"), .init("issuer", "issuer"),
          .flow,
        ],
        lives.map { life in
          [
            .text(life.id), .time(life.events.first?.at), .text(life.status),
            .number(life.events.reduce(0) { $0 + ($1.name == "refreshed" ? 1 : 0) }), .time(life.events.last?.at),
            .text(life.events.last?.name), .text(life.scope), .text(life.issuer), .text(life.events.first?.stream),
          ]
        }),
    ]
  }

  var notes: [String] {
    [
      "A token is active until the log says otherwise, to its end, whatever time is asked for; that it ran out by itself, or was revoked elsewhere, is not in it."
    ]
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
