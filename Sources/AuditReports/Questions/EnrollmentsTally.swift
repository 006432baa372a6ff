// The report `enrollments`.

import EventStore
import FlowRecording

/// Factors that people set up and removed.
struct EnrollmentsTally: HistoryTally {
  static let parts: FlowParts = [.tries, .changes, .place]
  private struct Change {
    var at: Timestamp
    /// Its place in log order, which decides between changes with equal times.
    var number: Int
    var kind: AccountChange.Kind
    var factor: String
    var user: String?
    /// The factors that the org had accepted before; nil if there is none.
    var proofs: String?
    var place: String?
    var device: String?
    var origin: KnownOrigins.Origin?
    var client: String?
    var outcome: String
    var stream: String
    /// Whether its flow passes the filters of the report.
    var isAsked: Bool
    /// When the person had set up this factor before, if they have not removed it since.
    var before: Timestamp?
  }
  private var changes: [Change] = []
  private var origins = KnownOrigins()

  mutating func add(_ flow: FlowFacts, isAsked: Bool) {
    let origin = origins.note(flow)
    for change in flow.signIn.changes where change.kind == .factorEnrolled || change.kind == .factorRemoved {
      let proofs = flow.signIn.tries.filter { $0.isVerified && ($0.ended ?? change.at) <= change.at }
      changes.append(
        Change(
          at: change.at, number: changes.count, kind: change.kind, factor: change.factor?.rawValue ?? "unknown",
          user: flow.user, proofs: proofs.isEmpty ? nil : proofs.map(\.factor.rawValue).joined(separator: ", "),
          place: flow.place, device: flow.context.device, origin: origin, client: flow.clientWord,
          outcome: flow.outcome, stream: flow.stream, isAsked: isAsked))
    }
  }

  /// The changes that pass the filters, ordered by time, each with the previous setup.
  private var asked: [Change] {
    var setUp: [String: [String: Timestamp]] = [:]
    var sorted = changes.sorted { ($0.at, $0.number) < ($1.at, $1.number) }
    for index in sorted.indices {
      guard let user = sorted[index].user?.lowercased() else { continue }
      let factor = sorted[index].factor
      sorted[index].before = setUp[user]?[factor]
      setUp[user, default: [:]][factor] = sorted[index].kind == .factorEnrolled ? sorted[index].at : nil
    }
    return sorted.filter(\.isAsked)
  }

  var tables: [ReportTable] {
    let changes = asked
    let totals = Dictionary(grouping: changes, by: \.factor).sorted { $0.key < $1.key }.map {
      factor, changes -> [ReportTable.Cell] in
      let enrolled = changes.filter { $0.kind == .factorEnrolled }
      return [
        .text(factor), .number(enrolled.count), .number(enrolled.filter { $0.before != nil }.count),
        .number(changes.count - enrolled.count), .number(Set(changes.compactMap { $0.user?.lowercased() }).count),
      ]
    }
    return [
      ReportTable(
        "totals", "By factor",
        [
          .init("factor", "factor"), .init("enrolled", "set up"), .init("again", "of these, again"),
          .init("removed", "removed"), .init("users", "users"),
        ], totals),
      ReportTable(
        "changes", "Factors set up and removed",
        [
          .at, .user, .init("change", "change"), .init("factor", "factor"), .place, .device.minor, .origin,
          .init("proofs", "proved by"), .init("before", "set up before").minor, .init("client", "client").minor,
          .init("outcome", "outcome").minor, .flow.minor,
        ],
        changes.map { change in
          [
            .time(change.at), .text(change.user), .text(change.kind.rawValue), .text(change.factor),
            .text(change.place), .text(change.device), .text(change.origin?.rawValue), .text(change.proofs),
            .time(change.before), .text(change.client), .text(change.outcome), .text(change.stream),
          ]
        }),
    ]
  }

  var notes: [String] {
    [
      KnownOrigins.explanation,
      "A factor that is set up again, and was not removed before, was reset or replaced: its earlier set-up is named, from the whole log. Proofs are the factors that the org had accepted in the same flow before the change. What an administrator sets up, resets or removes elsewhere is not in the log; a removal at a device names no one unless its flow does.",
    ]
  }
}
