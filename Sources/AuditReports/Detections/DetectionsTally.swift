// The report `detections`: the findings of all detection rules, and the accounts they concern.

import EventStore
import FlowRecording

/// All detections at once.
struct DetectionsTally {
  static let parts: FlowParts = [.tries, .changes, .tokens, .place, .successes]

  /// One finding of a rule.
  private struct Finding {
    var rule: String
    var first: Timestamp
    var last: Timestamp
    /// The accounts it concerns; if one place attacked many accounts, those that were entered.
    var users: [String]
    /// Other accounts that were tried. They are named only if the report is about them.
    var tried: Set<String> = []
    /// When someone got in, by account.
    var entries: [String: Timestamp] = [:]
    var place: String?
    /// Whether the rule suggests that a person other than the account's holder got in.
    var isEntered: Bool
    var what: String
    var flow: String?

    /// The finding as it concerns one account; nil if it does not concern it. For an account that was tried without
    /// success, it names only that account.
    func of(_ user: String) -> Finding? {
      if users.contains(user) { return self }
      guard tried.contains(user) else { return nil }
      var finding = self
      (finding.users, finding.isEntered) = ([user], false)
      return finding
    }
  }

  private var push: PushTally
  private var attacks: AttackTally
  private var guessing: GuessingTally
  private var theft: TheftTally
  private var lockouts = LockoutsTally()
  /// A change of an account.
  private struct Change {
    var change: AccountChange
    /// Its place in the order of a pass over the logs.
    var number: Int
    var user: String
    var place: String?
    var stream: String
  }
  private var changes: [Change] = []

