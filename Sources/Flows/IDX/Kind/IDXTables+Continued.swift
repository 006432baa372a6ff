// Sign-ins that continue with a context of which a member is missing, and calls during calls after an exchange.

import EventStore
import FlowRecording

extension IDXKind {
  static var continued: Set<String> { Set(restored + paired) }

  private static var restored: [String] {
    let whole: [(String, JSON?)] = [
      ("interaction_handle", "handle-2"), ("state", "state-2"), ("code_verifier", "v"), ("code_challenge", "c"),
      ("nonce", "n"), ("max_age", 60), ("flow", "idx/01"),
    ]
    let redirect: JSON = ["redirect": "com.acme:/callback", "state": "state-2", "interaction_code": "code-2"]
    let calls = trials + [(call: "exchangeRedirect", arguments: redirect)]
    return RuntimeTables.withEachLeftOut(of: whole).enumerated().flatMap { number, members -> [String] in
      var begun = fresh(with: settings)
      let restoring = begun.call("restore", .members(members))
      let resting = begun
      let ends = calls.enumerated().map { place, trial in
        var flow = resting
        var steps = [flow.call(trial.call, trial.arguments), flow.answer(metadata), flow.answer(tokens)]
        steps += [flow.answer(["keys": []]), flow.decide(.success(["claims": ["sub": "00u-1"]]))]
        return "restored \(number), \(place)|\(steps)|\(StableHash.text(flow.core.json.text))"
      }
      return ["restored \(number)|\(restoring)|\(resting.core.json.text)"] + ends
    }
  }

  /// Two calls, one during the other, while or after tokens are exchanged and checked.
  private static var paired: [String] {
    let names: Set = ["exchanging", "being checked", "given up while being checked"]
    return states.filter { names.contains($0.name) }.flatMap { name, resting -> [String] in
      trials.enumerated().flatMap { place, trial -> [String] in
        var begun = resting
        begun.call(trial.call, trial.arguments)
        let during = begun
        return trials.enumerated().map { other, trial in
          var flow = during
          let steps = flow.call(trial.call, trial.arguments) + flow.answer(tokens)
          return "paired, \(name), \(place) \(other)|" + StableHash.text(steps + flow.core.json.text)
        }
      }
    }
  }
}
