// The results of made-up operations on enrollments, with the usual answers and with each alternative.

import EventStore
import FlowRecording

extension HostTables {
  /// Runs a flow to its end, and from each of its steps to other ends.
  ///
  /// - Parameters:
  ///   - name: the prefix of the lines.
  ///   - begun: the flow after it has begun.
  ///   - interruptions: returns the results of interrupting the flow at a step.
  static func walk(
    _ name: String, _ begun: CoreTrial, interruptions: (CoreTrial) -> [String] = { _ in [] }
  ) -> [String] {
    var main = begun
    var lines = [line("\(name) begins", main.takeLines())]
    for number in 0..<40 {
      let place = "\(name) \(number) \(main.step?.rawValue ?? "the person")"
      let others: [CoreTrial.Answer] = main.step.map { CoreTrial.others($0) } ?? []
      for (number, other) in others.enumerated() {
        var fork = main
        fork.answer(other)
        fork.run()
        lines.append(line("\(place) \(number)", fork.takeLines()))
      }
      lines += changed(place, main)
      lines += lost(place, main)
      lines += late(place, main)
      var givenUp = main
      givenUp.call("giveUp", ["call": .int(main.core.challenge?.resolveCall ?? main.core.operation?.call ?? 0)])
      givenUp.run()
      lines.append(line("\(place) is given up", givenUp.takeLines()))
      lines += interruptions(main).map { line("\(place) and", $0) }
      guard main.goOn() else { break }
      lines.append(line("\(place) as usual", main.takeLines()))
    }
    lines.append(line("\(name) ends", main.takeLines(withState: true)))
    return lines
  }

  /// The ends of a flow whose next request gets no response, or one that is not read, for each reason.
  private static func lost(_ place: String, _ flow: CoreTrial) -> [String] {
    guard let step = flow.step, case .response = CoreTrial.usual(step, flow.input) else { return [] }
    let lost = TransportError.Code.allCases.map { ($0.rawValue, CoreTrial.Answer.noResponse($0)) }
    let unread = [200, 204, 404, 410, 503].flatMap { status in
      RecordedBody.unreadReasons.map { ("\(status) \($0)", CoreTrial.Answer.unread(status, $0)) }
    }
    return (lost + unread).map { name, answer in
      var fork = flow
      fork.answer(answer)
      fork.run()
      return line("\(place) \(name)", StableHash.text(fork.takeLines(withState: true)))
    }
  }

  /// The ends of a flow for which it gets late: its timer fires, or it goes on.
  private static func late(_ place: String, _ flow: CoreTrial) -> [String] {
    [299, 301, 3_601].flatMap { seconds in
      [true, false].map { fires in
        var fork = flow
        fork.now = Timestamp(microseconds: fork.now.microseconds + Int64(seconds) * 1_000_000)
        if fires { fork.fire() }
        fork.run()
        return line("\(place) \(seconds) s later \(fires)", StableHash.text(fork.takeLines(withState: true)))
      }
    }
  }

  /// The ends of a flow whose next step is answered as usual, except for one value that is changed in one way.
  private static func changed(_ place: String, _ flow: CoreTrial) -> [String] {
    guard let step = flow.step else { return [] }
    let (usual, document): (CoreTrial.Answer, JSON)
    switch CoreTrial.usual(step, flow.input) {
    case .response(let status, let body): (usual, document) = (.response(status, body), body ?? .null)
    case .value(let value): (usual, document) = (.value(value), value)
    case .unread, .noResponse, .failure: return []
    }
    return ChangedJSON.places(in: document).map { changedPlace in
      let ends = ChangedJSON.allCases.map { change in
        let other = change.applied(to: document, at: changedPlace[...])
        var fork = flow
        if case .response(let status, _) = usual {
          fork.answer(.response(status, other))
        } else {
          fork.answer(.value(other))
        }
        fork.run()
        return fork.takeLines(withState: true)
      }
      return line("\(place) \(changedPlace)", StableHash.text(ends.joined()))
    }
  }

  // MARK: Operations

  /// What is stored about an enrollment and its org.
  private static let records = JSON.members([
    ("enrollment", HostSamples.enrollment.json), ("device", HostSamples.device.json),
    ("policy", ["orgID": "00o-1", "id": "aut-1", "clientID": "client-1", "wantsHardware": false]),
  ])

  private static func records(_ changes: JSON) -> JSON {
    HostSamples.with(["enrollment": HostSamples.with(changes, in: HostSamples.enrollment.json)], in: records)
  }

  /// The arguments of an operation on an org, and of one on an enrollment.
  private static let (org, own): (JSON, JSON) = (
    ["token": "t", "orgURL": "https://acme.example", "clientId": "client 1", "pushToken": "p"],
    ["token": "t", "enrollmentId": "pfd-1", "pushToken": "p"]
  )

  private static func begun(
    _ call: String, _ arguments: JSON, _ stored: Result<JSON, DrawFailure>, _ settings: JSON = [:]
  ) -> CoreTrial {
    var trial = CoreTrial(settings, CoreTrial.World(stored: stored))
    trial.call(call, arguments)
    return trial
  }