  init(thresholds: Thresholds) {
    push = PushTally(thresholds: thresholds)
    attacks = AttackTally(isStuffing: false, thresholds: thresholds)
    guessing = GuessingTally(thresholds: thresholds)
    theft = TheftTally(thresholds: thresholds)
  }

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    push.add(flow, isAsked: isAsked)
    attacks.add(flow, isAsked: isAsked)
    guessing.add(flow, isAsked: isAsked)
    theft.add(flow, isAsked: isAsked)
    lockouts.note(flow, isAsked: isAsked)
    guard !flow.signIn.changes.isEmpty, let user = flow.user?.lowercased() else { return }
    for change in flow.signIn.changes {
      changes.append(
        Change(change: change, number: changes.count, user: user, place: flow.place, stream: flow.stream))
    }
  }

  private var findings: [Finding] {
    let fatigue = push.episodes.map { run -> Finding in
      Finding(
        rule: "fatigue", first: run.first, last: run.last, users: [run.user],
        entries: run.entered.map { [run.user: $0] } ?? [:],
        place: run.places.isEmpty ? nil : run.places.joined(separator: ", "), isEntered: run.approved != nil,
        what:
          "\(run.rejected) refused, \(run.unanswered) unanswered, \(run.approved == nil ? "none" : "then one") approved",
        flow: run.flow)
    }
    let (spray, stuffing) = attacks.both
    let attacks = [("spray", spray), ("stuffing", stuffing)].flatMap { rule, episodes -> [Finding] in
      episodes.map { attack -> Finding in
        Finding(
          rule: rule, first: attack.first, last: attack.last, users: attack.entered, tried: attack.tried,
          entries: attack.entries, place: attack.place,
          isEntered: !attack.entered.isEmpty,
          what: "\(attack.tries) tries on \(Quantity.count(attack.users, "account")), \(attack.failed) failed",
          flow: nil)
      }
    }
    let guesses = guessing.episodes.map { run -> Finding in
      let end =
        switch run.outcome {
        case .succeeded: "then one succeeded"
        case .locked: "then the account was locked"
        case .stopped: "none succeeded"
        }
      return Finding(
        rule: "guessing", first: run.first, last: run.last, users: [run.user],
        entries: run.success.map { [run.user: $0.at] } ?? [:],
        place: run.places.isEmpty ? nil : run.places.joined(separator: ", "), isEntered: run.success != nil,
        what: "\(run.tries) wrong tries, \(end)", flow: run.flow)
    }
    let thefts = theft.findings.map { _, holder, theft -> Finding in
      let user = holder?.lowercased()
      return Finding(
        rule: "theft", first: theft.first, last: theft.last, users: user.map { [$0] } ?? [],
        entries: user.map { [$0: theft.first] } ?? [:], place: theft.place ?? theft.device, isEntered: true,
        what: "tokens used from \(theft.cause == .end ? "somewhere " : "")\(theft.cause.rawValue)", flow: theft.stream)
    }
    let locked = lockouts.lockouts.map { lockout -> Finding in
      Finding(
        rule: "lockout", first: lockout.at, last: lockout.at, users: [lockout.user], place: lockout.place,
        isEntered: false, what: "the account was locked", flow: lockout.stream)
    }
    var all: [Finding] = fatigue + attacks
    all += guesses + thefts + locked
    return all.sorted { one, other in
      one.first == other.first ? one.rule < other.rule : one.first < other.first
    }
  }

  /// The tables, limited to one person if `user` is given.
  func tables(of user: String?) -> [ReportTable] {
    let wanted = user?.lowercased()
    let all = self.findings
    let findings = wanted.map { user in all.compactMap { $0.of(user) } } ?? all
    var rules = Counts()
    for finding in findings { rules.add(finding.rule) }
    return [
      rules.table("rules", "Findings, by rule", of: .init("rule", "rule")),
      Self.accounts(of: findings, wanted),
      ReportTable(
        "findings", "Findings",
        [
          .init("first", "from"), .init("last", "to").minor, .init("rule", "rule"), .init("users", "accounts"),
          .place, .init("entered", "got in"), .init("what", "what").minor, .flow.minor,
        ],
        findings.map { finding in
          [
            .time(finding.first), .time(finding.last), .text(finding.rule),
            .text(finding.users.isEmpty ? nil : finding.users.joined(separator: ", ")), .text(finding.place),
            .text(finding.isEntered ? "yes" : "no"), .text(finding.what), .text(finding.flow),
          ]
        }),
      changed(after: findings, wanted),
    ]
  }

  /// Account changes made after the first intrusion that the findings show.
  private func changed(after findings: [Finding], _ wanted: String?) -> ReportTable {
    var entered: [String: Timestamp] = [:]
    for finding in findings where finding.isEntered {
      for (user, at) in finding.entries where wanted == nil || user == wanted {
        entered[user] = min(entered[user] ?? at, at)
      }
    }
    let rows = changes.filter { change in entered[change.user].map { change.change.at >= $0 } ?? false }
      .sorted { ($0.change.at, $0.number) < ($1.change.at, $1.number) }
    return ReportTable(
      "changed", "Changes of accounts after someone got in",
      [
        .at, .user, .init("change", "change"), .init("factor", "factor"), .place, .init("since", "got in").minor,
        .flow.minor,
      ],
      rows.map { row in
        [
          .time(row.change.at), .text(row.user), .text(row.change.kind.rawValue), .text(row.change.factor?.rawValue),
          .text(row.place), .time(entered[row.user]), .text(row.stream),
        ]
      })
  }

  /// Accounts that were entered come first, then those matched by the most rules.
  private static func accounts(of findings: [Finding], _ wanted: String?) -> ReportTable {
    var accounts: [String: [Finding]] = [:]
    for finding in findings {
      for user in finding.users where wanted == nil || user == wanted { accounts[user, default: []].append(finding) }
    }
    let rows = accounts.map { user, findings in
      (
        user: user, isEntered: findings.contains(where: \.isEntered), rules: Set(findings.map(\.rule)).sorted(),
        count: findings.count, first: findings[0].first, last: findings.map(\.last).max() ?? findings[0].last
      )
    }
    let sorted = rows.sorted { one, other in
      (one.isEntered ? 0 : 1, -one.rules.count, -one.count, one.user)
        < (other.isEntered ? 0 : 1, -other.rules.count, -other.count, other.user)
    }
    return ReportTable(
      "accounts", "Accounts",
      [
        .user, .init("entered", "got in"), .init("rules", "rules"), .init("findings", "findings"),
        .init("first", "from"), .init("last", "to").minor,
      ],
      sorted.map {
        [
          .text($0.user), .text($0.isEntered ? "yes" : "no"), .text($0.rules.joined(separator: ", ")),
          .number($0.count), .time($0.first), .time($0.last),
        ]
      })
  }

  var notes: [String] {
    [
      "Someone got in if a push was approved after refusals, a password was right during an attack, an account was entered after many wrong tries, or tokens were used from elsewhere or after their end. Of spray and stuffing the accounts that were entered are named, and with --user one that was tried in vain. Changes of accounts are those from the moment when someone got in to the end of the log, whatever time, place or other filter is asked for. Each rule by itself, with its figures: report push, spray, stuffing, guessing, theft, lockouts."
    ]
  }
}
