import ArgumentParser
import AuditReports

extension FilterWords {
  /// Refuses a filter that lets nothing pass, if a word of it is neither known nor in the log.
  ///
  /// - Parameters:
  ///   - filter: what was asked for.
  ///   - facts: reads all flows; called if a word is not known.
  /// - Throws: exit 64.
  static func check(_ filter: FlowFilter, _ facts: () throws -> any FactsSource) throws {
    if let problem = try Self.problem(of: filter, in: facts) { throw ValidationError(problem) }
  }
}
