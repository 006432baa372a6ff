// Builds the report of any name from facts.

package import EventStore
import FlowRecording

/// The parameters of a report other than its name.
package struct ReportRequest: Sendable {
  package var name: ReportName
  package var filter: FlowFilter
  package var thresholds = Thresholds()
  /// For `integrity`: the stores.
  package var stores: [StoreState] = []
  /// The zone that `hours` and `days` count in, and of the times in notes.
  package var zone = Zone.utc
  /// The time that `compare` takes as now if no end is given, and at which the expiry of tokens is evaluated.
  package var now: Timestamp
  /// For `sessions` and `tokens`: the time as of which the state is shown; nil for the end of the log.
  package var asOf: Timestamp?
  /// For `compare`: the beginning of the other period, outside the requested one; nil for the period right before.
  package var against: Timestamp?

  package init(_ name: ReportName, filter: FlowFilter, now: Timestamp) {
    self.name = name
    self.filter = filter
    self.now = now
  }

  /// What is wrong with `against`: a sentence without a full stop; nil if it is nil, or outside the requested time.
  package var problemOfAgainst: String? {
    guard name == .compare, let against else { return nil }
    let (start, end) = compared
    guard start <= against, against <= end else { return nil }
    return
      "--against \(zone.text(against)) is inside the requested time, which is from \(zone.text(start)) to \(zone.text(end)); give a time before or after it"
  }

  /// Makes the report. Cost: one pass over the facts of the flows that pass the filter.
  package func report(on facts: some FactsSource) throws -> Report {
    let name = name
    switch name {
    case .summary:
      let summary = try SignInSummary(facts, filter: filter)
      return Report(name, filter: filter, tables: Self.tables(of: summary), notes: summary.notes)
    case .signIns: return try tally(SignInsTally(hasStores: facts.hasSeveralStores), facts)
    case .failures: return try tally(FailuresTally(), facts)
    case .factors: return try tally(FactorsTally(), facts)
    case .enrollments: return try tally(EnrollmentsTally(), facts)
    case .push: return try tally(PushTally(thresholds: thresholds), facts)
    case .spray: return try tally(AttackTally(isStuffing: false, thresholds: thresholds), facts)
    case .stuffing: return try tally(AttackTally(isStuffing: true, thresholds: thresholds), facts)
    case .guessing: return try tally(GuessingTally(thresholds: thresholds), facts)
    case .theft: return try tally(TheftTally(thresholds: thresholds), facts)
    case .overlaps: return try tally(OverlapsTally(thresholds: thresholds), facts)
    case .shared: return try tally(SharedTally(thresholds: thresholds), facts)
    case .lockouts: return try tally(LockoutsTally(), facts)
    case .recovery: return try tally(RecoveryTally(), facts)
    case .sessions: return try tally(SessionsTally(asOf: asOf, now: now, zone: zone), facts)
    case .tokens: return try tally(TokensTally(asOf: asOf, now: now, zone: zone), facts)
    case .devices: return try tally(DevicesTally(), facts)
    case .latency: return try tally(LatencyTally(), facts)
    case .http: return try tally(HTTPTally(), facts)
    case .clients: return try tally(ClientsTally(), facts)
    case .people: return try tally(PeopleTally(until: min(filter.until ?? now, now), thresholds: thresholds), facts)
    case .places: return try tally(PlacesTally(), facts)
    case .days: return try tally(DaysTally(zone: zone), facts)
    case .detections: return try detections(facts)
    case .hours: return try tally(HoursTally(zone: zone, work: thresholds.work), facts)
    case .funnel: return try tally(FunnelTally(), facts)
    case .admin: return Report(name, filter: filter, tables: StoreReports.admin(facts.own, filter))
    case .integrity:
      return Report(
        name, filter: filter, tables: StoreReports.integrity(try facts.ownWithRecords(), filter, stores),
        notes: stores.compactMap(StoreReports.shortfall)
          + ["This is what the stores say of themselves; auditctl verify checks every byte of it."])
    case .compare: return try comparison(facts)
    case .user:
      var tally = UserTally(now: now)
      try facts.forEachFlowOfPerson(filter, parts: UserTally.parts) { tally.add($0) }
      // The history of tokens is read to the end of the log, whatever the selected period.
      try facts.forEachFlowOfPerson(FlowFilter(user: filter.user), parts: .tokens) { tally.addTokens(of: $0) }
      return Report(name, filter: filter, tables: tally.tables, notes: tally.notes)
    }
  }

  private func tally<Tally: ReportTally>(_ empty: Tally, _ facts: some FactsSource) throws -> Report {
    var tally = empty
    try facts.forEachFlow(filter, parts: Tally.parts) { tally.add($0) }
    let report = Report(name, filter: filter, tables: tally.tables, notes: tally.notes)
    Freed.beside(tally)
    return report
  }

  private func tally<Tally: HistoryTally>(_ empty: Tally, _ facts: some FactsSource) throws -> Report {
    var (tally, asked) = (empty, filter)
    let person = FlowFilter(user: filter.user)
    let parts = Tally.parts.union(filter.parts)
    func add(_ flow: FlowFacts) { tally.add(flow, isAsked: asked.passes(flow)) }
    switch name.extent {
    case .person:
      asked.user = nil
      try facts.forEachFlow(person, parts: parts, add)
    case .personWithTokens:
      asked.user = nil
      try facts.forEachFlowOfPerson(person, parts: parts, add)
    case .everyone: try facts.forEachFlow(FlowFilter(), parts: parts, add)
    }
    let report = Report(name, filter: filter, tables: tally.tables, notes: tally.notes)
    Freed.beside(tally)
    return report
  }

  /// The period that `compare` shows: from `since` to `until`, by default the last week.
  private var compared: (start: Timestamp, end: Timestamp) {
    let end = filter.until ?? now
    let week: Int64 = 7 * 86_400_000_000
    return (filter.since ?? Timestamp(microseconds: end.microseconds - week), end)
  }

  /// The requested period, compared with the one of the same length before it, or from `against` on.
  private func comparison(_ facts: some FactsSource) throws -> Report {
    let (start, end) = compared
    let earlier = against ?? before(start, end)
    let others = other(from: earlier, beside: start, end)
    var wide = filter
    (wide.since, wide.until) = (min(earlier, start), max(end, others.upperBound))
    var tally = CompareTally(before: others, now: start...max(start, end))
    try facts.forEachFlow(wide, parts: CompareTally.parts) { tally.add($0) }
    var shown = filter
    (shown.since, shown.until) = (start, end)
    return Report(
      name, filter: shown, tables: tally.tables,
      notes: [
        against == nil
          ? "Before is the time of the same length, since \(zone.text(earlier))."
          : "Before is the time from \(zone.text(earlier)) to \(zone.text(others.upperBound)).",
        "Durations are of sign-ins and recoveries alone.",
      ])
  }

  /// The period to compare with: of the same length, without overlap.
  private func other(from earlier: Timestamp, beside start: Timestamp, _ end: Timestamp) -> ClosedRange<Timestamp> {
    let length = end.microseconds.subtractingReportingOverflow(start.microseconds).partialValue
    var last = earlier.microseconds.addingReportingOverflow(max(0, length)).partialValue
    if earlier < start, against == nil || last >= start.microseconds { last = start.microseconds - 1 }
    return earlier...Timestamp(microseconds: max(earlier.microseconds, last))
  }

  /// The findings of all detection rules.
  private func detections(_ facts: some FactsSource) throws -> Report {
    var tally = DetectionsTally(thresholds: thresholds)
    var asked = filter
    asked.user = nil
    try facts.forEachFlow(FlowFilter(), parts: DetectionsTally.parts.union(filter.parts)) {
      tally.add($0, isAsked: asked.passes($0))
    }
    return Report(name, filter: filter, tables: tally.tables(of: filter.user), notes: tally.notes)
  }

  /// The beginning of the period of the same length before a span: the same number of calendar days, if the span
  /// consists of whole days.
  private func before(_ start: Timestamp, _ end: Timestamp) -> Timestamp {
    // An end that means the last moment of a day counts as the beginning of the next.
    let span = max(0, end.microseconds - start.microseconds)
    let length = (span + 1) % 1_000_000 == 0 ? span + 1 : span
    if let days = zone.days(from: start, to: Timestamp(microseconds: start.microseconds + length)), days > 0,
      let before = zone.time(start, adding: -days)
    {
      return before
    }
    return Timestamp(microseconds: start.microseconds - min(length, max(0, start.microseconds)))
  }

  /// `summary` as tables; `SignInSummary` writes the formats that programs rely on.
  private static func tables(of summary: SignInSummary) -> [ReportTable] {
    summary.sections.map { section in
      ReportTable(
        section.title.lowercased(), section.title, [.init("name", "name"), .count],
        section.counts.map { [.text($0.name), .number($0.number)] })
    }
  }
}
