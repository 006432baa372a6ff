import ArgumentParser
import AuditReports

/// The thresholds of the detections in reports.
struct ThresholdOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "push, detections: number of refused or unanswered pushes that counts as fatigue (default: 3).",
      valueName: "N"))
  var fatiguePushes: Int?
  @Option(
    help: ArgumentHelp(
      "push, detections: how far two pushes of a run are apart at most (default: 10m).", valueName: "T"))
  var fatigueWindow: AgeOption?
  @Option(
    help: ArgumentHelp(
      "spray, stuffing, detections: how many accounts must fail from one place (default: 10, 20).", valueName: "N"))
  var attackUsers: Int?
  @Option(
    help: ArgumentHelp(
      "spray, stuffing, detections: how often each account is tried at most, on average (default: 3, 1.5).",
      valueName: "N"))
  var attackTries: Double?
  @Option(
    help: ArgumentHelp(
      "spray, stuffing, detections: how many percent of the tries must fail (default: 80, 70).", valueName: "N"))
  var attackPercent: Int?
  @Option(
    help: ArgumentHelp("spray, stuffing, detections: the window that is looked at (default: 1h, 10m).", valueName: "T"))
  var attackWindow: AgeOption?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "guessing, detections: how many passwords or codes of an account must be wrong (default: 8).", valueName: "N"))
  var guessTries: Int?
  @Option(
    help: ArgumentHelp(
      "guessing, detections: the window that is looked at, and how soon a success follows (default: 1h).",
      valueName: "T"))
  var guessWindow: AgeOption?
  @Option(
    help: ArgumentHelp(
      "theft, detections: how long after the holder's last use a use from elsewhere counts (default: any time).",
      valueName: "T"))
  var theftWindow: AgeOption?

  @Option(
    help: ArgumentHelp("push: how soon a push is approved at once, polls included (default: 6s).", valueName: "T"))
  var quickApproval: AgeOption?
  @Option(
    help: ArgumentHelp(
      "overlaps: how long after the end of a sign-in another one from elsewhere counts (default: 1m).", valueName: "T"))
  var overlapWindow: AgeOption?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("shared: how many accounts share a device or a key at least (default: 2).", valueName: "N"))
  var sharedUsers: Int?
  @Option(
    help: ArgumentHelp("people: for how long a person has not signed in (default: 90d).", valueName: "T"))
  var quietFor: AgeOption?

  @Option(
    help: ArgumentHelp(
      "hours: from which hour to which people work, Monday to Friday (default: 7-19).", valueName: "H-H"),
    transform: ThresholdOptions.hours)
  var workHours: Range<Int>?

  private static func hours(_ text: String) throws -> Range<Int> {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let from = parts[0], let to = parts[1], from >= 0, from < to, to <= 24 else {
      throw ValidationError("'\(text)' is no span of hours: give two from 0 to 24, such as 8-18")
    }
    return from..<to
  }

  mutating func validate() throws {
    for (name, count) in [("--fatigue-pushes", fatiguePushes), ("--attack-users", attackUsers)] {
      if let count, count < 1 { throw ValidationError("\(name) \(count) is under 1") }
    }
    if let guessTries, guessTries < 2 { throw ValidationError("--guess-tries \(guessTries) is under 2") }
    if let sharedUsers, sharedUsers < 2 { throw ValidationError("--shared-users \(sharedUsers) is under 2") }
    if let attackPercent, !(0...100).contains(attackPercent) {
      throw ValidationError("--attack-percent \(attackPercent) is not within 0 and 100")
    }
    if let attackTries, !(attackTries >= 1) { throw ValidationError("--attack-tries \(attackTries) is under 1") }
  }

  /// The options that are given, each with the reports that use it.
  private var given: [(option: String, reports: [ReportName])] {
    let attacks: [ReportName] = [.spray, .stuffing, .detections]
    let all: [(option: String, isGiven: Bool, reports: [ReportName])] = [
      ("--fatigue-pushes", fatiguePushes != nil, [.push, .detections]),
      ("--fatigue-window", fatigueWindow != nil, [.push, .detections]),
      ("--attack-users", attackUsers != nil, attacks), ("--attack-tries", attackTries != nil, attacks),
      ("--attack-percent", attackPercent != nil, attacks), ("--attack-window", attackWindow != nil, attacks),
      ("--guess-tries", guessTries != nil, [.guessing, .detections]),
      ("--guess-window", guessWindow != nil, [.guessing, .detections]),
      ("--theft-window", theftWindow != nil, [.theft, .detections]), ("--work-hours", workHours != nil, [.hours]),
      ("--quick-approval", quickApproval != nil, [.push]), ("--overlap-window", overlapWindow != nil, [.overlaps]),
      ("--shared-users", sharedUsers != nil, [.shared]), ("--quiet-for", quietFor != nil, [.people]),
    ]
    return all.filter(\.isGiven).map { ($0.option, $0.reports) }
  }

  /// Refuses an option that a report does not use: whoever gives it would take the figures for others.
  ///
  /// - Throws: exit 64.
  func check(_ name: ReportName) throws {
    for (option, reports) in given where !reports.contains(name) {
      let names = reports.map(\.rawValue)
      let list =
        names.count > 1 ? "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])" : names[0]
      throw ValidationError("\(option) is for report \(list); report \(name.rawValue) does not use it")
    }
  }

  /// The thresholds for a report.
  var thresholds: Thresholds {
    var thresholds = Thresholds()
    if let fatiguePushes { thresholds.fatiguePushes = fatiguePushes }
    if let fatigueWindow { thresholds.fatigueSeconds = Int(fatigueWindow.value.components.seconds) }
    if let guessTries { thresholds.guessTries = guessTries }
    if let guessWindow { thresholds.guessSeconds = Int(guessWindow.value.components.seconds) }
    if let theftWindow { thresholds.theftSeconds = Int(theftWindow.value.components.seconds) }
    if let quickApproval { thresholds.quickSeconds = Int(quickApproval.value.components.seconds) }
    if let overlapWindow { thresholds.overlapSeconds = Int(overlapWindow.value.components.seconds) }
    if let sharedUsers { thresholds.sharedUsers = sharedUsers }
    if let quietFor { thresholds.quietSeconds = Int(quietFor.value.components.seconds) }
    if let workHours { thresholds.work = workHours }
    for rule in [\Thresholds.spray, \Thresholds.stuffing] {
      if let attackUsers { thresholds[keyPath: rule].users = attackUsers }
      if let attackTries { thresholds[keyPath: rule].tries = attackTries }
      if let attackPercent { thresholds[keyPath: rule].percent = attackPercent }
      if let attackWindow { thresholds[keyPath: rule].seconds = Int(attackWindow.value.components.seconds) }
    }
    return thresholds
  }
}
