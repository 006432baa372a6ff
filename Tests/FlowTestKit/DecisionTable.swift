public import FlowRecording

/// A table of decisions: for each phase the inputs on which something follows, and how many there are on which nothing does.
public enum DecisionTable {
  /// The lines of the table.
  ///
  /// - Parameters:
  ///   - inputs: what is fed; each to a fresh copy of the phase.
  ///   - phases: the stages that have come to a phase, by name.
  public static func lines<Core: FlowCore>(
    of inputs: [StageInput<Core>],
    at phases: [(String, CoreStage<Core>)]
  ) -> [String] {
    phases.flatMap { phase, stage -> [String] in
      var without = 0
      let rows = inputs.compactMap { input -> String? in
        var stage = stage
        let outputs = input.feed(&stage)
        if outputs.isEmpty { without += 1 }
        return outputs.isEmpty ? nil : "  \(input.name): \(Decision.brief(outputs))"
      }
      return ["\(phase):"] + rows + ["  \(without) others: nothing"]
    }
  }

  /// The same by what is decided: for each phase the decisions, and on which inputs each follows. For kinds of which many
  /// inputs mean the same.
  public static func grouped<Core: FlowCore>(
    of inputs: [StageInput<Core>],
    at phases: [(String, CoreStage<Core>)]
  ) -> [String] {
    phases.flatMap { phase, stage -> [String] in
      let rows = inputs.map { input -> (name: String, decision: String) in
        var stage = stage
        let outputs = input.feed(&stage)
        return (input.name, outputs.isEmpty ? nothing : Decision.brief(outputs))
      }
      return ["\(phase):"] + grouped(rows.filter { $0.decision != nothing })
        + ["  nothing on \(rows.count { $0.decision == nothing }) others"]
    }
  }

  private static let nothing = "nothing"

  /// What follows, in the order of first sight, and below each the names of all that it follows on.
  public static func grouped(_ rows: [(name: String, decision: String)]) -> [String] {
    var order: [String] = []
    var names: [String: [String]] = [:]
    for row in rows {
      if names[row.decision] == nil { order.append(row.decision) }
      names[row.decision, default: []].append(row.name)
    }
    return order.flatMap { ["  " + $0] + wrapped(names[$0] ?? []) }
  }

  /// Names in lines that are not too long.
  private static func wrapped(_ names: [String]) -> [String] {
    names.reduce(into: [String]()) { lines, name in
      if let last = lines.last, last.count + name.count < 100 {
        lines[lines.count - 1] = last + "; " + name
      } else {
        lines.append("    on " + name)
      }
    }
  }
}