  /// The results of operations.
  static var operations: [String] {
    let enroll = HostSamples.with(["userVerification": true, "ciba": true, "apsEnvironment": "development"], in: org)
    let known = HostSamples.with(["userVerification": false], in: org)
    let enable = HostSamples.with(["enable": true], in: own)
    let walks: [(String, JSON, JSON)] = [
      ("enroll", enroll, [:]), ("enroll", known, records), ("downloadPolicy", org, [:]),
      ("updateDeviceToken", own, records), ("setUserVerification", enable, records), ("delete", own, records),
      ("retrievePushChallenges", own, records), ("retrieveMaintenanceToken", own, records),
    ]
    let walked = walks.enumerated().flatMap { number, trial in
      walk("\(trial.0) \(number)", begun(trial.0, trial.1, .success(trial.2)))
    }
    return walked + walks.enumerated().flatMap { changedBeginnings($0, $1) } + variants + obstructed
  }

  /// An operation with one value of its arguments, of what is stored, or of the device's facts changed in one way.
  private static func changedBeginnings(_ number: Int, _ walk: (String, JSON, JSON)) -> [String] {
    let (call, arguments, plain) = walk
    let stored = HostSamples.with(
      [
        "verificationKey": "available", "verificationJWK": ["kid": "uv-1"], "verificationKeyInvalidated": true,
        "homes": ["https://acme.example"],
      ], in: plain)
    let facts = CoreTrial.World().facts
    func end(_ name: String, _ document: JSON, _ begin: (JSON) -> CoreTrial) -> [String] {
      ChangedJSON.places(in: document).enumerated().map { turn, place in
        let change = ChangedJSON.allCases[turn % ChangedJSON.allCases.count]
        var flow = begin(change.applied(to: document, at: place[...]))
        flow.run()
        return line(
          "\(call) \(number) \(name) \(place) \(change)", StableHash.text(flow.takeLines(withState: true)))
      }
    }
    return end("arguments", arguments) { begun(call, $0, .success(stored)) }
      + end("stored", stored) { begun(call, arguments, .success($0)) }
      + end("facts", facts) { facts in
        var flow = begun(call, arguments, .success(stored))
        flow.world.facts = facts
        return flow
      }
  }

  /// Operations with different arguments, enrollments, and settings.
  private static var variants: [String] {
    let healthy = HostSamples.with(["verificationKey": "available", "verificationJWK": ["kid": "uv-1"]], in: records)
    let (enable, disable) = (
      HostSamples.with(["enable": true], in: own), HostSamples.with(["enable": false], in: own)
    )
    let scopes = HostSamples.with(["scopes": ["a", 5, "b"]], in: own)
    let trials: [(String, JSON, JSON)] = [
      ("enroll", org, ["homes": ["https://acme.example"]]), ("enroll", org, ["homes": ["https://b.example"]]),
      ("setUserVerification", enable, healthy), ("setUserVerification", disable, healthy),
      ("enableCIBATransactions", enable, records), ("enableCIBATransactions", disable, records),
      ("deleteFromDevice", own, records), ("retrieveMaintenanceToken", scopes, records),
      ("retrievePushChallenges", own, records(["pendingURL": "https://b.example/"])),
      ("updateDeviceToken", HostSamples.with(["pushToken": ""], in: own), records),
    ]
    var begun = trials.map { call, arguments, stored in (call, Self.begun(call, arguments, .success(stored))) }
    let (foreign, broken): (JSON, DrawFailure) = (
      ["homes": ["https://b.example"]], DrawFailure(.failed, "storage.sqliteError: why")
    )
    begun.append(("trusted", Self.begun("enroll", org, .success(foreign), ["origins": ["https://acme.example"]])))
    begun.append(("broken", Self.begun("enroll", org, .failure(broken))))
    begun.append(("broken here", Self.begun("delete", own, .failure(broken))))
    var lines = begun.enumerated().map { number, trial -> String in
      var run = trial.1
      run.run()
      return line("\(trial.0) \(number)", run.takeLines(withState: true))
    }
    var kept = Self.begun("delete", own, .success(records), ["deleteOnSuspended": false])
    kept.answer(.response(403, ["errorCode": "E0000152"]))
    kept.run()
    lines.append(line("kept", kept.takeLines()))
    return lines
  }

  /// Enrollments with something missing.
  private static var obstructed: [String] {
    let stored: [JSON] = [
      [:], HostSamples.with(["policy": nil], in: records), records(["pendingURL": nil]), records(["clientID": nil]),
      records(["proofOfPossessionTag": nil]), records(["userVerificationTag": nil, "serverErrorCode": nil]),
    ]
    let calls = ["setUserVerification", "retrievePushChallenges", "retrieveMaintenanceToken", "updateDeviceToken"]
    return stored.enumerated().flatMap { number, stored in
      calls.map { call -> String in
        var trial = begun(call, own, .success(stored))
        trial.run()
        return line("\(call) \(number)", trial.takeLines())
      }
    }
  }
}
