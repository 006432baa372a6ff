// The report `tokens`.

import EventStore
import FlowRecording

/// `tokens`
struct TokensTally: HistoryTally {
  static let parts: FlowParts = [.tokens, .place, .onlyWithTokens]
  /// The time as of which the state is shown; nil for the end of the log.
  private let asOf: Timestamp?
  /// The time at which the expiry of tokens is evaluated.
  private let now: Timestamp
  /// The zone of the time in the notes.
  private let zone: Zone
  private var lives = TokenLives()
  /// The first user of each set of tokens that a flow names.
  private var users: [String: String] = [:]
  /// The tokens used by flows that pass the filters.
  private var asked: Set<String> = []

  init(asOf: Timestamp?, now: Timestamp, zone: Zone) {
    self.asOf = asOf
    self.now = asOf ?? now
    self.zone = zone
  }

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    let origin = flow.tokens.isEmpty ? nil : TokenLife.Origin(place: flow.place, device: flow.context.device)
    for fact in flow.tokens where asOf.map({ fact.at <= $0 }) ?? true {
      lives.add(fact, of: flow.stream, in: flow.store ?? "", from: origin)
      let id = fact.id(in: flow.stream)
      if let user = flow.user, users[id] == nil { users[id] = user }
      if isAsked { asked.insert(id) }
    }
  }

  var tables: [ReportTable] {
    mutating get {
      lives.sort()
      let lives = lives.lives.filter { asked.contains($0.id) }
      var statuses = Counts()
      let standings = lives.map { $0.standing(at: now) }
      for standing in standings { statuses.add(standing.word) }
      let isGood = standings.map { Self.good.contains($0.word) }
      let order = lives.indices.filter { isGood[$0] } + lives.indices.filter { !isGood[$0] }
      return [
        statuses.table("statuses", "How they stand, as far as the log says", of: .init("status", "status")),
        ReportTable(
          "tokens", "Tokens",
          [
            .init("id", "tokens"), .user, .init("began", "began"), .init("status", "status"), .place, .device.minor,
            .init("lastPlace", "used last from"), .init("renewed", "renewed").minor,
            .init("lastAt", "last event").minor, .init("last", "what").minor, .init("expires", "run out").minor,
            .init("scope", "scope").minor, .init("issuer", "issuer").minor, .flow.minor,
          ],
          order.map { index in
            let (life, standing) = (lives[index], standings[index])
            let (first, last) = (life.events.first?.origin, life.events.last?.origin)
            return [
              .text(life.id), .text(users[life.id]), .time(life.events.first?.at), .text(standing.word),
              .text(first?.place), .text(first?.device), .text(last?.place),
              .number(life.events.reduce(0) { $0 + ($1.name == "refreshed" ? 1 : 0) }), .time(life.events.last?.at),
              .text(life.events.last?.name), .time(standing.expires), .text(life.scope), .text(life.issuer),
              .text(life.events.first?.stream),
            ]
          }),
      ]
    }
  }

  /// The states of tokens that can still be used, as far as the log says.
  private static let good: Set<String> = ["active", "renewable"]

  var notes: [String] {
    ["Tokens that are active or renewable come first.", Self.note(isAsOf: asOf != nil, zone.text(now))]
  }

  /// A note on how the state of tokens is determined, and as of when.
  ///
  /// - Parameter now: the time at which the expiry of tokens is evaluated.
  static func note(isAsOf: Bool, _ now: String) -> String {
    "Tokens are active until the log says otherwise\(isAsOf ? " up to the time that is given with --as-of" : ", to its end, whatever time is asked for"). When their access token has run out by \(now), they are renewable if a refresh token came with them, else expired. What was revoked elsewhere is not in the log, nor how long a refresh token or a session lasts."
  }
}
