// Filters with a word that no flow can have: a typing error, reported instead of an empty result.

import FlowKinds
import FlowRecording

/// The words that filters accept.
package enum FilterWords {
  /// The outcomes of flows.
  package static let outcomes = [
    "success", "failed", "lockedOut", "abandoned", "cancelled", "terminal", "open", "approved", "denied", "rejected",
    "expired", "notOurs", "unknownEnrollment",
  ]
  /// The kinds of flows.
  package static let kinds = KindRegistry.standard.all.map { $0.name }
  /// The factors.
  package static let factors = [
    "password", "push", "totp", "token", "sms", "call", "phone", "email", "question", "webauthn", "web",
  ]
  /// Statuses that a log may contain. Flows of the Identity Engine have the names of their forms, which orgs choose.
  private static let statuses = [
    "none", "UNAUTHENTICATED", "PASSWORD_WARN", "PASSWORD_EXPIRED", "RECOVERY", "RECOVERY_CHALLENGE", "PASSWORD_RESET",
    "LOCKED_OUT", "MFA_ENROLL", "MFA_ENROLL_ACTIVATE", "MFA_REQUIRED", "MFA_CHALLENGE", "SUCCESS", "identify",
  ]

  /// Explains why nothing passes a filter, if one of its words is neither known nor in the log. Applications may define
  /// their own words.
  ///
  /// - Parameters:
  ///   - filter: the filter.
  ///   - facts: reads all flows; called if a word is not known.
  /// - Returns: a sentence without a full stop; nil if all words are known.
  package static func problem(of filter: FlowFilter, in facts: () throws -> any FactsSource) throws -> String? {
    let given: [(name: String, word: String?, known: [String])] = [
      ("outcome", filter.outcome?.lowercased(), outcomes.map { $0.lowercased() }), ("kind", filter.kind, kinds),
      ("factor", filter.factor?.lowercased(), factors), ("factor", filter.onlyFactor?.lowercased(), factors),
    ]
    let unknown = given.filter { name, word, known in word.map { !known.contains($0) } ?? false }
    guard !unknown.isEmpty else { return nil }
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
      return "'\(word)' is no \(name); there are \(all.joined(separator: ", "))"
    }
    return nil
  }

  /// Explains what is wrong with the status of a filter, if it is neither known nor the status or outcome of a flow in
  /// the log.
  ///
  /// - Returns: a sentence without a full stop; nil if the word is known, or none is given.
  package static func problem(ofStatusIn filter: FlowFilter, in facts: () throws -> any FactsSource) throws -> String? {
    guard let word = filter.status else { return nil }
    func isMeant(_ known: String) -> Bool { known.lowercased() == word.lowercased() }
    guard !(statuses + outcomes).contains(where: isMeant) else { return nil }
    var found: Set<String> = []
    try facts().forEachFlow(FlowFilter(), parts: []) { flow in
      found.insert(flow.outcome)
      if let status = flow.statusWord { found.insert(status) }
    }
    guard !found.contains(where: isMeant) else { return nil }
    let words = found.isEmpty ? "the log has no flow" : "there are \(found.sorted().joined(separator: ", "))"
    return "'\(word)' is the status and outcome of no flow; \(words)"
  }
}
