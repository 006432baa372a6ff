import Foundation

/// How much is tried: a part, or with `FLOWRECORDER_LONG=1` all of it.
enum Effort {
  static let isLong = ProcessInfo.processInfo.environment["FLOWRECORDER_LONG"] == "1"

  /// So many of some values, evenly spread, the first among them.
  static func part<Value>(of values: [Value], _ count: Int) -> [Value] {
    guard values.count > count else { return values }
    return (0..<count).map { values[$0 * values.count / count] }
  }
}
