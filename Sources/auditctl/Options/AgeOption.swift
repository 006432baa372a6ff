import ArgumentParser

/// A length of time as it is typed: 90s, 15m, 12h, 7d, 2w.
struct AgeOption: ExpressibleByArgument {
  /// How long it is.
  let value: Duration

  init?(argument: String) {
    let seconds: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
    guard let unit = argument.last.flatMap({ seconds[$0] }), let count = Int64(argument.dropLast()), count > 0,
      case let (all, overflow) = count.multipliedReportingOverflow(by: unit), !overflow, all < 1 << 40
    else { return nil }
    value = .seconds(all)
  }
}
