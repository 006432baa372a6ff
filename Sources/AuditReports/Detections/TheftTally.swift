// The report `theft`.

import EventStore
import FlowRecording

/// Tokens that were used from elsewhere, or after they had ended.
struct TheftTally: HistoryTally {
  static let parts: FlowParts = [.tokens, .place, .onlyWithTokens]
  let thresholds: Thresholds
  private var lives: [String: Life] = [:]

  /// The owner of a set of tokens, and their uses.
  private struct Life {
    var user: String?
    var uses: [TokenUse] = []

    mutating func add(_ use: TokenUse, by user: String?) {
      if self.user == nil { self.user = user }
      uses.append(use)
    }
  }

  init(thresholds: Thresholds) { self.thresholds = thresholds }

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    let address = flow.address
    for fact in flow.tokens {
      guard let kind = Self.kind(of: fact) else { continue }
      let use = TokenUse(
        kind: kind, at: fact.at, stream: flow.stream, store: flow.store ?? "", position: fact.position,
        device: flow.context.device, address: address, isAsked: isAsked)
      lives[fact.id(in: flow.stream), default: Life()].add(use, by: flow.user)
    }
  }

  private static func kind(of fact: TokenFact) -> TokenUse.Kind? {
    switch fact.name {
    case "issued", "stored": .seen
    case "refreshed": .renewal
    // A refused sign-in returned no tokens.
    case "refused": fact.id != nil && fact.details["operation"]?.string == "renew" ? .renewal : nil
    // An authorization outlives its access token.
    case "revoked": fact.details["hint"]?.string == "access_token" ? nil : .end
    case "cleared": .end
    case _: nil
    }
  }

  /// The findings, in the order of their first suspicious uses.
  var findings: [(id: String, user: String?, finding: TokenTheft)] {
    let detection = TokenTheftDetection(seconds: thresholds.theftSeconds)
    return lives.flatMap { id, life in detection.findings(life.uses).map { (id: id, user: life.user, finding: $0) } }
      .sorted { ($0.finding.first, $0.id) < ($1.finding.first, $1.id) }
  }

  var tables: [ReportTable] {
    [
      ReportTable(
        "findings", "Tokens used by another than their holder",
        [
          .init("first", "from"), .init("last", "to").minor, .user, .init("id", "tokens"), .init("cause", "why"),
          .init("uses", "uses").minor, .device.minor, .place, .init("ownDevice", "holder's device").minor,
          .init("ownPlace", "holder's place").minor, .init("heldSince", "holder uses them still").minor, .flow.minor,
        ],
        findings.map { id, user, finding in
          [
            .time(finding.first), .time(finding.last), .text(user), .text(id), .text(finding.cause.rawValue),
            .number(finding.uses), .text(finding.device), .text(finding.place), .text(finding.ownDevice),
            .text(finding.ownPlace), .text(finding.isHeldSince ? "yes" : "no"), .text(finding.stream),
          ]
        })
    ]
  }

  var notes: [String] {
    let window = thresholds.theftSeconds.map { " within \($0) s after the holder's last use" } ?? ""
    return [
      "Rule: tokens are renewed\(window) from another device than the one that they were issued to; if a device is not named, from another address; or after they were revoked or cleared. Whose tokens they are is taken from the whole log; counted are uses in the time that is asked for."
    ]
  }
}
