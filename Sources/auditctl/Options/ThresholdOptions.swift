import ArgumentParser
import AuditReports

/// When the detections of reports speak.
struct ThresholdOptions: ParsableArguments {
  @Option(help: ArgumentHelp("push: so many refused or unanswered pushes are fatigue (default: 3).", valueName: "N"))
  var fatiguePushes: Int?
  @Option(help: ArgumentHelp("push: how far two pushes of a run are apart at most (default: 10m).", valueName: "T"))
  var fatigueWindow: AgeOption?
  @Option(
    help: ArgumentHelp(
      "spray, stuffing: how many accounts must fail from one place (default: 10, 20).", valueName: "N"))
  var attackUsers: Int?
  @Option(
    help: ArgumentHelp(
      "spray, stuffing: how often each account is tried at most, on average (default: 3, 1.5).", valueName: "N"))
  var attackTries: Double?
  @Option(
    help: ArgumentHelp("spray, stuffing: how many percent of the tries must fail (default: 80, 70).", valueName: "N"))
  var attackPercent: Int?
  @Option(help: ArgumentHelp("spray, stuffing: the window that is looked at (default: 1h, 10m).", valueName: "T"))
  var attackWindow: AgeOption?

  mutating func validate() throws {
    for (name, count) in [("--fatigue-pushes", fatiguePushes), ("--attack-users", attackUsers)] {
      if let count, count < 1 { throw ValidationError("\(name) \(count) is under 1") }
    }
    if let attackPercent, !(0...100).contains(attackPercent) {
      throw ValidationError("--attack-percent \(attackPercent) is not within 0 and 100")
    }
    if let attackTries, !(attackTries >= 1) { throw ValidationError("--attack-tries \(attackTries) is under 1") }
  }

  /// The thresholds for a report.
  var thresholds: Thresholds {
    var thresholds = Thresholds()
    if let fatiguePushes { thresholds.fatiguePushes = fatiguePushes }
    if let fatigueWindow { thresholds.fatigueSeconds = Int(fatigueWindow.value.components.seconds) }
    for rule in [\Thresholds.spray, \Thresholds.stuffing] {
      if let attackUsers { thresholds[keyPath: rule].users = attackUsers }
      if let attackTries { thresholds[keyPath: rule].tries = attackTries }
      if let attackPercent { thresholds[keyPath: rule].percent = attackPercent }
      if let attackWindow { thresholds[keyPath: rule].seconds = Int(attackWindow.value.components.seconds) }
    }
    return thresholds
  }
}
