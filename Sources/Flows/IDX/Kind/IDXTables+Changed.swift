// What each call makes of a page, and a code exchange of its answers, with one value changed.

import EventStore
import FlowRecording

extension IDXKind {
  static var changed: Set<String> { Set(changedPages + changedExchanges + changedArguments + changedSettings + unread) }

  /// The calls on a page: all trials, and each form that a reference leads to, with an entry and without.
  private static let everyCall: [(call: String, arguments: JSON)] = {
    let places =
      (0..<5).map { "remediation/\($0)" }
      + (0..<3).flatMap { place in
        ["send", "resend", "poll", "recover"].map { "authenticator/\(place)/\($0)" }
      }
    let entries: JSON = [["at": "0", "name": "identifier", "value": "ann"]]
    return trials
      + (places + ["cancel", "success"]).flatMap { form in
        [["form": .string(form)], ["form": .string(form), "fields": entries]].map { (call: "proceed", arguments: $0) }
      }
  }()

  /// Each call on a page as it is, and with each value of the page changed: in each way for the first page, in one for
  /// the others. Calls that are refused on the page as it is are not made on the changed ones.
  private static var changedPages: [String] {
    [identify, forms, authenticators, success].enumerated().flatMap { turn, document -> [String] in
      func ends(_ document: JSON, _ calls: [(call: String, arguments: JSON)]) -> [String] {
        let resting = shown(document)
        return [resting.core.json.text]
          + calls.map { call, arguments in
            var flow = resting
            return flow.call(call, arguments) + flow.fire()
          }
      }
      let unchanged = ends(document, everyCall)
      let tried = zip(everyCall, unchanged.dropFirst()).filter { $1.contains(RequestSent.type) }.map(\.0)
      return ["\(turn) as it is|\(StableHash.text(unchanged.joined(separator: "\n")))"]
        + ChangedJSON.digests(of: document, in: ChangedJSON.ways(ofDocument: turn)) {
          ends($0, tried).joined(separator: "\n")
        }.map { "\(turn) \($0.place)|\($0.digest)" }
    }
  }

  /// A code is exchanged; one of the answers has a changed value.
  private static var changedExchanges: [String] {
    let answers: [JSON] = [tokens, metadata, ["keys": [["kid": "key-1", "kty": "EC", "alg": "ES256", "use": "sig"]]]]
    let done = shown(success)
    return answers.enumerated().flatMap { turn, document in
      ChangedJSON.digests(of: document) { document in
        var (flow, given) = (done, answers)
        given[turn] = document
        var steps = [flow.call("exchangeCode")]
        for answer in given { steps.append(flow.answer(answer)) }
        steps.append(flow.decide(.success(["claims": ["sub": "00u-1"]])))
        return steps.joined(separator: "\n") + flow.core.json.text
      }.map { "exchange, \(turn) \($0.place)|\($0.digest)" }
    }
  }

  /// Each state, in which a body comes that is not kept.
  private static var unread: [String] {
    states.map { name, resting in
      let digest = RecordedBody.unreadDigest([200, 204, 400, 429, 503]) { reason, status in
        var flow = resting
        return flow.answerUnread(reason, status) + flow.fire() + flow.core.json.text
      }
      return "unread, \(name)|\(digest)"
    }
  }

  /// A sign-in and an exchange of its code with each setting changed in each way.
  private static var changedSettings: [String] {
    let whole = settings.object?.members ?? []
    let more: [(String, JSON?)] = [
      ("clientSecret", "client-secret-1"), ("deviceToken", "device-0"), ("origins", ["https://b.example"]),
      ("userAgentHeader", true), ("nonce", "nonce-1"),
    ]
    return ChangedJSON.digests(of: .members(whole.map { ($0.key, Optional($0.value)) } + more)) { settings in
      var flow = fresh(with: settings)
      var steps = [flow.call("start"), flow.answer(["interaction_handle": "handle-1"]), flow.answer(success)]
      flow.hold()
      steps += [flow.call("exchangeCode"), flow.answer(tokens), flow.answer(metadata), flow.answer(["keys": []])]
      return steps.joined(separator: "\n") + flow.core.json.text
    }.map { "settings \($0.place)|\($0.digest)" }
  }

  /// Each argument of each call changed in each way.
  private static var changedArguments: [String] {
    let resting = shown(identify)
    return everyCall.enumerated().flatMap { number, trial in
      ChangedJSON.digests(of: trial.arguments) { arguments in
        var flow = resting
        return flow.call(trial.call, arguments) + flow.fire()
      }.map { "arguments \(number) \($0.place)|\($0.digest)" }
    }
  }
}
