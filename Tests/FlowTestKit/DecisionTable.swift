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
}
