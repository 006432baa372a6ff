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
    return walked + variants + obstructed
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
