// Filters with a word that no flow can have: a typing error, and not the answer that there are none.

import ArgumentParser
import AuditReports
import FlowKinds
import FlowRecording

/// The words that filters know.
enum FilterWords {
  /// How flows end.
  static let outcomes = [
    "success", "failed", "lockedOut", "abandoned", "cancelled", "terminal", "open", "approved", "denied", "rejected",
    "expired", "notOurs", "unknownEnrollment",
  ]
  /// What flows are of.
  static let kinds = KindRegistry.standard.all.map { $0.name }
  /// What people prove who they are with.
  static let factors = [
    "password", "push", "totp", "token", "sms", "call", "phone", "email", "question", "webauthn", "web",
  ]

  /// Refuses a filter that lets nothing pass, if a word of it is neither known nor in the log: applications have words of their own.
  ///
  /// - Parameters:
  ///   - filter: what was asked for.
  ///   - facts: reads all flows; called if a word is not known.
  /// - Throws: exit 64.
  static func check(_ filter: FlowFilter, _ facts: () throws -> any FactsSource) throws {
    let given: [(name: String, word: String?, known: [String])] = [
      ("outcome", filter.outcome?.lowercased(), outcomes.map { $0.lowercased() }), ("kind", filter.kind, kinds),
      ("factor", filter.factor?.lowercased(), factors), ("factor", filter.onlyFactor?.lowercased(), factors),
    ]
    let unknown = given.filter { name, word, known in word.map { !known.contains($0) } ?? false }
    guard !unknown.isEmpty else { return }
    var found: [String: Set<String>] = [:]
    try facts().forEachFlow(FlowFilter(), parts: .tries) { flow in
      found["outcome", default: []].insert(flow.outcome)
      found["kind", default: []].insert(flow.kind)
      for attempt in flow.signIn.tries { found["factor", default: []].insert(attempt.factor.rawValue) }
    }
    for (name, word, _) in unknown {
      guard let word else { continue }
      let words = found[name] ?? []
      // The kind is taken as it is written.
      guard !words.contains(where: { (name == "kind" ? $0 : $0.lowercased()) == word }) else { continue }
      let known = ["outcome": outcomes, "kind": kinds, "factor": factors][name] ?? []
      let all = known + words.subtracting(known).sorted()
      throw ValidationError("'\(word)' is no \(name); there are \(all.joined(separator: ", "))")
    }
  }
}
