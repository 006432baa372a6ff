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
    let unread = RecordedBody.unreadDigest([200, 204, 404, 410, 503]) { end(of: flow, .unread($1, $0)) }
    return [line("\(place) unread", unread)]
      + TransportError.Code.allCases.map { code in
        line("\(place) \(code.rawValue)", StableHash.text(end(of: flow, .noResponse(code))))
      }
  }

  /// The end of a flow whose next step is answered like this.
  private static func end(of flow: CoreTrial, _ answer: CoreTrial.Answer) -> String {
    var fork = flow
    fork.answer(answer)
    fork.run()
    return fork.takeLines(withState: true)
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

  /// The ends of a flow whose next step is answered as usual, except for one value that is changed in each way.
  private static func changed(_ place: String, _ flow: CoreTrial) -> [String] {
    guard let step = flow.step else { return [] }
    let digests =
      switch CoreTrial.usual(step, flow.input) {
      case .response(let status, let body):
        ChangedJSON.digests(of: body ?? .null) { end(of: flow, .response(status, $0)) }
      case .value(let value): ChangedJSON.digests(of: value) { end(of: flow, .value($0)) }
      case .unread, .noResponse, .failure: [(place: ChangedJSON.Place, digest: String)]()
      }
    return digests.map { line("\(place) \($0.place)", $0.digest) }
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
    _ call: String, _ arguments: JSON, _ stored: Result<JSON, DrawFailure>, _ settings: JSON = [:], facts: JSON? = nil
  ) -> CoreTrial {
    var world = CoreTrial.World(stored: stored)
    if let facts { world.facts = facts }
    var trial = CoreTrial(settings, world)
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
    func end(_ name: String, _ document: JSON, _ begin: (JSON) -> CoreTrial) -> [String] {
      ChangedJSON.digestsInTurn(of: document) { document in
        var flow = begin(document)
        flow.run()
        return flow.takeLines(withState: true)
      }.map { line("\(call) \(number) \(name) \($0.place)", $0.digest) }
    }
    return end("arguments", arguments) { begun(call, $0, .success(stored)) }
      + end("stored", stored) { begun(call, arguments, .success($0)) }
      + end("facts", CoreTrial.World().facts) { begun(call, arguments, .success(stored), facts: $0) }
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
