/// The reports that can be asked for by name.
package enum ReportName: String, Sendable, CaseIterable {
  case summary

  /// One line on what it tells.
  package var about: String {
    switch self {
    case .summary: "flows by outcome, status, user, factor and error; requests, rate limits, durations, gaps"
    }
  }
}
