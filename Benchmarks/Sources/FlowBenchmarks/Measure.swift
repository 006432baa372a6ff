// CPU time of this process, and the three figures of some rounds.

import Foundation

enum Measure {
  /// User and system time of this process so far, in seconds.
  static func cpu() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return seconds(of: usage)
  }

  /// User and system time, in seconds.
  static func seconds(of usage: rusage) -> Double { seconds(usage.ru_utime) + seconds(usage.ru_stime) }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
}

/// Minimum, median and maximum.
struct Spread: CustomStringConvertible {
  var values: [Double]

  init(_ values: [Double]) { self.values = values.sorted() }

  var median: Double { values.isEmpty ? 0 : values[values.count / 2] }

  var description: String {
    [values.first ?? 0, median, values.last ?? 0].map { String(format: "%10.3f", $0) }.joined(separator: " ")
  }
}

/// A line of the report: what, and its figures.
func row(_ name: String, _ spread: Spread, _ unit: String) {
  print(name.padding(toLength: 44, withPad: " ", startingAt: 0) + spread.description + "  " + unit)
}
