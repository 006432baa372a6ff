public import FlowRecording

/// A table of decisions: for each phase the inputs on which something follows, and how many there are on which nothing does.
public enum DecisionTable {
  /// The lines of the table.
  ///
  /// - Parameters:
  ///   - inputs: what is fed; each gets the phase anew.
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
      var order: [String] = []
      var names: [String: [String]] = [:]
      for input in inputs {
        var stage = stage
        let outputs = input.feed(&stage)
        let decision = outputs.isEmpty ? "nothing" : Decision.brief(outputs)
        if names[decision] == nil { order.append(decision) }
        names[decision, default: []].append(input.name)
      }
      order = order.filter { $0 != "nothing" } + ["nothing"]
      return ["\(phase):"]
        + order.flatMap { decision -> [String] in
          let names = names[decision] ?? []
          guard decision != "nothing" else { return ["  nothing on \(names.count) others"] }
          return ["  " + decision] + wrapped(names)
        }
    }
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
