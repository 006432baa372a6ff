// The report `sessions`.

import EventStore
import FlowRecording

/// `sessions`
struct SessionsTally: HistoryTally {
  static let parts: FlowParts = [.tokens, .tries, .place, .successes]
  /// The time as of which the state is shown; nil for the end of the log.
  private let asOf: Timestamp?
  /// The time at which the expiry of tokens is evaluated.
  private let now: Timestamp
  /// The zone of the time in the notes.
  private let zone: Zone
  private var lives = TokenLives()
  private var sessions: [[ReportTable.Cell]] = []
  /// The times shown in the table.
  private var times: [Timestamp] = []
  private var tokensOfFlow: [(row: Int, id: String)] = []

  init(asOf: Timestamp?, now: Timestamp, zone: Zone) {
    self.asOf = asOf
    self.now = asOf ?? now
    self.zone = zone
  }

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    for fact in flow.tokens where asOf.map({ fact.at <= $0 }) ?? true {
      lives.add(fact, of: flow.stream, in: flow.store ?? "")
    }
    // What a flow goes on with after a success, such as a note or another start, takes nothing back.
    let success = flow.successes.last { known in asOf.map { known.ended <= $0 } ?? true }
    guard isAsked, flow.isSignIn, let success else { return }
    let issued = flow.tokens.last { fact in fact.name == "issued" && asOf.map { fact.at <= $0 } ?? true }
    let session = flow.signIn.memory["session"]
    guard issued != nil || session != nil || flow.kind == "idx" else { return }
    if let issued { tokensOfFlow.append((sessions.count, issued.id(in: flow.stream))) }
    times.append(success.ended)
    sessions.append([
      .time(success.ended), .text(flow.user), .text(issued == nil ? session ?? "session" : "tokens"), .text(flow.place),
      .text(flow.context.device), .text(flow.factors.joined(separator: ", ")), .text(nil), .time(nil),
      .text(flow.stream),
    ])
  }

  var tables: [ReportTable] {
    mutating get {
      lives.sortEvents()
      for (row, id) in tokensOfFlow {
        let standing = lives[id]?.standing(at: now)
        sessions[row][6] = .text(standing?.word)
        sessions[row][7] = .time(standing?.expires)
      }
      let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
      sessions = order.map { sessions[$0] }
      return [table]
    }
  }

  private var table: ReportTable {
    ReportTable(
      "sessions", "Sign-ins that brought a session or tokens",
      [
        .at, .user, .init("brought", "brought"), .place, .device.minor, .init("factors", "factors").minor,
        .init("tokens", "tokens now"), .init("expires", "run out").minor, .flow.minor,
      ], sessions)
  }

  var notes: [String] { [TokensTally.note(isAsOf: asOf != nil, zone.text(now))] }
}
